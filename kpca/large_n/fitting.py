"""From the parameters of an estimator and its points to the attributes of a model of landmarks."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from kpca import memory, preimage
from kpca.bandwidth import median_gamma
from kpca.fitting import count
from kpca.gram import Centering
from kpca.kernels import KernelParameters
from kpca.large_n.rows import PRECISIONS, ArrayRows, Rows, as_blocks
from kpca.large_n.sample import Sample, draw_sample
from kpca.solvers import nystrom
from kpca.solvers.auto import Choice, logger
from kpca.solvers.base import DEFAULT_TOL
from kpca.solvers.registry import check_range
from kpca.source import KernelSource
from kpca.types import Array, Floats
from kpca.weights import check_weights

# What only a model of landmarks has.
LANDMARK_ARRAYS = (
    "landmark_axes_",
    "landmark_mean_",
    "trace_error_",
    "residual_estimates_",
    "residual_estimate_errors_",
    "explained_variance_bounds_",
)


def fit_landmarks(model: Any, X: Any, sample_weight: Array | None) -> None:
    """Fit a `kpca.KernelPCA` with ``eigen_solver="nystrom"``: set its attributes.

    Parameters
    ----------
    model : KernelPCA
    X : array of shape (n, d), memory-mapped array, or blocks of rows
        Gone through three times; nothing of it is kept but the landmarks.
    sample_weight : array of shape (n,), optional

    Raises
    ------
    ValueError
        For a kernel that is not positive semidefinite for certain, or more components than
        landmarks can give.
    MemoryError
        If the eigenvectors do not fit into the memory budget.
    """
    name = nystrom.check_kernel(model.kernel)
    rows = _checked(model, X)
    weights = None
    if sample_weight is not None:
        weights = check_weights(sample_weight, _length(rows, sample_weight))
    seed = model._seed()
    sample = draw_sample(rows, model.n_landmarks, weights, seed)
    model.gamma_ = _gamma(model, sample)
    parameters = KernelParameters(model.gamma_, model.degree, model.coef0)
    nystrom.check_semidefinite(name, parameters)
    source = KernelSource(sample.points, name, parameters)
    check_range(source)
    _check_memory(model, sample, 1)
    found = nystrom.fit(
        rows,
        sample,
        source,
        Centering(sample.n, bool(model.center), weights),
        n_landmarks=model.n_landmarks,
        how=model.landmarks,
        wanted=_wanted(model, sample),
        tol=model.tol or DEFAULT_TOL,
        seed=seed,
        n_threads=model._threads(),
    )
    _set(model, found, sample, weights)
    if model.fit_inverse_transform:
        learned = preimage.method(model.preimage)
        learned.fit(model, model.X_fit_, model.transform(model.X_fit_))


def landmark_scores(model: Any, X: Any) -> Array:
    """Give the scores of the training points of a fitted model of landmarks, of shape (n, k).

    Those of points without weight are not in its eigenvectors.
    """
    weights = model.sample_weight_
    if weights is None or weights.all():
        scores: Array = model._training_scores()
        return scores
    rows = as_blocks(X) or ArrayRows(model._check_new(X))
    return np.concatenate([model.transform(chunk) for _, chunk in rows.chunks()])


def _checked(model: Any, X: Any) -> Rows:
    """Give the points in passes, and their columns to the estimator."""
    blocks = as_blocks(X)
    if blocks is None:
        return ArrayRows(validate_data(model, X, accept_sparse="csr", copy=False, dtype=PRECISIONS))
    validate_data(model, blocks.first(), skip_check_array=True)
    return blocks


def _length(rows: Rows, weights: Array) -> int:
    """Give the number of points, or while that is not known the number of weights."""
    return rows.length() if isinstance(rows, ArrayRows) else np.size(weights)


def _gamma(model: Any, sample: Sample) -> float:
    """Give γ; the median of distances is that of the sample."""
    if model.gamma is None:
        return 1 / sample.points.shape[1]
    if model.gamma != "median":
        return float(model.gamma)
    return median_gamma(sample.points, model.kernel)


def _wanted(model: Any, sample: Sample) -> Callable[[Floats, float], int]:
    """Give how many components are kept, once the eigenvalues are known."""

    def wanted(values: Floats, trace: float) -> int:
        asked, alive = model.n_components, int(np.count_nonzero(values))
        if asked is None:
            k = alive
        elif asked < 1:
            k = _for_share(values, trace, asked)
        else:
            k = _for_number(int(asked), model.n_landmarks, sample.n)
            k = min(k, alive) if model.remove_zero_eig else k
        _check_memory(model, sample, k)
        return k

    return wanted


def _for_share(values: Floats, trace: float, share: float) -> int:
    if (reached := float(values.sum()) / (trace or 1.0)) < share:
        raise ValueError(
            f"n_components={share:g} asks for that share of the variance, and the landmarks hold "
            f"{reached:.4g} of it for certain: raise n_landmarks, or ask for a smaller share."
        )
    return count(values, trace, share)


def _for_number(asked: int, landmarks: int, n: int) -> int:
    k = min(asked, n)
    if k > min(landmarks, n):
        raise ValueError(
            f"n_components={asked} is more than n_landmarks={landmarks} can give: raise "
            "n_landmarks, several times above the number of components."
        )
    return k


def _check_memory(model: Any, sample: Sample, k: int) -> None:
    size, width = sample.points.shape
    budget = model.memory_budget or memory.default_budget()
    landmarks = min(model.n_landmarks, size)
    memory.check_landmarks(sample.n, width, landmarks, k, size, model._threads(), budget)


def _set(model: Any, found: nystrom.NystromFit, sample: Sample, weights: Floats | None) -> None:
    spectrum, bounds = found.spectrum, found.ratio_bounds()
    model.X_fit_, model.sample_weight_ = found.landmarks, weights
    model.eigenvalues_, model.eigenvectors_ = spectrum.axes.values, spectrum.vectors
    model.residuals_ = np.full(len(spectrum.axes.values), np.nan)
    model.residual_estimates_ = spectrum.estimates
    model.residual_estimate_errors_ = spectrum.errors
    model.explained_variance_ratio_, model.explained_variance_bounds_ = bounds[0], bounds
    model.variance_denominator_, model.lambda_min_ = "upper bound of the trace", 0.0
    model.trace_error_ = found.trace_error
    model.completeness_ = found.completeness
    model.kernel_means_ = found.kernel_means
    model.landmark_axes_, model.landmark_mean_ = found.coefficients, found.mean
    model.solver_ = _choice(model, found.landmarks.shape[0], sample)
    model._n_features_out = len(spectrum.axes.values)


def _choice(model: Any, m: int, sample: Sample) -> Choice:
    how = "every point" if m == sample.n_weighted else model.landmarks
    choice = Choice("nystrom", f"asked for, {m} landmarks: {how}")
    logger.info("eigen_solver %s (n=%d)", choice, sample.n)
    return choice
