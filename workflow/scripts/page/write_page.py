"""Write the page of the run."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.files import write_text
from pipeline.job import script
from pipeline.page.page import page


@script
def write_page(
    made: Sequence[str],
    figures: Sequence[Mapping[str, str]],
    finished: Sequence[str],
    paths: Sequence[str],
) -> None:
    """Write what a run has made, and ``finished`` results of another target, to one file."""
    write_text(paths[0], page(Path(paths[0]).parents[1], [*made, *finished], figures))
