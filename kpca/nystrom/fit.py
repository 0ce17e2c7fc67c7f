"""Nyström kernel PCA: ordinary PCA of centred features, in three passes over the points.

The features φ(x) = K_mm^(−½) k_m(x) of m landmarks give K̂ = ΦΦᵀ with a positive semidefinite
K − K̂. Therefore eigenvalues and traces are never too large, and the missing trace e = tr(K − K̂)
bounds their errors.

References
----------
Williams, Seeger (2001), Using the Nyström method to speed up kernel machines, NIPS 13;
Sterge, Sriperumbudur (2022), Statistical optimality and computational efficiency of Nyström
kernel PCA, Journal of Machine Learning Research 23.
"""

import logging
from dataclasses import dataclass
from typing import Any

import numpy as np

from kpca.certificates import decomposition as contract
from kpca.certificates.completeness import judge
from kpca.certificates.decomposition import Decomposition, Problem, SolverChoice, signs
from kpca.certificates.definiteness import ASSUMED, NEGATIVE, SEMIDEFINITE
from kpca.linalg.resources import BLOCK_ROWS, Rows, blocks, pinned_blas
from kpca.nystrom import scatter
from kpca.nystrom.columns import ColumnSource
from kpca.nystrom.sample import MAX_SAMPLE, Sample
from kpca.nystrom.scatter import Approximation, FeatureSums, LandmarkFeatures
from kpca.operators.grams import Centering
from kpca.operators.sources import KernelSource, check_sizes
from kpca.types import TINY, Floats
from kpca.validation import check_memory, warn

logger = logging.getLogger("kpca")


@dataclass(frozen=True, eq=False, kw_only=True)
class LandmarkProblem(Problem):
    """The k largest eigenpairs of one centred kernel matrix K̄, approximated by landmarks.

    `source` is the kernel on the landmarks. ``requested`` must not exceed the number of components,
    or the fraction of the variance, that the landmarks give.
    """

    rows: Rows | None  # training points, read twice; None if all sums over points are given
    n_landmarks: int  # requested number of landmarks; a sample may have fewer
    chosen: str  # how the landmarks were chosen
    with_vectors: bool  # whether eigenvectors of all points are computed


def fit_landmarks(
    problem: LandmarkProblem, sums: FeatureSums | None = None
) -> tuple[Decomposition, FeatureSums]:
    """Return approximate leading eigenpairs of K̄, and the sums over points that determine them.

    `sums` over earlier points are added to the sums over the rows of the problem.

    Raises
    ------
    ValueError
        If more components are requested than landmarks can give.
    MemoryError
        If the eigenvectors do not fit into the memory budget.
    """
    centering = problem.centering
    with pinned_blas():
        features = LandmarkFeatures(problem.source)
        if problem.rows is not None:
            new = scatter.feature_sums(problem.rows, features, centering, problem.n_threads)
            sums = new if sums is None else sums + new
        assert sums is not None  # Without rows, the caller passes sums of merged models.
        approximation = scatter.approximation(sums, features, centering.center)
        pairs = _leading_pairs(problem, approximation)
    logger.info("eigen_solver %s (n=%d)", pairs.choice, sums.n)
    return pairs, sums


def check_kernel(source: Any, sample: Sample, weights: Floats | None) -> None:
    """Raise an error unless the kernel on a sample is known to be positive semidefinite.

    Raises
    ------
    ValueError
        If the kernel is not known to be positive semidefinite, or if kernel values overflow when
        they are multiplied by the largest of the `weights`.
    """
    is_named = isinstance(source, KernelSource) and source.semidefinite
    if not isinstance(source, ColumnSource) and not is_named:
        raise ValueError(
            "LandmarkKernelPCA needs a kernel by name that is positive semidefinite for certain, "
            "or columns of its matrix (kernel='precomputed' with kpca.KernelColumns), not "
            f"{source.name}: use KernelPCA, or a kernel such as 'rbf', or 'poly' with an integer "
            "degree and coef0 of at least 0."
        )
    check_sizes(source.diagonal(source.X), sample.index, weights)


