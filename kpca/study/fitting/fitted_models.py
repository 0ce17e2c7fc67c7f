"""Make the estimator of a `Point` (a setting), fit it, and convert the fit to arrays and back."""

from pkgutil import resolve_name
from typing import Any

import numpy as np
from sklearn.base import clone

from kpca.folds import Folds, sides
from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from kpca.kernels.registry import KERNELS
from kpca.operators.sources import CallableSource
from kpca.persistence import from_arrays, to_arrays
from kpca.reading.errors import input_error
from kpca.study.fitting.grid import AXES, BANDWIDTHS, Point
from kpca.study.store import Arrays

_TRAINING_ROWS = "X_fit_"  # array that is not stored with a fit, because the dataset has it


def resolve_gamma(point: Point, X_train: np.ndarray) -> float | None:
    """Return γ of a point for training rows; None (γ = 1/d) if the point sets no bandwidth.

    ``gamma`` is γ itself, and ``sigma`` gives γ = 1/(2σ²). ``median`` is a multiple of the median
    heuristic. ``scale`` is a multiple of 1/(d Var X), which makes polynomial and sigmoid kernels
    independent of the units.
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
    """Return the unfitted kernel PCA of a point; negative eigenvalues of the kernel are clipped.

    Raises
    ------
    ValueError
        If the kernel ignores one of the parameters, so that the grid would repeat one fit.
    """
    if point.callable:
        options |= {"kernel": import_object(point.callable), "kernel_params": point.parameters}
    else:
        _check_axes(point)
        options |= {n: v for n, v in point.parameters.items() if n not in BANDWIDTHS}
        options["kernel"] = point.kernel
    fixed: dict[str, Any] = {"remove_zero_eig": True, "indefinite": "clip", "random_state": 0}
    return KernelPCA(gamma=gamma, **fixed, **options)


def _check_axes(point: Point) -> None:
    read = KERNELS[point.kernel].uses if point.kernel in KERNELS else ()
    axes = point.parameters
    ignored = [axis for axis in axes if axis not in AXES or AXES[axis].parameter not in read]
    if ignored:
        raise ValueError(
            f"{', '.join(ignored)} of the grid of {point.kernel}: the kernel reads "
            f"{', '.join(read) or 'no parameter'}. Leave the axis out, or add the name to `uses` "
            "of the kernel's record."
        )


def arguments(point: Point, X_train: np.ndarray) -> dict[str, Any]:
    """Return the parameters that the kernel of a point reads, with their values for training rows.

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
    """Return the object at a path ``package.module:name``, or raise `InputError`."""
    try:
        return resolve_name(path)
    except (ImportError, AttributeError, SyntaxError) as error:
        remedy = "check the spelling, and that it is installed or in the folder of the Snakefile"
        raise input_error(f"`{path}` of the configuration", [f"{error}: {remedy}"]) from error


def fit_arrays(
    point: Point, X_train: np.ndarray, *, n_components: int, variance_share: float
) -> Arrays:
    """Fit a point with enough components for evaluation and variance rule, and return its arrays.

    The arrays are those of `kpca.persistence.to_arrays`, without the training rows.
    """
    gamma = resolve_gamma(point, X_train)
    narrow = estimator(point, gamma, n_components=n_components)
    model: KernelPCA = clone(narrow).fit(X_train)
    if model.variance_denominator_ == "trace with negative mass":
        # Ratios are relative to the sum of positive eigenvalues, which needs the whole spectrum.
        model = clone(narrow).set_params(eigen_solver="dense").fit(X_train)
    if model.explained_variance_ratio_.sum() < variance_share:
        wider = clone(narrow).set_params(n_components=variance_share).fit(X_train)
        if len(wider.eigenvalues_) > len(model.eigenvalues_):
            model = wider
    if point.callable:  # A file cannot hold a function, so its path is stored.
        model.set_params(kernel=point.callable)
    return {name: array for name, array in to_arrays(model).items() if name != _TRAINING_ROWS}


def stored_model(entry: Arrays, X_train: np.ndarray) -> KernelPCA:
    """Return the fitted estimator from the stored arrays of a fit and its training rows."""
    model: KernelPCA = from_arrays(entry | {_TRAINING_ROWS: X_train})
    if isinstance(model.kernel, str) and ":" in model.kernel:
        model.set_params(kernel=import_object(model.kernel))
    return model


def fold_scores(
    point: Point, X: np.ndarray, folds: Folds, *, n_components: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the training and held-out scores of every fold, with one γ for all folds."""
    model = estimator(point, resolve_gamma(point, X), n_components=n_components)
    rows = X
    if callable(model.kernel):
        # A custom kernel is slow: its matrix is computed once for all folds.
        rows = CallableSource(X, model.kernel, model.kernel_params or {}).full().K
        model.set_params(kernel="precomputed")
    scores = []
    for fold in folds:
        inner, outer = sides(str(model.kernel), rows, *fold)
        model.fit(inner)
        scores.append((training_scores(model), model.transform(outer)))
    return scores


def training_scores(model: Any) -> np.ndarray:
    """Return the eigenvectors times √λ, which are the scores of the training rows."""
    return model.eigenvectors_ * np.sqrt(model.eigenvalues_)


def components_for(share: float, ratio: np.ndarray) -> int:
    """Return how many components reach the fraction ``share`` of the variance, or all if none do.

    >>> [components_for(share, np.array([0.6, 0.3, 0.09])) for share in (0.6, 0.61, 0.9, 0.999)]
    [1, 2, 2, 3]
    """
    reached = np.cumsum(ratio) >= share - 1e-12
    return int(np.argmax(reached)) + 1 if reached.any() else len(ratio)
