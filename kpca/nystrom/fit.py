"""Nyström kernel PCA: ordinary PCA of centred features, in three passes over the points.

The features φ(x) = K_mm^(−½) k_m(x) of m landmarks give K̂ = ΦΦᵀ with K − K̂ positive
semidefinite, so that every error has a sign: eigenvalues and traces come out too small, and the
trace that is missing, e = tr(K − K̂), bounds by how much.

References
----------
Williams, Seeger (2001), Using the Nyström method to speed up kernel machines, NIPS 13;
Sterge, Sriperumbudur (2022), Statistical optimality and computational efficiency of Nyström
kernel PCA, Journal of Machine Learning Research 23.
"""

from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from kpca import preimage
from kpca.certificates.completeness import Completeness, Remainder, judge
from kpca.eigensolvers.auto import Choice, logger
from kpca.eigensolvers.fit import count
from kpca.eigensolvers.problem import DEFAULT_TOL
from kpca.kernels import KernelParameters
from kpca.linalg.memory import default_budget
from kpca.linalg.row_blocks import ROWS
from kpca.linalg.threads import pinned_blas
from kpca.nystrom.accuracy import Probe
from kpca.nystrom.landmarks import LandmarkFeatures, choose
from kpca.nystrom.sample import Sample, draw_sample
from kpca.nystrom.scatter import moments
from kpca.nystrom.spectrum import Axes, project
from kpca.nystrom.streaming import PRECISIONS, ArrayRows, Rows, as_blocks
from kpca.operators import Centering
from kpca.operators.sources import KernelSource, check_range
from kpca.types import Array, Floats
from kpca.validation import check_weights

# Operations from which on whitening comes after the sum, and below which share of the largest an
# eigenvalue among landmarks is rounding, before and after.
MANY = 2e9
NULL_BEFORE, NULL_AFTER = 1e-12, 2e-8

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
    if model.kernel == "precomputed" or not isinstance(model.kernel, str):
        raise ValueError(
            "eigen_solver='nystrom' needs a kernel by name, whose values it computes where it "
            "needs them: name the kernel, or use eigen_solver='krylov' for a matrix or a function."
        )
    rows, weights = _checked(model, X), None
    if sample_weight is not None:
        # While the number of points is not known, that of the weights has to do.
        weights = check_weights(sample_weight, rows.n or np.size(sample_weight))
    seed = model._seed()
    sample = draw_sample(rows, model.n_landmarks, weights, seed)
    source = _source(model, sample)
    _check_memory(model, sample, 1)
    with pinned_blas():
        centering = Centering(sample.n, bool(model.center), weights)
        _approximate(model, rows, sample, source, centering, seed)
    m = model.X_fit_.shape[0]
    how = "every point" if m == sample.n_weighted else model.landmarks
    model.solver_ = Choice("nystrom", f"asked for, {m} landmarks: {how}")
    logger.info("eigen_solver %s (n=%d)", model.solver_, sample.n)
    model.sample_weight_ = weights
    if model.fit_inverse_transform:
        preimage.learn(model, model.X_fit_, model.transform(model.X_fit_))


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


def _source(model: Any, sample: Sample) -> KernelSource:
    """Give the kernel on the points of the sample, where the median of distances is taken too."""
    model.gamma_ = model._resolve_gamma(sample.points)
    parameters = KernelParameters(model.gamma_, model.degree, model.coef0)
    source = KernelSource(sample.points, model.kernel, parameters)
    if not source.semidefinite:
        raise ValueError(
            f"eigen_solver='nystrom' needs a positive semidefinite kernel, and {model.kernel} with "
            f"{parameters} may be indefinite: use eigen_solver='krylov', or a kernel such as "
            "'rbf', or 'poly' with a whole degree and coef0 of at least 0."
        )
    check_range(source)
    return source


