"""Matrix-free Davidson in mixed precision with a Nyström preconditioner.

The approximation of K̄ by landmarks gives the start block, the preconditioner and a bound on
omitted eigenvalues. The start block is multiplied once in float64. A few passes in float32 then add
small corrections to its vectors. The kernel matrix is not stored.

Products in float64 are called exact, and products in single precision are called quick.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import block_diag

from kpca.certificates.decomposition import AMPLE, OVERSAMPLING, Problem, Solution, feature_bytes
from kpca.eigensolvers import low_rank
from kpca.linalg.orthonormal import orthonormal, orthonormalize_against
from kpca.linalg.resources import BLOCK_ROWS, ArrayRows
from kpca.nystrom.scatter import Axes, approximate, eigenvectors, random_pivots
from kpca.operators.grams import CentredGram, inverse_roots
from kpca.types import Array, Floats

logger = logging.getLogger("kpca")
TILES = 1.3e6  # bytes of the tiles of kernel values that one thread holds

Correction = Callable[[Floats, Floats], Floats]  # (residuals, Ritz values) → new directions


@dataclass(frozen=True)
class DavidsonOptions:
    """Constants of Davidson's method: preconditioner, restarts and end of the search."""

    faint: float = 1e-3  # Eigenvalues below this fraction of λ_k do not help the preconditioner.
    sampled: int = 3  # number of points sampled per landmark, among which landmarks are chosen
    # No further landmark is chosen when this fraction of the trace is left, because another
    # landmark would cost more than it saves.
    negligible: float = 1e-8
    stored_points: int = 20_000  # largest n for which kernel values with landmarks may be stored
    max_products: int = 240  # default limit on the products after the first one
    # The search is stalled if this many quick products did not halve the largest residual.
    stalled_products: int = 5
    spare_columns: int = 8  # smallest number of columns that a basis gains before it is cut back
    margin: float = 4.0  # safety factor on the error of quick products, measured on one vector
    single_range: float = 1e20  # largest λ_1, 1/λ_1 or |K_ij| for which single precision suffices
    quiet_seconds: float = 2.0  # seconds after which a search logs its passes


OPTIONS = DavidsonOptions()


def memory(problem: Problem) -> float:
    """Estimate the bytes of the approximation by landmarks or of the search, whichever are more.

    The search is the one that stores no kernel values.
    """
    n = problem.n
    k = problem.n_components
    d = problem.source.X.shape[1]
    m = landmarks(problem.n, k)
    rows = problem.n_threads * min(n, BLOCK_ROWS)
    scatter = 6 * m**2 + 0.6 * rows * m
    vectors = 4 * m**2 + 3 * n * (k + OVERSAMPLING)
    approximation = 8 * (max(scatter, vectors) + rows * (m + 4 * d) + 4 * n)
    return max(approximation, _search_bytes(problem))


def _search_bytes(problem: Problem) -> float:
    """Estimate the bytes of a basis, its products and the preconditioner."""
    n = problem.n
    k = problem.n_components
    threads = problem.n_threads
    width = k + OVERSAMPLING
    columns = 2 * _room(k, width) + width + (5 + threads) * k + 10
    beside = 8 * landmarks(problem.n, k) ** 2 + TILES * threads
    return 8 * n * columns + beside + feature_bytes(problem.source) / 2


def _room(k: int, width: int) -> int:
    """Return the largest number of columns of a basis; a larger one is cut back to Ritz vectors.

    `width` is the number of columns of the start block.
    """
    return max(2 * k, width) + max(OPTIONS.spare_columns, k + OVERSAMPLING)


