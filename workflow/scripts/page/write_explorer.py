"""Write the page to explore the fits of a run."""

from collections.abc import Sequence

import pandas as pd

from pipeline.drawing.display_choice import Swept, of_sweep
from pipeline.files import write_text
from pipeline.job import script
from pipeline.page.explorer import explorer


@script
@of_sweep
def write_explorer(
    sweep: Sequence[Swept], scores: pd.DataFrame, decisions: pd.DataFrame, paths: Sequence[str]
) -> None:
    """Write one file of HTML."""
    write_text(paths[0], explorer(sweep, scores, decisions))
