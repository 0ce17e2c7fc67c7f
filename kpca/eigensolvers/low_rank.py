"""Exact components without a search, for kernel matrices that few landmarks reproduce.

Let K̂ be the Nyström approximation of the kernel matrix K, and K̂̄ the centred K̂. In few
dimensions, and for kernels of large bandwidth, K − K̂ is only rounding after some hundred pivots of
a Cholesky factor. The eigenpairs of K̂̄ are then those of K̄, with residuals of at most tr(K − K̂),
which is known. One pass over the points gives the scatter of the features, and a second pass gives
the eigenvectors.
"""

from dataclasses import dataclass

import numpy as np

from kpca.certificates.decomposition import AMPLE, Problem, Solution, feature_bytes
from kpca.kernels.registry import squared_norms
from kpca.linalg.resources import BLOCK_ROWS, ArrayRows, blocks, fill
from kpca.nystrom.scatter import Approximation, approximate, random_pivots
from kpca.operators.grams import CentredGram, inverse_roots
from kpca.types import EPS, Array, Floats, Matrix
from kpca.validation import is_sparse


@dataclass(frozen=True)
class LowRankOptions:
    """Options for choosing landmarks that reproduce the kernel matrix."""

    max_landmarks: int = 1500
    # Smallest number of points per landmark. With fewer points, a search is as fast.
    points_per_landmark: int = 12
    drawn: int = 5000  # number of random points among which pivots are chosen
    # Number of points far from the mean that are added to the random points, which may miss them.
    farthest: int = 1000
    # Fraction of the trace that the pivots may leave, relative to the tolerance.
    negligible: float = 1e-2
    rounds: int = 3  # largest number of passes
    added: int = 50  # number of landmarks added per pass, where the approximation is worst
    # In d dimensions, a trace error of 1e-10 takes growth^d times as many landmarks as one of 1e-8.
    growth: float = 1.25
    # Rounding relative to Σ k(x, x). Computed bounds on this ratio were up to 2.0e-10 in five
    # dimensions.
    rounding: float = 2.2e-10


OPTIONS = LowRankOptions()


def memory(problem: Problem) -> float:
    """Estimate the bytes of the candidates' factor, or of features and eigenvectors if more."""
    n = problem.n
    k = problem.n_components
    d = problem.source.X.shape[1]
    candidates = min(n, OPTIONS.drawn + OPTIONS.farthest)
    m = _most_landmarks(problem)
    pivots = candidates * (1.4 * m + 3.0 * d + 64)
    blocks_of_rows = problem.n_threads * min(n, BLOCK_ROWS) * (2 * m + 4 * d)
    features = 10.0 * m**2 + blocks_of_rows + n * (2 * k + 8)
    return 8 * max(pivots, features) + feature_bytes(problem.source)