def landmarks(n: int, k: int) -> int:
    """Return the number m of landmarks, which grows with n and k and is at most n/4.

    The landmarks cost n m² operations, and each pass that they save costs n² operations. For n from
    3 000 to 100 000 and k of 10 or 30, fits with this number were about the fastest. More landmarks
    would prove completeness more often, but random vectors can prove completeness as well.
    """
    return int(min(n // 4, min(n / 36, 550) + 12 * k))


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ in memory O(n m), where m is the number of landmarks.

    The landmarks are the pivots of a randomly pivoted Cholesky factor of a sample. Pivots from all
    points would be no better.

    Raises
    ------
    ValueError
        If the kernel is not one of the registry, or not positive semidefinite.

    References
    ----------
    Davidson (1975), J. Comput. Phys. 17; Frangella, Tropp, Udell (2023), Randomized Nyström
    preconditioning, SIAM J. Matrix Anal. 44.
    """
    source = problem.source
    centering = problem.centering
    threads = problem.n_threads
    if not problem.is_known:
        raise ValueError(
            "eigen_solver='davidson' needs a kernel by name that is positive semidefinite: "
            "use 'arpack' for others."
        )
    k = problem.n_components
    m = landmarks(problem.n, problem.n_components)
    size = min(problem.n, max(OPTIONS.sampled * m, 1000))
    drawn = np.random.default_rng([problem.seed, m]).choice(problem.n, size, replace=False)
    sample = source.with_samples(source.X[np.sort(drawn)])
    pivots = random_pivots(sample, m, problem.seed, OPTIONS.negligible)
    chosen = source.with_samples(sample.X[pivots])
    rows = ArrayRows(source.X)
    approximation = approximate(rows, chosen, centering, threads)
    if len(pivots) < m and low_rank.is_promising(problem, approximation):
        solution = low_rank.solve(problem)
        if solution is not None:
            return solution
    bounds = tuple(approximation.remainder(j) for j in range(k + 1))
    values = approximation.axes.values
    width = min(k + OVERSAMPLING, int(np.count_nonzero(values)))
    least = OPTIONS.faint * values[:k].min(initial=np.inf)
    useful = int(np.count_nonzero(values > least))
    axes = approximation.axes.head(max(width, useful))
    del approximation
    vectors = eigenvectors(rows, axes.head(width), centering, threads)
    # Random vectors complete the start block if the approximation has fewer than k dimensions.
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, max(0, k - width)))
    # A point of weight zero does not count in the eigenvalues, but single precision has to hold its
    # kernel values, too.
    largest = max(values[0], source.sizes.max())
    is_single = values[0] > 1 / OPTIONS.single_range and largest < OPTIONS.single_range
    precision = np.float32 if is_single else np.float64
    correct = preconditioner(problem, axes, width, precision)
    start = [centering.project(np.hstack([vectors, noise]))]
    del vectors, axes  # memory for the search
    exact = CentredGram(source.operator(threads), centering)
    quick = CentredGram(source.operator(threads, precision), centering)
    return replace(refine(problem, exact, quick, start.pop(), correct), next_bounds=bounds)


def preconditioner(problem: Problem, axes: Axes, first: int, precision: type) -> Correction:
    """Return the map (R, θ) ↦ (θI − UMUᵀ)⁻¹ R of residuals R and their Ritz values θ.

    U and M are the approximate eigenvectors and eigenvalues of `axes`, without the `first` ones. U
    is not formed, because products with D^½ K_nm C replace it: the two differ by a part that
    centring removes. D are the weights, and K_nm are the kernel values of all points with the
    landmarks. K_nm is stored in `precision` if the points are few and the memory suffices.
    Otherwise each call computes K_nm.
    """
    source = problem.source
    rooted = problem.centering.rooted
    threads = problem.n_threads
    pivots = axes.features.landmarks[axes.features.pivots]
    values = axes.values[first:]
    chosen = source.with_samples(pivots)
    C = axes.pivot_coefficients[:, first:] * inverse_roots(values)
    needed = 4 * source.n * chosen.n + _search_bytes(problem)
    is_kept = source.n <= OPTIONS.stored_points and needed <= problem.budget
    K = chosen.bound(precision).values(source.X) if is_kept else None

    def adjoint(V: Floats) -> Floats:
        return source.apply(chosen.X, V, threads) if K is None else K.T @ V.astype(precision)

    def image(V: Floats) -> Floats:
        return chosen.apply(source.X, V, threads) if K is None else K @ V.astype(precision)

    def correct(R: Floats, theta: Floats) -> Floats:
        # Ritz values are zero if the matrix has fewer components than were requested.
        theta = np.maximum(theta, 1e-12 * values.max(initial=0) or 1.0)
        gaps = np.maximum(theta - values[:, None], 1e-3 * theta)
        coefficients = (C.T @ adjoint(rooted(R))) * (1 / gaps - 1 / theta)
        return R / theta + rooted(image(C @ coefficients))

    return correct


def unchanged(residuals: Floats, _: Floats) -> Floats:
    """Return the residuals as new directions, without a preconditioner."""
    return residuals


@dataclass(eq=False)
class Basis:
    """Orthonormal vectors Q of a search, with their products P = K̄Q."""

    Q: Floats
    P: Floats
    # Column j holds the coefficients of column j of Q in the vectors whose products were quick.
    quick: Floats

    @classmethod
    def of(cls, operator: CentredGram, Q: Floats) -> "Basis":
        """Return the basis of the columns of Q, with their products by the exact `operator`."""
        return cls(Q, operator.matmul(Q), np.zeros((0, Q.shape[1])))

    def cut_back(self, S: Floats) -> None:
        """Replace the vectors Q by the linear combinations QS."""
        self.Q = self.Q @ S
        self.P = self.P @ S
        self.quick = self.quick @ S

    def append(self, block: Floats, products: Floats, is_quick: bool) -> None:
        """Append a block of vectors and their products; `is_quick` if these are quick."""
        self.Q = np.hstack([self.Q, block])
        self.P = np.hstack([self.P, products])
        columns = block.shape[1]
        self.quick = block_diag(self.quick, np.eye(columns)[: columns * is_quick])


@dataclass(frozen=True)
class RitzPairs:
    """The Ritz pairs of a basis, and how far the leading ones are from eigenpairs."""

    values: Floats  # Ritz values in decreasing order
    S: Floats  # coefficients of the Ritz vectors in the basis, one column per vector
    top: float  # |λ_1|, or 1 if it is zero
    norms: Floats  # residual norms of the leading pairs, relative to λ_1
    slack: Floats  # estimate of the part that errors of quick products may add to `norms`

    @classmethod
    def of(cls, basis: Basis, k: int, error: float) -> tuple["RitzPairs", Floats]:
        """Return the Ritz pairs, and the residuals of the first k.

        `error` is the measured error of quick products, or NaN before the first quick product.
        """
        # Use the lower triangle, which multiplies new vectors by products of older vectors, because
        # products of older vectors are more precise.
        values, S = np.linalg.eigh(basis.Q.T @ basis.P, UPLO="L")
        values = values[::-1]
        S = S[:, ::-1]
        leading = S[:, :k]
        residuals = basis.P @ leading
        residuals -= basis.Q @ (leading * values[:k])
        top = abs(values[0]) or 1.0
        norms = np.linalg.norm(residuals, axis=0) / top
        slack = OPTIONS.margin * np.linalg.norm(basis.quick @ leading, axis=0)
        slack *= np.nan_to_num(error / top)
        return cls(values, S, top, norms, slack), residuals

    @property
    def worst(self) -> float:
        """The largest sum of a residual norm and its slack."""
        return (self.norms + self.slack).max()

    def are_due(self, tol: float) -> Array:
        """Return which of the leading pairs the next product has to improve."""
        # norms + slack has to meet the tolerance. If the slack is so large that only exact products
        # can reduce it, `norms` is compared without the slack.
        return self.norms > np.where(self.slack < tol / 2, tol - self.slack, tol)


def refine(
    problem: Problem,
    exact: CentredGram,
    quick: CentredGram,
    start: Floats,
    correct: Correction = unchanged,
) -> Solution:
    """Refine approximate eigenvectors by one exact pass and corrections from quick passes.

    The basis begins with the start block, whose products are exact. It grows by the residuals of
    the requested Ritz pairs, to which `correct` may apply a preconditioner (Davidson's method).
    Corrections are small, so that the errors of their quick products are small in proportion. This
    error is measured and added to the residuals, which are therefore estimates. Proofs use a bound
    on the error instead. If quick products make no more progress, the leading vectors are
    multiplied again by the exact operator. If that does not help, all further products are exact,
    without a preconditioner. A full basis is cut back to its leading vectors. At most `max_iter`
    products follow the first one.

    References
    ----------
    Davidson (1975), J. Comput. Phys. 17.
    """
    k = problem.n_components
    tol = AMPLE * problem.tol
    products_left = OPTIONS.max_products if problem.max_iter is None else problem.max_iter
    basis = Basis.of(exact, orthonormal(orthonormal(start)))
    del start  # memory for the search
    width = basis.Q.shape[1]
    operator = quick
    error = np.nan  # error of a quick product, which is measured once
    lowest = np.inf
    worst_before = np.inf
    history = list[float]()
    began = time.monotonic()
    while True:
        pairs, residuals = RitzPairs.of(basis, k, error)
        lowest = min(lowest, pairs.values[-1])
        history.append(pairs.norms.max())
        _log_pass(len(history), history[-1], began)
        if pairs.worst <= tol or products_left <= 0:
            break
        products_left -= 1
        due = pairs.are_due(tol)
        if not due.any() or (operator is quick and _is_stalled(history)):
            if pairs.worst > worst_before / 2:
                operator = exact
                correct = unchanged
            worst_before = pairs.worst
            history = []
            basis = Basis.of(exact, orthonormal(basis.Q @ pairs.S[:, : k + OVERSAMPLING]))
            continue
        block = residuals[:, due]
        del residuals  # frees as much memory as the next step takes
        block = problem.centering.project(correct(block, pairs.values[:k][due]))
        block = orthonormalize_against(block, basis.Q)
        if block.shape[1] == 0:  # only rounding is left
            break
        if np.isnan(error):  # Multiply a vector whose product is known, to measure the error.
            products = operator.matmul(np.hstack([block, basis.Q @ pairs.S[:, :1]]))
            error = float(np.linalg.norm(products[:, -1] - basis.P @ pairs.S[:, 0]))
            products = products[:, :-1]
        else:
            products = operator.matmul(block)
        if basis.Q.shape[1] + block.shape[1] > _room(k, width):
            basis.cut_back(pairs.S[:, : max(2 * k, width)])
        basis.append(block, products, operator is quick)
    basis.cut_back(pairs.S[:, :k])
    return Solution(
        pairs.values[:k],
        basis.Q,
        exact,
        products=basis.P,
        slack=pairs.slack * pairs.top,
        # Sum the moduli, because errors of products may add up even where the vectors cancel.
        worst_slack=quick.error * np.abs(basis.quick).sum(axis=0),
        lowest=lowest,
    )


def _is_stalled(history: list[float]) -> bool:
    """Return whether the last `stalled_products` products did not halve the largest residual."""
    best_before = min(history[: -OPTIONS.stalled_products], default=np.inf)
    return history[-1] > best_before / 2


def _log_pass(number: int, residual: float, start: float) -> None:
    """Log pass `number` of a search that began at `start`, except in the first seconds."""
    seconds = time.monotonic() - start
    if seconds >= OPTIONS.quiet_seconds:
        logger.info("pass %d: residual %.1e after %.0f s", number, residual, seconds)
