"""Evaluate the fits of a dataset, and what kernel PCA is compared with."""

import logging
from collections.abc import Sequence
from typing import Any

from pipeline.datasets.dataset import load_dataset
from pipeline.evaluation.families import evaluate_dataset
from pipeline.evaluation.settings import Settings
from pipeline.grid import point_from_dict
from pipeline.job import run


def evaluate(
    dataset: str,
    fits: str,
    points: list[dict[str, Any]],
    settings: dict[str, Any],
    fingerprint: str,
    paths: Sequence[str],
    **options: Any,
) -> None:
    """Update the store of scores, and log how much was new."""
    grid = [point_from_dict(point) for point in points]
    read, chosen = load_dataset(dataset), Settings.from_config(settings)
    counts = evaluate_dataset(paths[0], read, fits, grid, chosen, code=fingerprint, **options)
    logging.info("%d evaluated, %d reused", *counts)


if __name__ == "__main__":
    run(evaluate)
