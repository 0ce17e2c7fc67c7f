"""Matrix-free Davidson in mixed precision with a Nyström preconditioner.

The approximation of K̄ by landmarks gives the start block, the preconditioner and a bound on what
can be missed. One pass in float64 over the start block is corrected by few passes in float32. The
kernel matrix is not stored.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from kpca.certificates.completeness import PASSES, PROBES, Complement
from kpca.eigensolvers.decomposition import AMPLE, OVERSAMPLING, Problem, Solution, feature_bytes
from kpca.linalg.block_lanczos import orthonormal, orthonormalize_against, tell
from kpca.linalg.resources import BLOCK_ROWS, ArrayRows
from kpca.nystrom.scatter import Axes, approximate, eigenvectors, random_pivots
from kpca.operators import CentredGram
from kpca.operators.grams import inverse_roots
from kpca.types import Floats

CLOSE = 0.65  # of λ_k: eigenvalues that random vectors do not tell from it
WIDER = 20  # columns beyond those wanted that random vectors are helped by
FAINT = 1e-3  # of λ_k: eigenvalues below precondition nothing
SAMPLE = 3  # points from which landmarks are drawn, for each of them
NOTHING = 1e-8  # of the trace: landmarks for less cost more than they save
STORED = 20_000  # points up to which their kernel with the landmarks may be kept
MOST = 240  # products by default
ROUND = 30  # of them before the vectors found are multiplied anew
STALLED = 5  # of them that halve no residual: quick ones get no further
LEAST = 8  # columns that a basis takes before it is cut back
MARGIN = 4.0  # over the error of the quick product that was measured on one vector
TILES = 1.3e6  # bytes of the tiles of a thread

Correction = Callable[[Floats, Floats], Floats]  # (residuals, Ritz values) → new directions


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
    return max(2 * k, width) + max(LEAST, k + OVERSAMPLING)


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
            "use 'krylov' for others."
        )
    k, m = problem.n_components, landmarks(problem.n, problem.n_components)
    size = min(problem.n, max(SAMPLE * m, 1000))
    drawn = np.random.default_rng([problem.seed, m]).choice(problem.n, size, replace=False)
    sample = source.with_samples(source.X[np.sort(drawn)])
    chosen = source.with_samples(sample.X[random_pivots(sample, m, problem.seed, NOTHING)])
    rows = ArrayRows(source.X)
    found = approximate(rows, chosen, centering, threads, np.inf if chosen.n < m else 0)
    bounds = tuple(found.remainder(j, bounds_next_eigenvalue=True) for j in range(k + 1))
    values = found.axes.values
    rank = int(np.count_nonzero(values))
    settled = rank >= k and bounds[k].bound < values[k - 1]
    width, passes = k + OVERSAMPLING, 0 if settled else PASSES
    if not settled and rank >= k and _search_bytes(problem, k + WIDER) <= problem.budget:
        width, passes = widened(values, k)
    width = min(width, rank)
    useful = int(np.count_nonzero(values > FAINT * values[:k].min(initial=np.inf)))
    axes = found.axes.head(max(width, useful))
    del found
    vectors = eigenvectors(rows, axes.head(width), centering, threads)[0]
    # Random vectors fill up where the approximation has fewer than k dimensions.
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, max(0, k - width)))
    correct = preconditioner(problem, axes, width)
    start = [centering.project(np.hstack([vectors, noise]))]
    del vectors, axes  # memory for the search
    grams = source.operator(threads), source.operator(threads, np.float32)
    exact, quick = (CentredGram(gram, centering) for gram in grams)
    solution = refine(problem, exact, quick, start.pop(), correct, passes)
    return replace(solution, next_bounds=bounds)


def widened(values: Floats, k: int) -> tuple[int, int]:
    """Return how many Ritz vectors leave eigenvalues well below λ_k, and passes that show it.

    Where there are too many eigenvalues near λ_k, random vectors would show nothing.
    """
    near = int(np.count_nonzero(values > CLOSE * values[k - 1]))
    return (k + OVERSAMPLING, 0) if near > k + WIDER else (max(near, k + OVERSAMPLING), PASSES)


def preconditioner(problem: Problem, axes: Axes, first: int) -> Correction:
    """Give (R, θ) ↦ (θI − UMUᵀ)⁻¹ R, U the eigenvectors of the axes after the `first`.

    U is not formed: it is D^½ K_nm C, D the weights, up to what centring takes away. K_nm of
    few points is kept, in float32, if there is memory for it; that of many is computed anew.
    """
    source, rooted, threads = problem.source, problem.centering.rooted, problem.n_threads
    chosen, values = source.with_samples(axes.features.landmarks), axes.values[first:]
    C = axes.coefficients[:, first:] * inverse_roots(values)
    needed = 4 * source.n * chosen.n + _search_bytes(problem, problem.n_components + WIDER)
    keep = source.n <= STORED and needed <= problem.budget
    K = chosen.bound(np.float32).values(source.X) if keep else None

    def adjoint(V: Floats) -> Floats:
        return source.apply(chosen.X, V, threads) if K is None else K.T @ V.astype(np.float32)

    def image(V: Floats) -> Floats:
        return chosen.apply(source.X, V, threads) if K is None else K @ V.astype(np.float32)

    def correct(R: Floats, theta: Floats) -> Floats:
        # A Ritz value of zero pads what has fewer components than were asked for.
        theta = np.maximum(theta, 1e-12 * float(values.max(initial=0)) or 1.0)
        gaps = np.maximum(theta - values[:, None], 1e-3 * theta)
        coefficients = (C.T @ adjoint(rooted(R))) * (1 / gaps - 1 / theta)
        return R / theta + rooted(image(C @ coefficients))

    return correct


def refine(
    problem: Problem,
    exact: CentredGram,
    quick: CentredGram,
    start: Floats,
    correct: Correction = lambda R, _: R,
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
    k, project, tol = problem.n_components, problem.centering.project, AMPLE * problem.tol
    left = MOST if problem.max_iter is None else problem.max_iter
    operator, before, complement = quick, np.inf, None
    while True:
        Q = orthonormal(orthonormal(start))
        del start
        if complement is not None or Q.shape[1] < k:
            P = exact.matmul(Q)
        else:
            most = 0 if problem.is_small else passes
            complement, P = Complement.of(exact, Q, k, problem.seed, most)
        quicker = np.zeros(Q.shape[1])  # by how many errors of a quick product P may be off
        width, error, seen, began = Q.shape[1], None, list[float](), time.monotonic()
        while True:
            # The lower triangle pairs new directions with the older, more precise products.
            found, S = np.linalg.eigh(Q.T @ P, UPLO="L")
            values, S = found[::-1][:k], S[:, ::-1]
            residuals, top = P @ S[:, :k], abs(float(values[0])) or 1.0
            residuals -= Q @ (S[:, :k] * values)
            norms = np.linalg.norm(residuals, axis=0) / top
            slack = MARGIN * (error or 0.0) / top * np.linalg.norm(quicker * S[:, :k].T, axis=1)
            # The sum has to meet the tolerance, unless only exact products can help.
            due = norms > np.where(slack < tol / 2, tol - slack, tol)
            seen.append(float(norms.max()))
            tell(len(seen), seen[-1], began)
            stalled = operator is quick and seen[-1] > min([np.inf, *seen[:-STALLED]]) / 2
            if not due.any() or left <= 0 or stalled or len(seen) > ROUND:
                break
            block, wanted = residuals[:, due], values[due]
            del residuals  # as large as what comes next
            if operator is quick:
                block = correct(block, wanted)
            block = project(block)
            block -= Q @ (Q.T @ block)
            block = orthonormalize_against(block, Q)
            if block.shape[1] == 0:
                break
            # The first product that is not exact carries a vector with a known one along.
            new = block if error is not None else np.hstack([block, Q @ S[:, :1]])
            images = operator.matmul(new) if complement is None else complement.along(operator, new)
            if error is None:
                error = float(np.linalg.norm(images[:, -1] - P @ S[:, 0]))
            if Q.shape[1] + block.shape[1] > _room(k, width):
                S = S[:, : max(2 * k, width)]
                Q, quicker = Q @ S, quicker @ abs(S)
                P = P @ S
            Q, quicker = np.hstack([Q, block]), np.append(quicker, np.ones(block.shape[1]))
            del block, new
            P = np.hstack([P, images[:, : Q.shape[1] - P.shape[1]]])
            del images
            left -= 1
        # Errors may add up where the vectors that they belong to cancel.
        worst_slack = operator.error(operator.size) * (quicker @ abs(S[:, :k]))
        worst, left = float((norms + slack).max()), left - 1
        stuck = worst > before / 2
        if worst <= tol or left <= 0 or (operator is exact and worst > 0.9 * before):
            break
        if stuck:  # the quick products get no further
            operator = exact
        start, before = Q @ S[:, : k + OVERSAMPLING], worst
    return Solution(
        values,
        Q @ S[:, :k],
        exact,
        products=P @ S[:, :k],
        slack=slack * top,
        worst_slack=worst_slack,
        quick=quick,
        complement=complement,
    )