def _leading_pairs(problem: LandmarkProblem, found: Approximation) -> Decomposition:
    """Return the requested eigenpairs of the approximation `found`."""
    source = problem.source
    centering = problem.centering
    precomputed = isinstance(source, ColumnSource)
    features = found.features
    hidden = found.rounding
    if precomputed:
        _check_semidefinite(features, problem.n, NEGATIVE[source.precision])
    trace = found.trace
    error = found.trace_error
    k = _wanted(problem, found, trace + error)
    axes = found.axes.head(k)
    largest = found.axes.values[0]
    if problem.with_vectors and problem.rows is not None:
        _check_memory(problem, k)
        vectors = scatter.eigenvectors(problem.rows, axes, centering, problem.n_threads)
        sign = signs(vectors, centering)
    else:
        vectors = np.empty((0, k))
        sign = signs(axes.scores(source.X), Centering(source.n))
    if hidden > largest and trace + error > 0:
        warn(
            f"Rounding may hide a variance of {hidden:.1e}, and the largest eigenvalue is "
            f"{largest:.1e}. Centring leaves little of the kernel values: subtract the means of "
            "the columns, change the parameters of the kernel, or use KernelPCA.",
            contract.ToleranceWarning,
        )
    limit = found.axes.head(max(k, 1)).values[-1] + problem.tol * largest
    method = "Nyström trace" + ", if K is positive semidefinite" * precomputed
    attributes = {
        "X_fit_": source.X,
        "landmark_axes_": features.whitening @ axes.directions * sign,
        "landmark_mean_": features.whitening @ found.mean,
        "trace_error_": error,
        "explained_variance_bounds_": _ratio_bounds(axes.values, trace, error, hidden),
    }
    if precomputed:
        attributes |= {"X_fit_": features.K, "landmark_indices_": source.X[:, 0]}
    return Decomposition(
        axes.values,
        vectors * sign,
        np.full(k, np.nan),
        largest or found.sums.diagonal or 1.0,
        problem.tol,
        judge(limit, [found.remainder(k, method)]),
        SolverChoice("nystrom", f"{source.n} landmarks ({problem.chosen})"),
        features.at_landmarks(found.mean),
        ASSUMED if precomputed else SEMIDEFINITE,
        trace + error,
        "upper bound of the trace",
        error + hidden + found.vector_rounding(axes),
        attributes=attributes,
    )


def _check_semidefinite(features: LandmarkFeatures, n: int, rounding: float) -> None:
    """Raise an error if the columns and the diagonal show that the matrix is not semidefinite."""
    rows = np.arange(n)[:, None]
    least = min(features.remainder(rows[part]).min() for part in blocks(n, BLOCK_ROWS))
    size = max(abs(features.kernel.diagonal(rows)).max(), TINY)
    if least < -rounding * size:
        raise ValueError(
            "The kernel matrix is not positive semidefinite: of its diagonal, of up to "
            f"{size:.3g}, the landmarks leave {least:.3g}. Landmarks need a positive semidefinite "
            "matrix: use KernelPCA, which reads all of it."
        )


def _wanted(problem: LandmarkProblem, found: Approximation, trace: float) -> int:
    """Return how many components are kept; `trace` is an upper bound on the trace of K̄."""
    n_components = problem.requested
    values = found.axes.values
    alive = int(np.count_nonzero(values))
    if n_components is None:
        k = alive
    elif n_components < 1:
        reached = values.sum() / (trace or 1.0)
        if reached < n_components:
            raise ValueError(
                f"n_components={n_components:g} asks for that fraction of the variance, and the "
                f"landmarks keep {reached:.4g} for certain: raise n_landmarks, or ask for a "
                "smaller fraction."
            )
        k = contract.count(values, trace, n_components)
    else:
        k = min(int(n_components), found.sums.n)
        if k > problem.n_landmarks:
            raise ValueError(
                f"n_components={n_components} is more than n_landmarks={problem.n_landmarks} can "
                "give: raise n_landmarks, several times above the number of components."
            )
        k = min(k, alive) if problem.drop_zero else k
    return k


def _check_memory(problem: LandmarkProblem, k: int) -> None:
    """Raise an error, which says what to change, if a fit of k components exceeds the budget."""
    n, (m, d) = problem.n, problem.source.X.shape
    columns = 3 * n * m if isinstance(problem.source, ColumnSource) else 0.0
    rows = problem.n_threads * min(n, BLOCK_ROWS)
    drawn = min(n, MAX_SAMPLE)
    pivots = (1.6 * m + 64) * drawn if problem.chosen == "rpcholesky" else 0.0
    vectors = 4.5 * n * k + rows * (2 * m + 2.5 * d) + 10 * m**2
    needed = 8 * (columns + max(pivots, vectors) + drawn * d)
    subject = f"{k} eigenvectors of n = {n} points by {m} landmarks need"
    remedy = "raise memory_budget, or ask for fewer components or landmarks"
    check_memory(subject, needed, problem.budget, remedy)


def _ratio_bounds(values: Floats, trace: float, error: float, hidden: float) -> Floats:
    """Return lower and upper bounds on λ_j(K̄)/tr(K̄), as an array of shape (2, k).

    Let λ̂_j be the `values`, which are the eigenvalues of K̂̄, t its `trace`, and e the `error` of
    this trace. Then t ≤ tr(K̄) ≤ t + e and λ̂_j ≤ λ_j ≤ λ̂_j + tr(K̄) − t. Therefore the ratio lies
    between λ̂_j/(t + e) and (λ̂_j + e)/(t + e). `hidden` bounds the rounding of each of these
    numbers, and widens the interval.
    """
    if trace + error <= 0:
        return np.zeros((2, len(values)))
    low = values - hidden
    high = values + error + 2 * hidden
    return np.clip(np.stack([low, high]) / (trace + error + hidden), 0, 1)
