"""Fit every setting of the grid to every replicate of a dataset."""

from typing import Any

from kpca.study.datasets.dataset import load_dataset
from kpca.study.fitting.fits import FitOptions, fit_grid
from kpca.study.fitting.grid import Point
from workflow.job import cache_of, script


@script
def fit(
    dataset: str, code: list[str], own: list[str], threads: int, paths: list[str], **params: Any
) -> None:
    """Write a folder of fits; the cache stores each fit as soon as it is computed."""
    points = [Point(**plain) for plain in params.pop("points")]
    cache = cache_of(paths[0], [*code, *own])
    options = FitOptions(**params)
    keys = fit_grid(load_dataset(dataset), points, options, cache, processes=threads)
    cache.link(keys, paths[0])
