"""Fits of the sweep, and how they are stored."""

import numpy as np
from sklearn.base import clone

from kpca.kernel_pca import KernelPCA
from kpca.persistence import from_arrays, to_arrays
from pipeline.datasets.dataset import Split
from pipeline.grid import Point
from pipeline.kernels import estimator, import_object, resolve_gamma
from pipeline.store import Arrays

_TRAINING_ROWS = "X_fit_"  # stand in the dataset already


def fit_arrays(
    point: Point, X_train: np.ndarray, *, n_components: int, variance_share: float
) -> Arrays:
    """Fit a point, as `fit_point` does, and return what is stored: all but the training rows."""
    model = fit_point(point, X_train, n_components=n_components, variance_share=variance_share)
    if point.callable:  # a file holds no function: its name stands in
        model.set_params(kernel=point.callable)
    return {name: array for name, array in to_arrays(model).items() if name != _TRAINING_ROWS}


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
    """Return how many components reach a fraction of the variance (all if none does).

    >>> components_for(0.9, np.array([0.6, 0.3, 0.1]))
    2
    """
    reached = np.cumsum(ratio) >= share - 1e-12
    return int(np.argmax(reached)) + 1 if reached.any() else len(ratio)
