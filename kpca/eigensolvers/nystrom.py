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

import logging
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kpca.certificates.completeness import judge
from kpca.certificates.definiteness import ASSUMED, SEMIDEFINITE
from kpca.eigensolvers import decomposition as contract
from kpca.eigensolvers.decomposition import Decomposition, Problem, SolverChoice, signs
from kpca.linalg.resources import BLOCK_ROWS, Rows, blocks, pinned_blas
from kpca.nystrom import scatter
from kpca.nystrom.columns import REMAINDER_ROUNDING, ColumnSource, Source
from kpca.nystrom.landmarks import choose_landmarks
from kpca.nystrom.sample import Probe, Sample
from kpca.nystrom.scatter import Approximation, FeatureSums, LandmarkFeatures
from kpca.operators import Centering
from kpca.operators.sources import KernelSource, TrainingKernel, check_sizes
from kpca.types import Floats, Matrix
from kpca.validation import check_memory
from kpca.warning import warn

logger = logging.getLogger("kpca")


@dataclass(frozen=True, eq=False, kw_only=True)
class LandmarkProblem(Problem):
    """The k largest eigenpairs of one centred kernel matrix K̄, approximated by landmarks.

    `source` is the kernel on a sample of the training points, and ``asked`` at most what the
    landmarks give.
    """

    rows: Rows  # gone through two more times; nothing of the points is kept but the landmarks
    sample: Sample
    n_landmarks: int
    landmarks: str | Matrix  # a key of `LANDMARKS`, or the landmarks themselves


def fit_landmarks(problem: LandmarkProblem) -> Decomposition:
    """Approximate the leading eigenpairs of K̄.

    Raises
    ------
    ValueError
        For a kernel that is not positive semidefinite for certain, or more components than
        landmarks can give.
    MemoryError
        If the eigenvectors do not fit into the memory budget.
    """
    source = _checked(problem)
    _check_memory(problem, 1)
    with pinned_blas():
        points = _chosen(problem, source)
        source = source.with_samples(points)
        found = scatter.approximate(problem.rows, source, problem.centering, problem.n_threads)
        pairs = _leading_pairs(problem, source, found, points, whole=True)
    logger.info("eigen_solver %s (n=%d)", pairs.choice, problem.n)
    return pairs


def first_landmarks(problem: LandmarkProblem) -> Matrix:
    """Choose the landmarks as `fit_landmarks` does, and refuse the same kernels."""
    source = _checked(problem)
    with pinned_blas():
        return _chosen(problem, source)


def _chosen(problem: LandmarkProblem, source: Source) -> Matrix:
    sample, how = problem.sample, problem.landmarks
    return choose_landmarks(sample, problem.n_landmarks, how, source, problem.seed)


def fit_sums(
    problem: LandmarkProblem, sums: FeatureSums | None, merged: bool = False
) -> tuple[Decomposition, FeatureSums]:
    """Approximate the leading eigenpairs by sums over points, and return these sums.

    The `source` of the problem is the kernel on the landmarks. Unless `sums` were `merged` already,
    those over the rows of the problem are added to them. There are no eigenvectors.
    """
    center, source = problem.centering.center, problem.source
    with pinned_blas():
        features = LandmarkFeatures(source)
        if sums is None or not merged:
            new = scatter.feature_sums(problem.rows, features, problem.centering, problem.n_threads)
            sums = new if sums is None else sums + new
        found = scatter.approximation(sums, features, center)
        problem = replace(problem, centering=Centering(sums.n, center))
        return _leading_pairs(problem, source, found, source.X), sums


def _checked(problem: LandmarkProblem) -> Source:
    """Return the kernel on the sample, refusing those that are not semidefinite, or too large."""
    source, weights = _semidefinite(problem.source), problem.centering.weights
    heaviest = 1.0 if weights is None else float(weights.max())
    check_sizes(source.abs_diagonal(), problem.sample.index, heaviest)
    return source


