"""Matrix-free Davidson in mixed precision with a Nyström preconditioner.

The approximation of K̄ by landmarks gives the start block, the preconditioner and a bound on what
can be missed. One pass in float64 over the start block is corrected by few passes in float32. The
kernel matrix is not stored.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from kpca.certificates.completeness import PASSES, PROBES, Complement
from kpca.certificates.decomposition import AMPLE, OVERSAMPLING, Problem, Solution, feature_bytes
from kpca.eigensolvers import low_rank
from kpca.linalg.orthonormal import orthonormal, orthonormalize_against
from kpca.linalg.resources import BLOCK_ROWS, ArrayRows
from kpca.nystrom.scatter import Axes, approximate, eigenvectors, random_pivots
from kpca.operators import CentredGram
from kpca.operators.grams import inverse_roots
from kpca.types import Array, Floats

logger = logging.getLogger("kpca")
TILES = 1.3e6  # bytes of the tiles of a thread

Correction = Callable[[Floats, Floats], Floats]  # (residuals, Ritz values) → new directions


@dataclass(frozen=True)
class DavidsonOptions:
    """How a search by Davidson's method goes on, restarts and ends."""

    probe_gap: float = 0.65  # of λ_k: random vectors do not tell eigenvalues above it from λ_k
    wider: int = 20  # columns beyond those wanted with which random vectors still show something
    faint: float = 1e-3  # of λ_k: eigenvalues below precondition nothing
    sampled: int = 3  # points from which landmarks are drawn, for each landmark
    negligible: float = 1e-8  # of the trace: landmarks for less cost more than they save
    stored_points: int = 20_000  # up to which their kernel values with the landmarks may be kept
    max_products: int = 240  # after the first, if the caller does not limit them
    round_products: int = 30  # products before the vectors found are multiplied anew
    stalled_products: int = 5  # that halve no residual: quick ones get no further
    spare_columns: int = 8  # that a basis takes at least before it is cut back
    margin: float = 4.0  # over the error of the quick product that was measured on one vector
    single_range: float = 1e20  # λ_1 or 1/λ_1 up to which single precision suffices
    quiet_seconds: float = 2.0  # of a search before its passes are logged


OPTIONS = DavidsonOptions()


def memory(problem: Problem) -> float:
    """Count the approximation by landmarks, or the search from as few vectors as there may be."""
    n, k, d = float(problem.n), problem.n_components, problem.source.X.shape[1]
    m, rows = landmarks(problem.n, k), problem.n_threads * min(n, BLOCK_ROWS)
    scatter, vectors = 6 * m**2 + 0.6 * rows * m, 4 * m**2 + 3 * n * (k + OVERSAMPLING)
    approximation = 8 * (max(scatter, vectors) + rows * (m + 4 * d) + 4 * n)
    return max(approximation, _search_bytes(problem, k + OVERSAMPLING))


def _search_bytes(problem: Problem, width: int) -> float:
    """Count a basis and its products, the preconditioner, and what random vectors see."""
    n, k, threads = float(problem.n), problem.n_components, problem.n_threads
    moved = 2 * k + (2 + threads) * PROBES + threads * k
    columns = 2 * _room(k, width) + width + moved + 10
    beside = 8 * landmarks(problem.n, k) ** 2 + TILES * threads
    return 8 * n * columns + beside + feature_bytes(problem.source) / 2


def _room(k: int, width: int) -> int:
    """Return how many columns a basis has before it is cut back to the leading Ritz vectors."""
    return max(2 * k, width) + max(OPTIONS.spare_columns, k + OVERSAMPLING)


