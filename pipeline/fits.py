"""Fit a grid on every replicate of a dataset: the stores `results/fits/`."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

import numpy as np
from sklearn.base import clone

from kpca.kernel_pca import KernelPCA
from kpca.persistence import from_arrays, to_arrays
from pipeline.datasets.dataset import Dataset, Split
from pipeline.errors import input_error
from pipeline.grid import Point
from pipeline.kernels import estimator, import_object, resolve_gamma
from pipeline.store import Arrays, key_of, update_store

NONE: Mapping[str, str] = MappingProxyType({})
_TRAINING_ROWS = "X_fit_"  # stand in the dataset already


def entry_name(point: Point, replicate: int) -> str:
    """Return the name under which a fit is stored."""
    return f"{point.id}/{replicate}"


def fit_grid(
    path: Path | str,
    dataset: Dataset,
    points: Sequence[Point],
    *,
    n_components: int,
    variance_share: float,
    code: str,
    own_code: Mapping[str, str] = NONE,
) -> tuple[int, int]:
    """Bring the store of a dataset to the wanted points, fitting only what is new.

    All replicates are fitted; kept are at least ``n_components`` components, and as many as that
    share of the variance takes. Another fingerprint ``code`` invalidates every entry, another one
    in ``own_code`` those of that kernel of the user's own. Returned is how many entries were fitted
    and how many were there already.
    """
    jobs: dict[str, Callable[[], Arrays]] = {}
    keys: dict[str, str] = {}
    for replicate in range(dataset.replicates):
        split = dataset.split(replicate)
        for point in points:
            name = entry_name(point, replicate)
            wanted = (point.as_dict(), split.digest, n_components, variance_share)
            keys[name] = key_of(*wanted, code + own_code.get(point.kernel, ""))
            jobs[name] = partial(_fit, point, split, n_components, variance_share)

    def compute(name: str) -> Arrays:
        try:
            return jobs[name]()
        except ValueError as error:  # the data or the parameters, as the estimator explains
            subject = f"fit {name} of dataset {dataset.name!r}"
            raise input_error(subject, [str(error)]) from error

    return update_store(path, keys, compute)


def fit_point(
    point: Point, X_train: np.ndarray, *, n_components: int, variance_share: float
) -> KernelPCA:
    """Fit a point with enough components for the evaluation and for the variance rule."""
    gamma = resolve_gamma(point, X_train)
    narrow = estimator(point, gamma, n_components=n_components)
    model: KernelPCA = clone(narrow).fit(X_train)
    if model.variance_denominator_ == "trace with negative mass":
        # Only the whole spectrum tells the positive mass that a share refers to.
        model = clone(narrow).set_params(eigen_solver="dense").fit(X_train)
    if model.explained_variance_ratio_.sum() < variance_share:
        wider = clone(narrow).set_params(n_components=variance_share).fit(X_train)
        if len(wider.eigenvalues_) > len(model.eigenvalues_):
            return wider
    return model


def stored_model(entry: Arrays, split: Split) -> KernelPCA:
    """Return the fitted estimator of a stored entry."""
    model: KernelPCA = from_arrays(entry | {_TRAINING_ROWS: split.X_train})
    if isinstance(model.kernel, str) and ":" in model.kernel:
        model.set_params(kernel=import_object(model.kernel))
    return model


def components_for(share: float, ratio: np.ndarray) -> int:
    """Return how many components reach a share of the variance (all where none does).

    >>> components_for(0.9, np.array([0.6, 0.3, 0.1]))
    2
    """
    reached = np.cumsum(ratio) >= share - 1e-12
    return int(np.argmax(reached)) + 1 if reached.any() else len(ratio)


def _fit(point: Point, split: Split, n_components: int, variance_share: float) -> Arrays:
    X = split.X_train
    model = fit_point(point, X, n_components=n_components, variance_share=variance_share)
    if point.callable:  # a file holds no function: its name stands in
        model.set_params(kernel=point.callable)
    return {k: v for k, v in to_arrays(model).items() if k != _TRAINING_ROWS}
