"""Block Lanczos on a stored matrix.

A kernel by name on many points is stored as a packed half in float32, searched to the floor of
that precision, and refined against a pass in float64 (`refine`, which "davidson" starts with).
Anything else is stored whole in float64.

"randomized" is the same search under scikit-learn's name: stored whole, with its number of vectors
and of power iterations.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from kpca.certificates.completeness import Complement, Remainder, krylov_complement
from kpca.eigensolvers.problem import (
    Problem,
    Solution,
    definiteness_bytes,
    feature_bytes,
    stored_bytes,
)
from kpca.linalg.block_lanczos import (
    MAX_BASIS,
    KrylovSpace,
    Product,
    block_lanczos,
    orthonormal,
    orthonormalize_against,
    tell,
)
from kpca.operators import CentredGram
from kpca.operators.grams import EDGE
from kpca.operators.sources import KernelSource
from kpca.types import Floats

OVERSAMPLING = 4  # columns at least beyond those wanted: they speed up convergence and completeness
WIDER = 20  # columns beyond those wanted that random vectors are helped by
OVERSAMPLES = 10  # of "randomized", as in scikit-learn
LANES = 8  # columns that the processor multiplies in one go: a block of fewer costs as much
SEARCH_FLOOR = 3e-7  # of λ_1: as far as a search in float32 gets
WHOLE = 1000  # up to so many points the float64 matrix fits into the caches
AMPLE = 0.9  # of the tolerance: leaves room for what rounding adds to a residual by recurrence
# Correction of the refinement.
Correction = Callable[[Floats, Floats], Floats]  # (residuals, Ritz values) → new directions
MOST = 240  # products by default
STALL = 0.7  # progress of less than this over two expansions is a floor, not convergence
SINGLE_FLOOR = 1e-5  # of λ_1: below it quick products may have reached their precision
MARGIN = 4.0  # over the error of the quick product that was measured on one vector


def memory(problem: Problem) -> float:
    """Count half of K in float32 with its features, or K whole, and the vectors of the search."""
    n, features = float(problem.n), feature_bytes(problem.source)
    search = _search_bytes(problem, _width(problem))
    if not _is_stored_whole(problem):
        return 2 * n * (n + EDGE) + 1.4 * features + search
    return stored_bytes(problem, search)


def _search_bytes(problem: Problem, width: int) -> float:
    """Estimate the bytes of the vectors that a search from so many columns holds at once."""
    k = problem.n_components
    room = max(MAX_BASIS, 3 * width, 2 * k + width) + width
    columns = room + 4 * width + 14 * k + 14
    return 8 * float(problem.n) * columns + 40 * float(room) ** 2 + definiteness_bytes(problem)


def _is_stored_whole(problem: Problem) -> bool:
    by_name = isinstance(problem.source, KernelSource)
    return problem.solver == "randomized" or not by_name or problem.n <= WHOLE


def width(values: Floats, k: int, low: float = 0.6) -> int:
    """Return how many Ritz vectors leave eigenvalues well below λ_k, that random vectors see."""
    return int(np.clip(np.count_nonzero(values > low * values[k - 1]), k + OVERSAMPLING, k + WIDER))


def _width(problem: Problem) -> int:
    if problem.solver == "randomized":
        return problem.n_components + OVERSAMPLES
    return -(-(problem.n_components + OVERSAMPLING) // LANES) * LANES


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ from a random block.

    For "randomized", with ``iterated_power="auto"``, it iterates until the tolerance is met; a
    number p is obeyed, and the residuals say what it reached: the space searched holds K̄^(p+1) Ω,
    as in scikit-learn. Components are the algebraically largest, not those of largest modulus.

    References
    ----------
    Halko, Martinsson, Tropp (2011), Finding structure with randomness, SIAM Review 53;
    Musco, Musco (2015), Randomized block Krylov methods, NeurIPS 28.
    """
    source, centering, threads = problem.source, problem.centering, problem.n_threads
    if _is_stored_whole(problem) or not isinstance(source, KernelSource):
        return _solve_whole(problem)
    quick = CentredGram(source.packed(threads), centering)
    exact = CentredGram(source.operator(threads), centering)
    tol = max(problem.tol, SEARCH_FLOOR)
    space = _search(problem, quick.matmul, tol, problem.max_iter)
    k = problem.n_components
    settled = krylov_complement(space, k, quick, quick.means).bound < space.values[k - 1]
    p = space.vectors.shape[1] if settled else width(space.values, k)
    start = space.basis @ space.ritz_coefficients[:, :p]
    solution = refine(problem, exact, quick, start, made=space.products - 1, settled=settled)
    return replace(solution, space=space)


def _search(problem: Problem, product: Product, tol: float, max_iter: int | None) -> KrylovSpace:
    """Search from a random block."""
    project, k = problem.centering.project, problem.n_components
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, _width(problem)))
    limit = {} if max_iter is None else {"max_iter": max_iter}
    return block_lanczos(project(noise), product, k, tol, project=project, **limit)


def _solve_whole(problem: Problem) -> Solution:
    """Search with the whole matrix in float64."""
    k, max_iter = problem.n_components, problem.max_iter
    if problem.solver == "randomized":
        max_iter = None if problem.power is None else problem.power + 1
    operator = CentredGram(problem.source.full(problem.n_threads), problem.centering)
    space = _search(problem, operator.matmul, AMPLE * problem.tol, max_iter)
    return Solution(space.values[:k], space.vectors[:, :k], operator, space=space)


def refine(
    problem: Problem,
    exact: CentredGram,
    quick: CentredGram,
    start: Floats,
    correct: Correction | None = None,
    remainders: tuple[Remainder, ...] = (),
    made: int = 0,
    settled: bool = False,
) -> Solution:
    """Refine approximate eigenvectors: one exact pass, corrections by quick passes.

    The span of the start block, whose products are exact, grows by the residuals of the wanted Ritz
    pairs, preconditioned (Davidson's method) or not. Corrections are small, so that the error of
    their quick products enters in proportion: it is measured and added to the residuals, which
    are estimates therefore; what is proven takes a bound on the error in its place. Where
    quick products get no further, those of a last round are exact, and nothing is preconditioned.
    Products after the first are at most `max_iter`, with those `made` beforehand. Unless it is
    `settled` that no eigenvalue is missing, random vectors go along in them.

    References
    ----------
    Davidson (1975), J. Comput. Phys. 17.
    """
    k, project, tol = problem.n_components, problem.centering.project, AMPLE * problem.tol
    left = MOST if problem.max_iter is None else problem.max_iter - made
    operator, before, complement = quick, np.inf, None
    while True:
        Q = orthonormal(orthonormal(start))
        if settled or problem.is_small or complement is not None or Q.shape[1] < k:
            P = exact.matmul(Q)
        else:
            complement = Complement(Q, k, project, problem.seed)
            P = complement.along(exact, Q)
            complement.set_products(P, exact.error(exact.size) * Q.shape[1] ** 0.5)
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
            if correct is not None and operator is quick:
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
        worst_slack = operator.error(quick.size) * (Q.shape[1] - width) ** 0.5 * added
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
        remainders=remainders,
        quick=quick,
        complement=complement,
    )


def stalled(history: list[float], floor: float) -> bool:
    """Whether small residuals have stopped falling, as they do at the floor of a precision."""
    return len(history) > 3 and history[-1] < floor and history[-1] > STALL * history[-3]
