"""Estimators of settings, and their fits as they are stored."""

from pkgutil import resolve_name
from typing import Any

import numpy as np
from sklearn.base import clone

from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS
from kpca.kernels.bandwidth import median_gamma
from kpca.persistence import from_arrays, to_arrays
from pipeline.datasets.dataset import Split
from pipeline.errors import input_error
from pipeline.grid import BANDWIDTHS, Point
from pipeline.store import Arrays

SHARE = 0.9
"""Of the variance in feature space that a model of ordinary rows keeps."""

MOST_ROWS = 1000
"""Of more rows such a model is fitted to a sample: it takes eigenvectors of all its rows."""

_TRAINING_ROWS = "X_fit_"  # stand in the dataset already


def resolve_gamma(point: Point, X_train: np.ndarray) -> float | None:
    """Return γ of a point on these training rows.

    ``gamma`` is γ itself, ``sigma`` gives 1/(2σ²), ``median`` m / median distance, and
    ``scale`` m / (d Var X), scikit-learn's ``gamma="scale"`` times m, which makes
    polynomial and sigmoid kernels independent of the units. None, which means 1/d, where
    the point names nothing.
    """
    match {name: float(point.parameters[name]) for name in BANDWIDTHS if name in point.parameters}:
        case {"gamma": gamma}:
            return gamma
        case {"sigma": sigma}:
            return 1 / (2 * sigma**2)
        case {"median": multiple}:
            return multiple * median_gamma(X_train, kernel=point.kernel, seed=0)
        case {"scale": multiple}:
            return multiple / (X_train.shape[1] * float(X_train.var()))
    return None


def estimator(point: Point, gamma: float | None, **options: Any) -> KernelPCA:
    """Return the unfitted kernel PCA of a point.

    Indefinite kernels keep their positive part (``indefinite="clip"``): in a sweep
    one sigmoid kernel must not stop the others, and `lambda_min_` tells.
    """
    if point.callable:
        options |= {"kernel": import_object(point.callable), "kernel_params": point.parameters}
    else:
        options |= {n: v for n, v in point.parameters.items() if n in ("degree", "coef0")}
        options["kernel"] = point.kernel
    fixed: dict[str, Any] = {"remove_zero_eig": True, "indefinite": "clip", "random_state": 0}
    return KernelPCA(gamma=gamma, **fixed, **options)


def arguments(point: Point, X_train: np.ndarray) -> dict[str, Any]:
    """Return the values of those parameters that the kernel of a point reads on these rows.

    >>> arguments(Point("poly", {"degree": 2}), np.eye(4))
    {'gamma': 0.25, 'degree': 2, 'coef0': 1}
    """
    if point.callable:
        return dict(point.parameters)
    model = estimator(point, resolve_gamma(point, X_train))
    uses = KERNELS[point.kernel].uses if point.kernel in KERNELS else ()
    values = {name: getattr(model, name) for name in uses}
    return {n: 1 / X_train.shape[1] if value is None else value for n, value in values.items()}


def import_object(path: str) -> Any:
    """Return what ``package.module:name`` names.

    Raises
    ------
    InputError
        If the module or the name does not exist, or the module is no Python.
    """
    try:
        return resolve_name(path)
    except (ImportError, AttributeError, SyntaxError) as error:
        remedy = "check the spelling, and that it is installed or in the folder of the Snakefile"
        raise input_error(f"`{path}` of the configuration", [f"{error}: {remedy}"]) from error


def gaussian(n_components: float = SHARE) -> KernelPCA:
    """Return kernel PCA, not fitted, with the Gaussian kernel at the median heuristic of its rows.

    The number of components may be a fraction of the variance.
    """
    options: dict[str, Any] = {"preimage": "fixed_point", "random_state": 0}
    return KernelPCA(n_components, kernel="rbf", gamma="median", remove_zero_eig=True, **options)


def fit_arrays(
    point: Point, X_train: np.ndarray, *, n_components: int, variance_share: float
) -> Arrays:
    """Fit a point, and return what is stored: all but the training rows.

    The fit has enough components for the evaluation and for the variance rule.
    """
    gamma = resolve_gamma(point, X_train)
    narrow = estimator(point, gamma, n_components=n_components)
    model: KernelPCA = clone(narrow).fit(X_train)
    if model.variance_denominator_ == "trace with negative mass":
        # Only the whole spectrum tells the positive mass that a share refers to.
        model = clone(narrow).set_params(eigen_solver="dense").fit(X_train)
    if model.explained_variance_ratio_.sum() < variance_share:
        wider = clone(narrow).set_params(n_components=variance_share).fit(X_train)
        if len(wider.eigenvalues_) > len(model.eigenvalues_):
            model = wider
    if point.callable:  # a file holds no function: its name stands in
        model.set_params(kernel=point.callable)
    return {name: array for name, array in to_arrays(model).items() if name != _TRAINING_ROWS}


def stored_model(entry: Arrays, split: Split) -> KernelPCA:
    """Return the fitted estimator of a stored entry."""
    model: KernelPCA = from_arrays(entry | {_TRAINING_ROWS: split.X_train})
    if isinstance(model.kernel, str) and ":" in model.kernel:
        model.set_params(kernel=import_object(model.kernel))
    return model


def training_scores(model: Any) -> np.ndarray:
    """Return a √λ, the scores of the training rows without evaluating the kernel again."""
    return model.eigenvectors_ * np.sqrt(model.eigenvalues_)


def components_for(share: float, ratio: np.ndarray) -> int:
    """Return how many components reach a fraction of the variance (all if none does).

    >>> components_for(0.9, np.array([0.6, 0.3, 0.1]))
    2
    """
    reached = np.cumsum(ratio) >= share - 1e-12
    return int(np.argmax(reached)) + 1 if reached.any() else len(ratio)
