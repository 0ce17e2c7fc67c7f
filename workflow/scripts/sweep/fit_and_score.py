"""Fit the grid on every replicate of a dataset and score it, but for entries stored already."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipeline.datasets.dataset import load_dataset
from pipeline.job import script
from pipeline.sweep import Sweep


@script
def fit_and_score(
    dataset: str, sweep: dict[str, Any], threads: int, paths: Sequence[str], part: Sequence[int]
) -> None:
    """Fill the folder of entries next to the fits; then write both, unless this is a part."""
    wanted = Sweep(load_dataset(dataset), sweep, Path(paths[0]).parents[1] / "entries")
    logging.info(wanted.fill(*part, processes=threads))
    if not part:
        wanted.gather(*paths)
