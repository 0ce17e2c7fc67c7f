"""Write the page of the run."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.files import write_atomically
from pipeline.job import script
from pipeline.page.page import page


@script
def write_page(
    made: Sequence[str],
    sources: Sequence[str],
    figures: Sequence[Mapping[str, str]],
    roles: Mapping[str, Mapping[str, str]],
    finished: Sequence[str],
    paths: Sequence[str],
) -> None:
    """Write what a run has made to one file of HTML.

    ``sources``, its captions and templates, are inputs so that an edit of one writes it anew.
    ``finished`` names results that another target has left, which are shown as well.
    """
    folder = Path(paths[0]).parents[1]
    shown = [*made, *(str(folder / name) for name in finished)]
    text = page(folder, shown, figures, roles)
    write_atomically(paths[0], lambda file: file.write(text.encode()))
