"""Fit the grid on every replicate of a dataset and score it, but for entries stored already."""

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kpca.study.datasets.dataset import load_dataset
from kpca.study.fitting.sweep import Sweep
from kpca.study.tasks import CACHE
from workflow.job import script


@script
def fit_and_score(
    dataset: str, sweep: dict[str, Any], threads: int, paths: Sequence[str], part: Sequence[int]
) -> None:
    """Fill the cache, by default `entries` in the results; then write both, unless a part."""
    cache = os.environ.get(CACHE) or Path(paths[0]).parents[1] / "entries"
    wanted = Sweep(load_dataset(dataset), sweep, cache)
    logging.info(wanted.fill(*part, processes=threads))
    if not part:
        wanted.gather(*paths)
