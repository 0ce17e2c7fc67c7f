"""Block Krylov with Rayleigh–Ritz and thick restart on a stored matrix.

A kernel by name on many points is stored as a packed half in float32, searched to the floor of
that precision, and refined against a pass in float64. Anything else is stored whole in float64.
"""

import numpy as np

from kpca.completeness import MOST_FACTORED
from kpca.gram import CentredGram
from kpca.solvers.base import Problem, Solution
from kpca.solvers.search import MAX_ITER, random_search, refine
from kpca.solvers.subspace import Ritz, Subspace, iterate
from kpca.source import KernelSource
from kpca.types import Floats

SPARE = 4  # columns beyond those wanted: they speed up convergence and certify completeness
SINGLE_FLOOR = 3e-7
DEMANDING = 1e-9  # tolerances below leave no room for the errors of quick corrections
WHOLE = 1500  # up to so many points the float64 matrix fits into the caches


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ from a random block, or from a start that is known.

    References
    ----------
    Wu and Simon (2000), Thick-restart Lanczos method for large symmetric eigenvalue problems,
    SIAM J. Matrix Anal. 22.
    """
    source, centering, threads = problem.source, problem.centering, problem.n_threads
    if not isinstance(source, KernelSource) or problem.n <= WHOLE:
        return solve_whole(problem, SPARE, problem.max_iter)
    quick = CentredGram(source.packed(threads), centering, carries_means=False)
    exact = CentredGram(source.tiled(np.float64, threads), centering)
    tol = max(problem.tol, SINGLE_FLOOR)
    if problem.start is not None:
        start = _with_noise(problem.start, problem)
        if problem.tol < DEMANDING:
            start = _search_near(start, problem, quick, tol).vectors
        return refine(problem, exact, quick, start)
    ritz, seen = random_search(
        problem, quick.matmul, tol, SPARE, problem.max_iter, rounding=SINGLE_FLOOR
    )
    return refine(problem, exact, quick, ritz.vectors, random_start=seen)


def _with_noise(start: Floats, problem: Problem) -> Floats:
    """Add random directions, so that an eigenvector orthogonal to the start is found too."""
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, SPARE))
    return problem.centering.project(np.hstack([start, noise]))


def _search_near(start: Floats, problem: Problem, quick: CentredGram, tol: float) -> Ritz:
    """Come as near as low precision goes, where quick corrections of a far start err too much."""
    return iterate(
        Subspace.start(start, quick.matmul),
        quick.matmul,
        problem.n_components,
        tol,
        project=problem.centering.project,
        spare=SPARE,
        max_iter=MAX_ITER if problem.max_iter is None else problem.max_iter,
    )


def solve_whole(problem: Problem, spare: int, max_iter: int | None) -> Solution:
    """Search from a random block with the whole matrix in float64."""
    k = problem.n_components
    operator = CentredGram(problem.source.full(problem.n_threads), problem.centering)
    probing = 0.0 if problem.n > MOST_FACTORED else None
    ritz, seen = random_search(
        problem, operator.matmul, problem.tol, spare, max_iter, rounding=probing
    )
    ritz = ritz.head(k)
    return Solution(ritz.values, ritz.vectors, operator, ritz.products, random_start=seen)