def _semidefinite(source: TrainingKernel | ColumnSource) -> Source:
    if isinstance(source, ColumnSource) or (
        isinstance(source, KernelSource) and source.semidefinite
    ):
        return source
    raise ValueError(
        "LandmarkKernelPCA needs a kernel by name that is positive semidefinite for certain, or "
        "columns of its matrix (kernel='precomputed' with kpca.KernelColumns), not "
        f"{source.name}: use KernelPCA, or a kernel such as 'rbf', or 'poly' with an integer "
        "degree and coef0 of at least 0."
    )


def _leading_pairs(
    problem: LandmarkProblem,
    source: Any,
    found: Approximation,
    points: Matrix,
    whole: bool = False,
) -> Decomposition:
    """Return the pairs that are asked for, by landmarks `points`.

    Eigenvectors need the `whole` of the points, which are gone through again.
    """
    centering = problem.centering
    precomputed = isinstance(source, ColumnSource)
    features, moments, hidden = found.axes.features, found.moments, found.rounding
    if precomputed:
        _check_semidefinite(features, problem.n, REMAINDER_ROUNDING[source.precision])
    trace, error = found.trace, found.trace_error
    k = _wanted(problem, found.axes.values, trace + error)
    if whole:
        _check_memory(problem, k)
    axes = found.axes.head(k)
    largest = float(found.axes.head(1).values[0])
    unit = largest or moments.sums.diagonal or 1.0
    estimates = errors = np.full(k, np.nan)
    if whole:
        probe = None  # of columns no more than the landmarks is read
        if not precomputed:
            probe = Probe.of(problem.sample, source, problem.seed + 1, axes.suspected)
        vectors, products = scatter.eigenvectors(
            problem.rows, axes, centering, problem.n_threads, probe
        )
        if probe is not None:
            tried = axes.scores(probe.points)
            estimates, errors = probe.estimate(products, tried, axes.values, centering)
        sign = worker_signs(vectors) if problem.rows.on_workers else signs(vectors, centering)
    else:
        vectors, sign = np.empty((0, k)), signs(axes.scores(points), centering)
    if hidden > largest and trace + error > 0:
        warn(
            f"Rounding may hide a variance of {hidden:.1e}, and the largest eigenvalue is "
            f"{largest:.1e}. Centring leaves little of the kernel values: subtract the means of "
            "the columns, change the parameters of the kernel, or use KernelPCA.",
            contract.ToleranceWarning,
        )
    limit = float(found.axes.head(max(k, 1)).values[-1]) + problem.tol * largest
    chosen = problem.landmarks if isinstance(problem.landmarks, str) else "given"
    chosen = "every point" if points.shape[0] == problem.sample.n_weighted else chosen
    method = "Nyström trace" + ", if K is positive semidefinite" * precomputed
    attributes = {
        "X_fit_": points,
        "landmark_axes_": axes.coefficients * sign,
        "landmark_mean_": features.whitening @ moments.mean,
        "trace_error_": error,
        "residual_estimates_": estimates / unit,
        "residual_estimate_errors_": errors / unit,
        "explained_variance_bounds_": _ratio_bounds(axes.values, trace, error, hidden),
    }
    if precomputed:
        attributes |= {"X_fit_": features.K, "landmark_indices_": points[:, 0]}
    return Decomposition(
        axes.values,
        vectors * sign,
        np.full(k, np.nan),
        unit,
        problem.tol,
        judge(limit, [found.remainder(k, method)]),
        SolverChoice("nystrom", f"{points.shape[0]} landmarks ({chosen})"),
        features.at_landmarks(moments.mean),
        ASSUMED if precomputed else SEMIDEFINITE,
        trace + error,
        "upper bound of the trace",
        error + hidden + scatter.vector_rounding(found, axes),
        attributes=attributes,
    )


def worker_signs(vectors: Any) -> Floats:
    """Return the `signs` of eigenvectors that are a Dask array."""
    moduli, every = abs(vectors), np.arange(vectors.shape[1])
    first = (moduli >= (1 - contract.TIE) * moduli.max(axis=0).compute()).argmax(axis=0).compute()
    return np.where(vectors.vindex[first, every].compute() < 0, -1.0, 1.0)


