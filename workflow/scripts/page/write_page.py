"""Write the page of the run."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.files import write_atomically
from pipeline.job import script
from pipeline.page.page import page


@script
def write_page(
    made: Sequence[str],
    figures: Sequence[Mapping[str, str]],
    roles: Mapping[str, Mapping[str, str]],
    finished: Sequence[str],
    paths: Sequence[str],
) -> None:
    """Write what a run has made, and ``finished`` results of another target, to one file."""
    folder = Path(paths[0]).parents[1]
    text = page(folder, [*made, *(str(folder / name) for name in finished)], figures, roles)
    write_atomically(paths[0], lambda file: file.write(text.encode()))
