"""Block Lanczos on a stored matrix, under three names.

"randomized" has scikit-learn's number of vectors and of power iterations. "arpack" is a synonym of
"krylov", since the block search has replaced the search from a single vector.
"""

from dataclasses import replace

import numpy as np

from kpca.certificates.completeness import Complement
from kpca.eigensolvers.decomposition import (
    AMPLE,
    Problem,
    Solution,
    definiteness_bytes,
    stored_bytes,
)
from kpca.linalg.block_lanczos import MAX_BASIS, block_lanczos
from kpca.operators import CentredGram

OVERSAMPLES = 10  # of "randomized", as in scikit-learn
LEAST_BLOCK = 8  # columns of a block


def memory(problem: Problem) -> float:
    """Count K and the vectors of the search."""
    k, width = problem.n_components, _width(problem)
    room = max(MAX_BASIS, 3 * width, 2 * k + width) + width
    search = 8 * float(problem.n) * (room + 7.6 * width + 37) + 24 * float(room) ** 2
    return stored_bytes(problem, search + definiteness_bytes(problem))


def _width(problem: Problem) -> int:
    if problem.solver == "randomized":
        return problem.n_components + OVERSAMPLES
    return max(problem.n_components, LEAST_BLOCK)  # so that no multiple eigenvalue is missed


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
    k, project, max_iter = problem.n_components, problem.centering.project, problem.max_iter
    if problem.solver == "randomized":
        max_iter = None if problem.power is None else problem.power + 1
    operator = CentredGram(problem.source.full(problem.n_threads), problem.centering)
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, _width(problem)))
    limit = {} if max_iter is None else {"max_iter": max_iter}
    space = block_lanczos(
        project(noise), operator.matmul, k, AMPLE * problem.tol, project=project, **limit
    )
    found = Solution(space.values[:k], space.vectors[:, :k], operator, space=space)
    if problem.is_small:
        return found
    complement, products = Complement.of(operator, space.vectors, k, problem.seed)
    return replace(found, products=products[:, :k], complement=complement)