def _approximate(
    model: Any, rows: Rows, sample: Sample, source: KernelSource, centering: Centering, seed: int
) -> None:
    """Approximate the leading eigenpairs of K̄, and set what the model says about them."""
    points = choose(sample, model.n_landmarks, model.landmarks, source, seed)
    first = float(sample.n) * points.shape[0] ** 2 <= MANY
    kernel = KernelSource(points, source.name, source.parameters)
    features = LandmarkFeatures(kernel, NULL_BEFORE if first else NULL_AFTER)
    probe, n_threads = Probe.of(sample, source, seed + 1), model._threads()
    found = moments(rows, features, centering, points, n_threads, first)
    every, error = Axes.of(found), max(found.diagonal - found.approximated, 0.0)
    trace = float(np.trace(found.scatter))
    k = _wanted(model, sample, every.values, trace + error)
    axes, vectors, estimates, errors = project(
        rows, features, found, every.head(k), probe, centering, n_threads
    )
    model.X_fit_ = points
    model.eigenvalues_, model.eigenvectors_ = axes.values, vectors
    model.residuals_ = np.full(len(axes.values), np.nan)
    model.residual_estimates_, model.residual_estimate_errors_ = estimates, errors
    bounds = _ratio_bounds(axes.values, trace, error)
    model.explained_variance_ratio_, model.explained_variance_bounds_ = bounds[0], bounds
    model.variance_denominator_, model.lambda_min_ = "upper bound of the trace", 0.0
    model.trace_error_ = error
    model.completeness_ = _completeness(every.values, k, error, model.tol or DEFAULT_TOL)
    model.kernel_means_ = features.at_landmarks(found.mean)
    model.landmark_axes_ = features.whitening @ axes.directions
    model.landmark_mean_ = features.whitening @ found.mean
    model._n_features_out = len(axes.values)


def _wanted(model: Any, sample: Sample, values: Floats, trace: float) -> int:
    """Give how many components are kept of all eigenvalues of K̂̄; the trace is its upper bound."""
    asked, alive = model.n_components, int(np.count_nonzero(values))
    if asked is None:
        k = alive
    elif asked < 1:
        if (reached := float(values.sum()) / (trace or 1.0)) < asked:
            raise ValueError(
                f"n_components={asked:g} asks for that share of the variance, and the landmarks "
                f"hold {reached:.4g} of it for certain: raise n_landmarks, or ask for a smaller "
                "share."
            )
        k = count(values, trace, asked)
    else:
        k = min(int(asked), sample.n)
        if k > model.n_landmarks:
            raise ValueError(
                f"n_components={asked} is more than n_landmarks={model.n_landmarks} can give: "
                "raise n_landmarks, several times above the number of components."
            )
        k = min(k, alive) if model.remove_zero_eig else k
    _check_memory(model, sample, k)
    return k


def _check_memory(model: Any, sample: Sample, k: int) -> None:
    size, width = sample.points.shape
    budget = model.memory_budget or default_budget()
    landmarks = min(model.n_landmarks, size)
    check_memory(sample.n, width, landmarks, k, size, model._threads(), budget)


def _ratio_bounds(values: Floats, trace: float, error: float) -> Floats:
    """Bound λ_j(K̄)/tr(K̄) from both sides, as an array of shape (2, k).

    With t = tr(K̂̄): t ≤ tr(K̄) ≤ t + e and λ̂_j ≤ λ_j ≤ λ̂_j + tr(K̄) − t, so that the
    ratio lies between λ̂_j/(t + e) and (λ̂_j + e)/(t + e).
    """
    if trace + error <= 0:
        return np.zeros((2, len(values)))
    return np.stack([values, values + error]) / (trace + error)


def _completeness(values: Floats, k: int, error: float, tol: float) -> Completeness:
    """λ_{k+1}(K̄) ≤ λ̂_{k+1} + tr(K̄ − K̂̄) ≤ λ̂_{k+1} + e, by Weyl's inequality."""
    known = np.pad(values, (0, k + 1))  # beyond the rank they are zero
    limit = float(known[max(k, 1) - 1] + tol * known[0])
    return judge(limit, [Remainder(float(known[k]) + error, "Nyström trace")])


def check_memory(
    n: int, width: int, m: int, k: int, sample: int, n_threads: int, budget: float
) -> None:
    """Refuse a fit by landmarks that cannot be held in the budget.

    Parameters
    ----------
    n, width : int
        Training points and their columns.
    m, k : int
        Landmarks and components.
    sample : int
        Points from which landmarks are chosen.
    n_threads : int
    budget : float

    Raises
    ------
    MemoryError
        Naming the bytes needed, the bytes allowed, and what to change.
    """
    blocks = n_threads * ROWS * (3.0 * m + 4 * width)
    needed = 8 * (float(n) * k + sample * (width + m) + (5 + n_threads) * m * m + blocks)
    if needed > budget:
        raise MemoryError(
            f"{k} eigenvectors of n = {n} points by {m} landmarks need about {needed:.3g} bytes, "
            f"and memory_budget allows {budget:.3g}: raise memory_budget, or ask for fewer "
            "components or landmarks."
        )
