"""Block Lanczos on a stored matrix, under two names.

A kernel by name on many points is kept as one half in float32, searched as far as that precision
goes, and refined against a pass in float64. Anything else is stored whole in float64.

"randomized" is the same search under scikit-learn's name: stored whole, with its number of vectors
and of power iterations.
"""

from dataclasses import replace

import numpy as np

from kpca.certificates.completeness import Complement
from kpca.eigensolvers import decomposition as contract
from kpca.eigensolvers.davidson import refine, widened
from kpca.eigensolvers.decomposition import OVERSAMPLING, Problem, Solution
from kpca.linalg.block_lanczos import MAX_BASIS, KrylovSpace, block_lanczos
from kpca.operators import CentredGram
from kpca.operators.grams import KEPT
from kpca.types import Floats

OVERSAMPLES = 10  # of "randomized", as in scikit-learn
LANES = 8  # columns that the processor multiplies in one go: a block of fewer costs as much
FLOOR = 3e-7  # of λ_1: as far as a search in float32 gets
WHOLE = 1000  # up to so many points the float64 matrix fits into the caches


def memory(problem: Problem) -> float:
    """Count K, whole or half in float32, and the vectors of the search."""
    n, k, width = float(problem.n), problem.n_components, _width(problem)
    room = max(MAX_BASIS, 3 * width, 2 * k + width) + width
    search = 8 * n * (room + 4 * width + 3 * k + 30) + 24 * float(room) ** 2
    if not _is_stored_whole(problem):
        half = 2 * n * (n + KEPT) + 7e5 * (problem.n_threads - 1)
        return half + 1.4 * contract.feature_bytes(problem.source) + search
    return contract.stored_bytes(problem, search + contract.definiteness_bytes(problem))


def _is_stored_whole(problem: Problem) -> bool:
    known = problem.is_known and problem.solver != "randomized"
    return not known or problem.n <= WHOLE


def _width(problem: Problem) -> int:
    """Return the columns of a block, of which spare ones speed up convergence."""
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
    if _is_stored_whole(problem):
        operator = CentredGram(source.full(threads), centering)
        space = _search(problem, operator, contract.AMPLE * problem.tol)
        return with_remainder(problem, operator, space)
    exact = CentredGram(source.operator(threads), centering)
    quick = CentredGram(source.operator(threads, np.float32, keep=True), centering)
    space = _search(problem, quick, max(problem.tol, FLOOR))
    width, passes = widened(space.values, problem.n_components)
    if problem.max_iter is not None:
        problem = replace(problem, max_iter=max(0, problem.max_iter - space.products))
    start = space.vectors[:, :width]
    del space  # memory for the refinement
    return refine(problem, exact, quick, start, passes=passes)


def _search(problem: Problem, operator: CentredGram, tol: float) -> KrylovSpace:
    """Search from a random block."""
    project, max_iter = problem.centering.project, problem.max_iter
    if problem.solver == "randomized":
        max_iter = None if problem.power is None else problem.power + 1
    limit = {} if max_iter is None else {"max_iter": max_iter}
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, _width(problem)))
    start, product = project(noise), operator.matmul
    return block_lanczos(start, product, problem.n_components, tol, project=project, **limit)


def with_remainder(
    problem: Problem, operator: CentredGram, space: KrylovSpace, products: Floats | None = None
) -> Solution:
    """Return k pairs of a space, with a bound on the rest by random vectors.

    `products` are those of the pairs, of shape (n, k), if they are at hand.
    """
    k = problem.n_components
    pairs = space.values[:k], space.vectors[:, :k]
    width, passes = widened(space.values, k)
    if problem.is_small or not passes:
        return Solution(*pairs, operator, products, lowest=space.lowest)
    wide = space.vectors[:, :width]
    complement, products = Complement.of(operator, wide, k, problem.seed, passes)
    return Solution(
        *pairs, operator, products[:, :k], complement=complement, lowest=space.lowest
    )
