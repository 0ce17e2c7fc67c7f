"""Fit the whole grid on every replicate of a dataset."""

import logging
from collections.abc import Sequence
from typing import Any

from pipeline.datasets.dataset import load_dataset
from pipeline.fits import fit_grid
from pipeline.grid import point_from_dict
from pipeline.job import run


def fit(
    dataset: str,
    points: list[dict[str, Any]],
    fingerprint: str,
    paths: Sequence[str],
    **options: Any,
) -> None:
    """Update the store, and log how much was new."""
    grid = [point_from_dict(point) for point in points]
    counts = fit_grid(paths[0], load_dataset(dataset), grid, code=fingerprint, **options)
    logging.info("%d fitted, %d reused", *counts)


if __name__ == "__main__":
    run(fit)
