"""Matrix-free Davidson in mixed precision with a Nyström preconditioner.

The approximation of K̄ by landmarks gives the start block, the preconditioner and a bound on what
can be missed. One pass in float64 over the start block is corrected by few passes in float32. The
kernel matrix is not stored, but for kernels that are dear, in float32.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from kpca.certificates.completeness import Complement, Remainder
from kpca.eigensolvers.problem import AMPLE, OVERSAMPLING, Problem, Solution, feature_bytes
from kpca.kernels.registry import KERNELS, inner_products
from kpca.linalg.block_lanczos import MAX_BASIS, orthonormal, orthonormalize_against, tell
from kpca.linalg.threads import BLOCK_ROWS
from kpca.nystrom.landmarks import random_pivots
from kpca.nystrom.scatter import MANY, approximate, eigenvectors
from kpca.nystrom.streaming import ArrayRows
from kpca.operators import CentredGram
from kpca.operators.sources import KernelSource
from kpca.types import Floats

WIDER = 20  # columns beyond those wanted that random vectors are helped by
BESIDE = 64  # eigenvectors of the approximation that precondition
SAMPLE = 5  # points from which landmarks are drawn, for each of them
EACH_COLUMN = 200  # points for each column of them, up to which kernel values are kept
MOST = 240  # products by default
STALL = 0.7  # progress of less than this over two expansions is a floor, not convergence
SINGLE_FLOOR = 1e-5  # of λ_1: below it quick products may have reached their precision
MARGIN = 4.0  # over the error of the quick product that was measured on one vector
TILES = 1.5e6  # bytes of the tiles of a thread

Correction = Callable[[Floats, Floats], Floats]  # (residuals, Ritz values) → new directions


def memory(problem: Problem) -> float:
    """Count the approximation by landmarks, or the vectors of the search, and features."""
    n, k, d = float(problem.n), problem.n_components, problem.source.X.shape[1]
    m, rows = landmarks(problem.n, k), problem.n_threads * min(n, BLOCK_ROWS)
    approximation = 8 * (6 * m**2 + rows * (1.25 * m + 2.5 * d) + n * (k + BESIDE))
    search = 8 * n * (22 * k + 32) + TILES * problem.n_threads + feature_bytes(problem.source)
    kept = 4 * n**2 if _is_stored(problem) else 0.0
    return feature_bytes(problem.source) + max(approximation, search + kept)


def _is_stored(problem: Problem) -> bool:
    """Whether values in float32 are kept: they cost more than reading them, and there is room."""
    n, source = problem.n, problem.source
    dear = (
        KERNELS[source.name].product is not inner_products or n <= EACH_COLUMN * source.X.shape[1]
    )
    return dear and 8 * float(n) ** 2 <= problem.budget


def landmarks(n: int, k: int) -> int:
    """Return a number of landmarks: more for more points and more components, never above n/4.

    They cost n m², and a pass that they save costs n²: a twentieth of the points was fastest, or
    as fast as any, for n from 3 000 to 10 000. Beyond 560 next to nothing more is saved.
    """
    return int(min(n // 4, min(n / 20, 560) + 8 * k))


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
    if not isinstance(source, KernelSource) or not source.semidefinite:
        raise ValueError(
            "eigen_solver='davidson' needs a kernel by name that is positive semidefinite: "
            "use 'krylov' for others."
        )
    exact = CentredGram(source.operator(threads), centering)
    if not exact.scale:
        return _nothing(problem, exact)
    k, m = problem.n_components, landmarks(problem.n, problem.n_components)
    size = min(problem.n, max(SAMPLE * m, 1000))
    drawn = np.random.default_rng([problem.seed, m]).choice(problem.n, size, replace=False)
    sample = source.with_samples(source.X[np.sort(drawn)])
    chosen = source.with_samples(sample.X[random_pivots(sample, m, problem.seed)])
    rows = ArrayRows(source.X)
    found = approximate(rows, chosen, centering, threads, most=MANY / 10)
    left = found.remainder(k, bounds_next_eigenvalue=True)
    values = found.axes.values
    rank = int(np.count_nonzero(values))
    settled = rank >= k and left.bound < values[k - 1]
    width = k + OVERSAMPLING if settled or rank < k else widened(values, k)
    width = min(width, rank)
    axes = found.axes.head(min(width + BESIDE, rank))
    vectors = eigenvectors(rows, axes, centering, threads)[0]
    # Random vectors fill up where the approximation has fewer than k dimensions.
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, max(0, k - width)))
    start = centering.project(np.hstack([vectors[:, :width], noise]))
    correct = preconditioner(axes.values[width:], vectors[:, width:].astype(np.float32))
    del vectors, found, axes  # memory for the search
    stored = source.full if _is_stored(problem) else source.operator
    quick = CentredGram(stored(threads, np.float32), centering)
    solution = refine(problem, exact, quick, start, correct, settled)
    return replace(solution, remainders=(left,))


def widened(values: Floats, k: int) -> int:
    """Return how many Ritz vectors leave eigenvalues well below λ_k, that random vectors see."""
    near = np.count_nonzero(values > 0.6 * values[k - 1])
    return int(np.clip(near, k + OVERSAMPLING, k + WIDER))


def preconditioner(values: Floats, vectors: Floats) -> Correction:
    """Give (R, θ) ↦ (θI − UMUᵀ)⁻¹ R, U the eigenvectors that follow the start block."""

    def correct(R: Floats, theta: Floats) -> Floats:
        # A Ritz value of zero pads what has fewer components than were asked for.
        theta = np.maximum(theta, 1e-12 * float(values.max(initial=0)) or 1.0)
        gaps = np.maximum(theta - values[:, None], 1e-3 * theta)
        coefficients = (vectors.T @ R.astype(np.float32)) * (1 / gaps - 1 / theta)
        return R / theta + vectors @ coefficients.astype(np.float32)

    return correct


def _nothing(problem: Problem, exact: CentredGram) -> Solution:
    """Return the eigenpairs of a kernel matrix of zeros."""
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, problem.n_components))
    vectors = np.linalg.qr(problem.centering.project(noise))[0]
    zeros = np.zeros(problem.n_components)
    return Solution(zeros, vectors, exact, remainders=(Remainder(0.0, "zero matrix"),))


def refine(
    problem: Problem,
    exact: CentredGram,
    quick: CentredGram,
    start: Floats,
    correct: Correction = lambda R, _: R,
    settled: bool = False,
) -> Solution:
    """Refine approximate eigenvectors: one exact pass, corrections by quick passes.

    The span of the start block, whose products are exact, grows by the residuals of the wanted Ritz
    pairs, preconditioned (Davidson's method) or not. Corrections are small, so that the error of
    their quick products enters in proportion: it is measured and added to the residuals, which
    are estimates therefore; what is proven takes a bound on the error in its place. Where
    quick products get no further, those of a last round are exact, and nothing is preconditioned.
    Products after the first are at most `max_iter`. Unless it is `settled` that no eigenvalue is
    missing, random vectors go along in them.

    References
    ----------
    Davidson (1975), J. Comput. Phys. 17.
    """
    k, project, tol = problem.n_components, problem.centering.project, AMPLE * problem.tol
    left = MOST if problem.max_iter is None else problem.max_iter
    operator, before, complement = quick, np.inf, None
    while True:
        Q = orthonormal(orthonormal(start))
        if settled or problem.is_small or complement is not None or Q.shape[1] < k:
            P = exact.matmul(Q)
        else:
            complement, P = Complement.of(exact, Q, k, problem.seed)
        width, error, history, began = Q.shape[1], None, list[float](), time.monotonic()
        while True:
            # The lower triangle pairs new directions with the older, more precise products.
            found, S = np.linalg.eigh(Q.T @ P, UPLO="L")
            values, S = found[::-1][:k], S[:, ::-1]
            vectors, products = Q @ S[:, :k], P @ S[:, :k]
            residuals, top = products - vectors * values, abs(float(values[0])) or 1.0
            norms = np.linalg.norm(residuals, axis=0) / top
            history.append(float(norms.max()))
            tell(len(history), history[-1], began)
            full = Q.shape[1] + k > max(MAX_BASIS, 3 * k)
            floor = SINGLE_FLOOR if operator is quick else 0.0
            if history[-1] <= tol or left <= 0 or full or stalled(history, floor):
                break
            block, wanted = residuals[:, norms > tol], values[norms > tol]
            del residuals  # as large as what comes next
            if operator is quick:
                block = correct(block, wanted)
            block = project(block)
            block = orthonormalize_against(block - Q @ (Q.T @ block), Q)
            if block.shape[1] == 0:
                break
            # The first product that is not exact carries a vector with a known one along.
            new = block if error is not None else np.hstack([block, vectors[:, :1]])
            images = operator.matmul(new) if complement is None else complement.along(operator, new)
            if error is None:
                error = float(np.linalg.norm(images[:, -1] - products[:, 0]))
            Q = np.hstack([Q, block])
            P = np.hstack([P, images[:, : block.shape[1]]])
            left -= 1
        added = np.linalg.norm(S[width:, :k], axis=0)
        slack = MARGIN * (error or 0.0) * added
        # Errors may add up where the vectors that they belong to cancel.
        worst_slack = operator.error(exact.size) * (Q.shape[1] - width) ** 0.5 * added
        worst, left = float((norms + slack / top).max()), left - 1
        stuck = worst > before / 2
        if worst <= tol or left <= 0 or (operator is exact and worst > 0.9 * before):
            break
        if stuck:  # the quick products get no further
            operator = exact
        start, before = Q @ S[:, : k + OVERSAMPLING], worst
    return Solution(
        values,
        vectors,
        exact,
        products=products,
        slack=slack,
        worst_slack=worst_slack,
        quick=quick,
        complement=complement,
    )


def stalled(history: list[float], floor: float) -> bool:
    """Whether small residuals have stopped falling, as they do at the floor of a precision."""
    return len(history) > 3 and history[-1] < floor and history[-1] > STALL * history[-3]