def landmarks(n: int, k: int) -> int:
    """Return a number of landmarks: more for more points and more components, never above n/4.

    They cost n m², and a pass that they save costs n²: for n from 3 000 to 100 000, and 10 or 30
    components, this number was about the fastest. More proves more, which random vectors do, too.
    """
    return int(min(n // 4, min(n / 36, 550) + 12 * k))


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ in memory O(n m), m the number of landmarks.

    The landmarks are the pivots of a randomly pivoted Cholesky factor of a sample, which are as
    good as those of all points.

    Raises
    ------
    ValueError
        If the kernel is not one of the registry, or not positive semidefinite.

    References
    ----------
    Davidson (1975), J. Comput. Phys. 17; Frangella, Tropp, Udell (2023), Randomized Nyström
    preconditioning, SIAM J. Matrix Anal. 44.
    """
    source, centering, threads = problem.source, problem.centering, problem.n_threads
    if not problem.is_known:
        raise ValueError(
            "eigen_solver='davidson' needs a kernel by name that is positive semidefinite: "
            "use 'arpack' for others."
        )
    k, m = problem.n_components, landmarks(problem.n, problem.n_components)
    size = min(problem.n, max(OPTIONS.sampled * m, 1000))
    drawn = np.random.default_rng([problem.seed, m]).choice(problem.n, size, replace=False)
    sample = source.with_samples(source.X[np.sort(drawn)])
    pivots = random_pivots(sample, m, problem.seed, OPTIONS.negligible)
    chosen = source.with_samples(sample.X[pivots])
    rows = ArrayRows(source.X)
    found = approximate(rows, chosen, centering, threads)
    if len(pivots) < m and low_rank.is_promising(problem, found):
        solution = low_rank.solve(problem)
        if solution is not None:
            return solution
    bounds = tuple(found.remainder(j, bounds_next_eigenvalue=True) for j in range(k + 1))
    values = found.axes.values
    rank = int(np.count_nonzero(values))
    settled = rank >= k and bounds[k].bound < values[k - 1]
    width, passes = k + OVERSAMPLING, 0 if settled else PASSES
    affordable = _search_bytes(problem, k + OPTIONS.wider) <= problem.budget
    if not settled and rank >= k and affordable:
        width, passes = widened(values, k)
    width = min(width, rank)
    least = OPTIONS.faint * values[:k].min(initial=np.inf)
    useful = int(np.count_nonzero(values > least))
    axes = found.axes.head(max(width, useful))
    del found
    vectors = eigenvectors(rows, axes.head(width), centering, threads)
    largest = float(values[0])
    is_near_one = 1 / OPTIONS.single_range < largest < OPTIONS.single_range
    quick_precision = np.float32 if is_near_one else np.float64
    # Random vectors fill up where the approximation has fewer than k dimensions.
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, max(0, k - width)))
    correct = preconditioner(problem, axes, width, quick_precision)
    start = [centering.project(np.hstack([vectors, noise]))]
    del vectors, axes  # memory for the search
    exact = CentredGram(source.operator(threads), centering)
    quick = CentredGram(source.operator(threads, quick_precision), centering)
    solution = refine(problem, exact, quick, start.pop(), correct, passes)
    return replace(solution, next_bounds=bounds)


def widened(values: Floats, k: int) -> tuple[int, int]:
    """Return how many Ritz vectors leave eigenvalues well below λ_k, and passes that show it.

    Where there are too many eigenvalues near λ_k, random vectors would show nothing.
    """
    near = int(np.count_nonzero(values > OPTIONS.probe_gap * values[k - 1]))
    if near > k + OPTIONS.wider:
        return k + OVERSAMPLING, 0
    return max(near, k + OVERSAMPLING), PASSES


def preconditioner(
    problem: Problem, axes: Axes, first: int, precision: type = np.float32
) -> Correction:
    """Give (R, θ) ↦ (θI − UMUᵀ)⁻¹ R, U the eigenvectors of the axes after the `first`.

    U is not formed: it is D^½ K_nm C, D the weights, up to what centring takes away. K_nm of
    few points is kept, in `precision`, if there is memory for it; that of many is computed anew.
    """
    source, rooted, threads = problem.source, problem.centering.rooted, problem.n_threads
    pivots, values = axes.features.landmarks[axes.features.pivots], axes.values[first:]
    chosen = source.with_samples(pivots)
    C = axes.pivot_coefficients[:, first:] * inverse_roots(values)
    searching = _search_bytes(problem, problem.n_components + OPTIONS.wider)
    needed = 4 * source.n * chosen.n + searching
    keep = source.n <= OPTIONS.stored_points and needed <= problem.budget
    K = chosen.bound(precision).values(source.X) if keep else None

    def adjoint(V: Floats) -> Floats:
        return source.apply(chosen.X, V, threads) if K is None else K.T @ V.astype(precision)

    def image(V: Floats) -> Floats:
        return chosen.apply(source.X, V, threads) if K is None else K @ V.astype(precision)

    def correct(R: Floats, theta: Floats) -> Floats:
        # A Ritz value of zero pads what has fewer components than were asked for.
        theta = np.maximum(theta, 1e-12 * float(values.max(initial=0)) or 1.0)
        gaps = np.maximum(theta - values[:, None], 1e-3 * theta)
        coefficients = (C.T @ adjoint(rooted(R))) * (1 / gaps - 1 / theta)
        return R / theta + rooted(image(C @ coefficients))

    return correct


def unchanged(residuals: Floats, _: Floats) -> Floats:
    """Return the residuals as new directions: without a preconditioner."""
    return residuals


@dataclass(eq=False)
class Basis:
    """Orthonormal vectors Q of a search, with their products K̄Q."""

    k: int  # number of Ritz pairs that are wanted
    Q: Floats
    products: Floats
    width: int  # number of columns that it began with
    # Errors of quick products that each column of `products` may be off by, as a number of them.
    quick_errors: Floats
    error: float = 0.0  # of a quick product, as it was measured on one vector
    measured: bool = False


@dataclass(eq=False)
class RitzPairs:
    """Ritz pairs of a basis, with the norms of the residuals of those that are wanted."""

    values: Floats  # of shape (k,), in decreasing order
    S: Floats  # coefficients in the basis of all Ritz vectors
    residuals: Floats | None  # of shape (n, k), until they are corrected
    norms: Floats  # of the residuals, relative to the largest value
    slack: Floats  # estimates of what errors of products hide of these norms
    lowest: float  # least of all Ritz values

    @property
    def top(self) -> float:
        """The largest Ritz value in modulus, or 1."""
        return abs(float(self.values[0])) or 1.0


def ritz_pairs(basis: Basis) -> RitzPairs:
    """Compute the Ritz pairs of a basis."""
    k, Q, P = basis.k, basis.Q, basis.products
    # The lower triangle pairs new directions with the older, more precise products.
    found, S = np.linalg.eigh(Q.T @ P, UPLO="L")
    values, S = found[::-1][:k], S[:, ::-1]
    residuals = P @ S[:, :k]
    residuals -= Q @ (S[:, :k] * values)
    top = abs(float(values[0])) or 1.0
    norms = np.linalg.norm(residuals, axis=0) / top
    off = np.linalg.norm(basis.quick_errors * S[:, :k].T, axis=1)
    slack = OPTIONS.margin * basis.error / top * off
    return RitzPairs(values, S, residuals, norms, slack, float(found[0]))


@dataclass(eq=False)
class Search:
    """What the rounds of a search share: operators, preconditioner, and products that are left."""

    problem: Problem
    exact: CentredGram
    quick: CentredGram
    correct: Correction
    left: int  # products that may still be made
    complement: Complement | None = None  # what random vectors see beyond the first basis
    lowest: float = float("inf")  # least Ritz value so far

    @property
    def tol(self) -> float:
        """Bound on relative norms of residuals, with room for rounding."""
        return AMPLE * self.problem.tol

    def begin(self, start: Floats, passes: int) -> Basis:
        """Return the basis of a start block, with exact products.

        Random vectors go along from the first block on that has k columns.
        """
        Q = orthonormal(orthonormal(start))
        k = self.problem.n_components
        if self.complement is not None or Q.shape[1] < k:
            products = self.exact.matmul(Q)
        else:
            most = 0 if self.problem.is_small else passes
            seed = self.problem.seed
            self.complement, products = Complement.of(self.exact, Q, k, seed, most)
        width = Q.shape[1]
        return Basis(k, Q, products, width, np.zeros(width))

    def extend(self, basis: Basis, operator: CentredGram) -> RitzPairs:
        """Extend a basis until its Ritz pairs meet the tolerance, or it gets no further."""
        seen, began = list[float](), time.monotonic()
        while True:
            pairs = ritz_pairs(basis)
            self.lowest = min(self.lowest, pairs.lowest)
            # The sum has to meet the tolerance, unless only exact products can help.
            asked = np.where(pairs.slack < self.tol / 2, self.tol - pairs.slack, self.tol)
            due = pairs.norms > asked
            seen.append(float(pairs.norms.max()))
            _log_pass(len(seen), seen[-1], began)
            best_before = min([np.inf, *seen[: -OPTIONS.stalled_products]])
            is_stalled = operator is self.quick and seen[-1] > best_before / 2
            is_over = is_stalled or len(seen) > OPTIONS.round_products
            if not due.any() or self.left <= 0 or is_over:
                return pairs
            block = self._directions(basis, pairs, due, operator)
            if block.shape[1] == 0:
                return pairs
            self._append(basis, pairs, block, operator)
            self.left -= 1

    def _directions(
        self, basis: Basis, pairs: RitzPairs, due: Array, operator: CentredGram
    ) -> Floats:
        """Return new directions, orthogonal to the basis, for the pairs that are due."""
        assert pairs.residuals is not None
        block = pairs.residuals[:, due]
        pairs.residuals = None  # as large as what comes next
        if operator is self.quick:
            block = self.correct(block, pairs.values[due])
        block = self.problem.centering.project(block)
        block -= basis.Q @ (basis.Q.T @ block)
        return orthonormalize_against(block, basis.Q)

    def _append(self, basis: Basis, pairs: RitzPairs, block: Floats, operator: CentredGram) -> None:
        """Append new directions and their products, cutting the basis back if it is full."""
        Q, P, S = basis.Q, basis.products, pairs.S
        # The first product that is not exact carries a vector with a known one along.
        new = block if basis.measured else np.hstack([block, Q @ S[:, :1]])
        if self.complement is None:
            images = operator.matmul(new)
        else:
            images = self.complement.along(operator, new)
        if not basis.measured:
            basis.error = float(np.linalg.norm(images[:, -1] - P @ S[:, 0]))
            basis.measured = True
        if Q.shape[1] + block.shape[1] > _room(basis.k, basis.width):
            S = S[:, : max(2 * basis.k, basis.width)]
            basis.Q, basis.quick_errors = Q @ S, basis.quick_errors @ abs(S)
            del Q
            basis.products = P @ S
            del P
        columns = block.shape[1]
        basis.Q = np.hstack([basis.Q, block])
        basis.quick_errors = np.append(basis.quick_errors, np.ones(columns))
        del block, new
        basis.products = np.hstack([basis.products, images[:, :columns]])


def refine(
    problem: Problem,
    exact: CentredGram,
    quick: CentredGram,
    start: Floats,
    correct: Correction = unchanged,
    passes: int = PASSES,
) -> Solution:
    """Refine approximate eigenvectors: one exact pass, corrections by quick passes.

    The span of the start block, whose products are exact, grows by the residuals of the wanted Ritz
    pairs, preconditioned (Davidson's method) or not. Corrections are small, so that the error of
    their quick products enters in proportion: it is measured and added to the residuals, which
    are estimates therefore; what is proven takes a bound on the error in its place. Where
    quick products get no further, those of a last round are exact, and nothing is preconditioned.
    Products after the first are at most `max_iter`. Random vectors go along in `passes` at most.

    References
    ----------
    Davidson (1975), J. Comput. Phys. 17.
    """
    k = problem.n_components
    most = OPTIONS.max_products if problem.max_iter is None else problem.max_iter
    search = Search(problem, exact, quick, correct, most)
    operator, before = quick, np.inf
    while True:
        basis = search.begin(start, passes)
        del start
        pairs = search.extend(basis, operator)
        pairs.residuals = None
        worst = float((pairs.norms + pairs.slack).max())
        search.left -= 1
        is_stuck = operator is exact and worst > 0.9 * before
        if worst <= search.tol or search.left <= 0 or is_stuck:
            break
        if worst > before / 2:  # the quick products get no further
            operator = exact
        start, before = basis.Q @ pairs.S[:, : k + OVERSAMPLING], worst
    S = pairs.S[:, :k]
    # Errors may add up where the vectors that they belong to cancel.
    worst_slack = operator.error * (basis.quick_errors @ abs(S))
    return Solution(
        pairs.values,
        basis.Q @ S,
        exact,
        products=basis.products @ S,
        slack=pairs.slack * pairs.top,
        worst_slack=worst_slack,
        quick=quick,
        complement=search.complement,
        lowest=search.lowest,
    )


def _log_pass(number: int, residual: float, start: float) -> None:
    """Log a pass of a search that began at `start`; silent for the first seconds."""
    seconds = time.monotonic() - start
    if seconds >= OPTIONS.quiet_seconds:
        logger.info("pass %d: residual %.1e after %.0f s", number, residual, seconds)