def _most_landmarks(problem: Problem) -> int:
    return min(OPTIONS.max_landmarks, problem.n // OPTIONS.points_per_landmark)


def is_promising(problem: Problem, little: Approximation) -> bool:
    """Return whether few more landmarks may reproduce the kernel matrix.

    `little` is an approximation by few landmarks. The number of its pivots gives an estimate of the
    landmarks that a fit needs, because the error of m landmarks falls like exp(−c m^(1/d)) in d
    dimensions. In addition, the memory must suffice for the fit, and rounding must not exceed the
    tolerance, which is a fraction of λ_1.
    """
    n_pivots = len(little.features.pivots)
    d = problem.source.X.shape[1]
    tolerated = problem.tol * little.axes.values[0]
    return (
        n_pivots * OPTIONS.growth**d <= _most_landmarks(problem)
        and memory(problem) <= problem.budget
        and OPTIONS.rounding * little.sums.diagonal <= tolerated
        and _rounding(little, problem.n_components).max() <= tolerated
    )


def solve(problem: Problem) -> Solution | None:
    """Return exact components by landmarks, or None if few landmarks do not suffice.

    The kernel must be a named one that is positive semidefinite.
    """
    limit = _most_landmarks(problem)
    source = problem.source
    k = problem.n_components
    candidates = _candidates(problem)
    sample = source.with_samples(source.X[candidates])
    least = OPTIONS.negligible * problem.tol
    chosen = candidates[random_pivots(sample, limit, problem.seed, least)]
    for _ in range(OPTIONS.rounds):
        if not k <= len(chosen) < limit:
            return None
        landmarks = source.with_samples(source.X[chosen])
        approximation = approximate(
            ArrayRows(source.X), landmarks, problem.centering, problem.n_threads
        )
        values = approximation.axes.head(k).values
        is_met = _residual_bounds(approximation, k).max() <= AMPLE * problem.tol * values[0]
        if values[-1] > 0 and is_met:
            return _solution(problem, approximation)
        chosen = np.union1d(chosen, _most_missed(problem, approximation))
    return None


def _candidates(problem: Problem) -> Array:
    """Return indices of random points, and of points far from the mean."""
    rng = np.random.default_rng([problem.seed, 2])
    drawn = np.sort(rng.choice(problem.n, min(problem.n, OPTIONS.drawn), replace=False))
    X = problem.source.X
    if is_sparse(X) or problem.n <= OPTIONS.drawn + OPTIONS.farthest:
        return drawn
    mean = X.mean(axis=0)
    parts = blocks(problem.n, 1 << 14)
    distances = np.concatenate([squared_norms(X[rows] - mean) for rows in parts])
    far = np.argpartition(-distances, OPTIONS.farthest)[: OPTIONS.farthest]
    return np.union1d(drawn, far)


def _most_missed(problem: Problem, found: Approximation) -> Array:
    """Return indices of the points that the features approximate worst."""
    missed = np.empty(problem.n)

    def work(X: Matrix, _: slice) -> Floats:
        return found.features.remainder(X)

    fill(ArrayRows(problem.source.X), work, problem.n_threads, missed)
    return np.argsort(-missed, kind="stable")[: OPTIONS.added]


def _residual_bounds(found: Approximation, k: int) -> Floats:
    """Bound ‖K̄a − λa‖ of the first k pairs (λ, a = F̄z/√λ) by the error of K̂ plus rounding.

    F̄ are the centred features of the landmarks, and z the eigenvectors of their scatter matrix.
    """
    return found.trace_error + found.rounding + _rounding(found, k)


def _rounding(found: Approximation, k: int) -> Floats:
    """Bound the rounding of a = F̄z/√λ for the first k pairs, which grows with 1/√λ.

    z is an eigenvector of the scatter matrix S, which is off by the rounding of its sums and of
    LAPACK. F̄(Sz − λz)/√λ is longer than Sz − λz by a factor of up to √(λ_1/λ).
    """
    axes = found.axes.head(k)
    r = len(found.features.pivots)
    top = axes.values[0]
    scatter = 2 * found.sum_rounding + r * EPS * top
    scores = (r + 4) * EPS * np.sqrt(found.sums.diagonal)
    return (np.sqrt(top) * scatter + top * scores) * inverse_roots(axes.values)


def _solution(problem: Problem, found: Approximation) -> Solution:
    """Return eigenpairs of K̂̄, which equal those of K̄ up to the error of the landmarks."""
    k = problem.n_components
    centering = problem.centering
    axes = found.axes.head(k)
    features = found.features
    scores_and_means = np.empty((problem.n, k + 1))

    def work(X: Matrix, where: slice) -> Floats:
        F = features.of(X)
        unit = (F @ axes.directions - axes.mean @ axes.directions) * inverse_roots(axes.values)
        return np.column_stack([centering.rooted(unit, where), F @ axes.mean])

    fill(ArrayRows(problem.source.X), work, problem.n_threads, scores_and_means)
    vectors = np.ascontiguousarray(scores_and_means[:, :k])
    means = scores_and_means[:, k].copy()
    operator = CentredGram(problem.source.operator(problem.n_threads), centering, means)
    return Solution(
        axes.values,
        vectors,
        operator,
        products=vectors * axes.values,
        slack=found.trace_error,
        worst_slack=_residual_bounds(found, k),
        next_bounds=tuple(found.remainder(j) for j in range(k + 1)),
        reason=f"{len(features.pivots)} landmarks leave less than the tolerance",
    )