def _check_semidefinite(features: LandmarkFeatures, n: int, rounding: float) -> None:
    """Refuse a matrix of which what was read shows that it is not positive semidefinite."""
    rows = np.arange(n)[:, None]
    least = min(float(features.remainder(rows[part]).min()) for part in blocks(n, BLOCK_ROWS))
    size = max(float(abs(features.kernel.diagonal(rows)).max()), np.finfo(np.float64).tiny)
    if least < -rounding * size:
        raise ValueError(
            "The kernel matrix is not positive semidefinite: of its diagonal, of up to "
            f"{size:.3g}, the landmarks leave {least:.3g}. Landmarks need a positive semidefinite "
            "matrix: use KernelPCA, which reads all of it."
        )


def _wanted(problem: LandmarkProblem, values: Floats, trace: float) -> int:
    """Return how many components are kept of all eigenvalues of K̂̄; the trace is its upper bound."""
    asked, alive = problem.asked, int(np.count_nonzero(values))
    if asked is None:
        k = alive
    elif asked < 1:
        if (reached := float(values.sum()) / (trace or 1.0)) < asked:
            raise ValueError(
                f"n_components={asked:g} asks for that fraction of the variance, and the landmarks "
                f"keep {reached:.4g} for certain: raise n_landmarks, or ask for a smaller "
                "fraction."
            )
        k = contract.count(values, trace, asked)
    else:
        k = min(int(asked), problem.n)
        if k > problem.n_landmarks:
            raise ValueError(
                f"n_components={asked} is more than n_landmarks={problem.n_landmarks} can give: "
                "raise n_landmarks, several times above the number of components."
            )
        k = min(k, alive) if problem.drop_zero else k
    return k


def _check_memory(problem: LandmarkProblem, k: int) -> None:
    """Refuse a fit of k components that the budget does not hold, and say what to change."""
    n, m = problem.n, min(problem.n_landmarks, problem.source.n)
    what = f"{k} eigenvectors of n = {n} points by {m} landmarks need"
    remedy = "raise memory_budget, or ask for fewer components or landmarks"
    check_memory(what, _memory(problem, k), problem.budget, remedy)


def _memory(problem: LandmarkProblem, k: int) -> float:
    """Estimate the bytes of the sample and of what comes after it: pivots, moments or vectors."""
    n, n_threads = 0.0 if problem.rows.on_workers else float(problem.n), problem.n_threads
    size, width = problem.source.X.shape
    m = min(problem.n_landmarks, size)
    rows = n_threads * min(n, BLOCK_ROWS)
    pivots = 0.0
    if isinstance(how := problem.landmarks, str) and how == "rpcholesky" and m < size:
        pivots = size * (1.4 * m + 0.3 * width + 64)
    moments = rows * (2 * m + 2.5 * width) + (4 + n_threads) * m * m
    signing = 3.5 * min(n * k, max(contract.SCORES, n))
    vectors = n * (1.08 * k + 1) + max(signing, rows * (m + 2.5 * width)) + 6.3 * m * m
    if isinstance(problem.source, ColumnSource):
        vectors += 3 * n * m  # the columns as they are read, put together, and their factor
    return 8 * (size * (width + 4.0) + max(pivots, moments, vectors))


def _ratio_bounds(values: Floats, trace: float, error: float, hidden: float) -> Floats:
    """Bound λ_j(K̄)/tr(K̄) from both sides, as an array of shape (2, k).

    With t = tr(K̂̄): t ≤ tr(K̄) ≤ t + e and λ̂_j ≤ λ_j ≤ λ̂_j + tr(K̄) − t, so that the
    ratio lies between λ̂_j/(t + e) and (λ̂_j + e)/(t + e), but for what rounding may have `hidden`
    in each of them.
    """
    if trace + error <= 0:
        return np.zeros((2, len(values)))
    most = trace + error + hidden
    low, high = values - hidden, values + error + 2 * hidden
    return np.clip(np.stack([low, high]) / most, 0, 1)
