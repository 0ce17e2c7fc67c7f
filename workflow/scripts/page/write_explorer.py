"""Write the page to explore the fits of a run."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from pipeline.datasets.dataset import load_dataset
from pipeline.drawing.display_choice import points_by_id
from pipeline.files import write_atomically
from pipeline.job import script
from pipeline.page.explorer import explorer
from pipeline.store import by_dataset


@script
def write_explorer(
    datasets: Sequence[str],
    fits: Sequence[str],
    scores: pd.DataFrame,
    decisions: pd.DataFrame,
    points: Mapping[str, Sequence[dict[str, Any]]],
    paths: Sequence[str],
) -> None:
    """Write one file of HTML."""
    stores = by_dataset(fits)
    text = explorer(map(load_dataset, datasets), stores, points_by_id(points), scores, decisions)
    write_atomically(paths[0], lambda file: file.write(text.encode()))
