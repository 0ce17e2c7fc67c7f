"""Evaluate the fits of a dataset; without fits, what kernel PCA is compared with."""

import logging
from collections.abc import Sequence
from typing import Any

from pipeline.datasets.dataset import load_dataset
from pipeline.evaluation.families import evaluate_baselines, evaluate_fits
from pipeline.evaluation.settings import Settings
from pipeline.grid import point_from_dict
from pipeline.job import run


def evaluate(
    dataset: str,
    points: list[dict[str, Any]],
    settings: dict[str, Any],
    seed: int,
    fingerprint: str,
    paths: Sequence[str],
    fits: str | None = None,
    own_code: dict[str, str] | None = None,
    methods: dict[str, Any] | None = None,
) -> None:
    """Update the store of scores, and log how much was new.

    Parameters
    ----------
    dataset : str
        File.
    points : list of dict
        Grid of the dataset; of the baselines, the Gaussian points that share their bandwidths.
    settings, seed, fingerprint
        Section `evaluation`, root seed, digest of the code.
    paths : sequence of str
        The store.
    fits : str, optional
        Store of the fits.
    own_code : dict, optional
        Kernel of the user's own → digest of its module, beside the fits.
    methods : dict, optional
        The user's own, beside the baselines.
    """
    read, grid = load_dataset(dataset), [point_from_dict(point) for point in points]
    how: dict[str, Any] = {"seed": seed, "code": fingerprint}
    chosen = Settings.from_config(settings)
    if fits:
        counts = evaluate_fits(paths[0], read, fits, grid, chosen, own_code=own_code or {}, **how)
    else:
        counts = evaluate_baselines(paths[0], read, grid, methods or {}, chosen, **how)
    logging.info("%d evaluated, %d reused", *counts)


if __name__ == "__main__":
    run(evaluate)
