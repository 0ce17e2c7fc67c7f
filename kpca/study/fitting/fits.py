"""Fit every setting to every replicate of a dataset, unless the fits are cached."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from joblib import parallel_config
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import threadpool_limits

from kpca.persistence import VERSION
from kpca.reading.errors import input_error
from kpca.study.cache import Cache
from kpca.study.datasets.dataset import Dataset
from kpca.study.datasets.splits import draw_folds, sizes_within
from kpca.study.fitting.fitted_models import fit_arrays
from kpca.study.fitting.grid import Point
from kpca.study.seeds import seed_for
from kpca.study.store import Arrays

LEAST_COMPONENTS = 2  # smallest number of components of a fit, because figures draw two


@dataclass(frozen=True)
class FitOptions:
    """Options that, with the rows of a dataset and the grid, determine the fits."""

    n_components: int  # largest number of components to evaluate, as far as rows allow it
    folds: int  # number of inner folds of the training rows
    variance_share: float  # smallest fraction of the variance that a fit keeps
    seed: int


class Task(NamedTuple):
    """A result that is computed unless it is in the cache."""

    key: str  # key in the cache
    compute: Callable[[], Arrays]


def fit_grid(
    dataset: Dataset,
    points: Sequence[Point],
    options: FitOptions,
    cache: Cache,
    *,
    processes: int = 1,
) -> dict[str, str]:
    """Fit every setting to every replicate of a dataset, and return the cache keys of the fits.

    Parameters
    ----------
    dataset : Dataset
        Dataset with its splits.
    points : sequence of Point
        Settings of the kernels.
    options : FitOptions
    cache : Cache
        Each result is written to the cache as soon as it is computed.
    processes : int, default=1
        Number of parallel processes.

    Returns
    -------
    dict
        Name of the setting and replicate → key in the cache, for `Cache.link`.

    Raises
    ------
    InputError
        If rows or parameters do not suit a kernel.
    """
    tasks: dict[str, Task] = {}
    for replicate in range(dataset.replicates):
        split = dataset.split(replicate)
        seed = seed_for(options.seed, dataset.seed_axis, replicate, "folds")
        # Limit components to what fits to the folds can have, because the fits are compared.
        sizes = sizes_within([options.n_components], draw_folds(split, options.folds, seed))
        extent = {
            "n_components": max(LEAST_COMPONENTS, *sizes),
            "variance_share": options.variance_share,
        }
        for point in points:
            key = cache.key("fit", vars(point), split.digest, extent, VERSION)
            compute = partial(_fit, dataset.name, point, split.X_train, **extent)
            tasks[f"{point.id}/{replicate}"] = Task(key, compute)
    return completed(tasks, cache, "fits", processes)


def completed(tasks: Mapping[str, Task], cache: Cache, kind: str, processes: int) -> dict[str, str]:
    """Compute the results that a cache lacks, in several processes with one thread each.

    Parameters
    ----------
    tasks : mapping
        Name of a result → its task.
    cache : Cache
        Each result is written to the cache as soon as it is computed.
    kind : str
        Name of the results in the log.
    processes : int
        Largest number of parallel processes.

    Returns
    -------
    dict
        Name of each result → its key in the cache.
    """
    missing = [task for task in tasks.values() if cache.read(task.key) is None]
    logging.info("%d of %d %s are new", len(missing), len(tasks), kind)
    workers = max(min(processes, len(missing)), 1)
    with threadpool_limits(1), parallel_config("loky", inner_max_num_threads=1):
        Parallel(workers)(delayed(_complete)(task, cache) for task in missing)
    return {name: task.key for name, task in sorted(tasks.items())}


def _complete(task: Task, cache: Cache) -> None:
    cache.write(task.key, task.compute())


def _fit(dataset: str, point: Point, X_train: np.ndarray, **extent: Any) -> Arrays:
    try:
        return fit_arrays(point, X_train, **extent)
    except ValueError as error:
        raise input_error(f"dataset {dataset!r}, fit {point.id}", [str(error)]) from error
