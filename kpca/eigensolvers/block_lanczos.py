"""Block Lanczos on a stored matrix.

A kernel by name on many points is stored as a packed half in float32, searched to the floor of
that precision, and refined against a pass in float64. Anything else is stored whole in float64.
"""

from dataclasses import replace

import numpy as np

from kpca.eigensolvers.problem import Problem, Solution
from kpca.eigensolvers.refinement import refine
from kpca.linalg.block_lanczos import KrylovSpace, block_lanczos
from kpca.linalg.orthonormal import Product
from kpca.operators import CentredGram
from kpca.operators.sources import KernelSource

SPARE = 4  # columns at least beyond those wanted: they speed up convergence and completeness
LANES = 8  # columns that the processor multiplies in one go: a block of fewer costs as much
OVERSAMPLES = 10  # columns of the randomized solver beyond those wanted, as in scikit-learn
SINGLE_FLOOR = 3e-7
WHOLE = 1000  # up to so many points the float64 matrix fits into the caches
AMPLE = 0.9  # of the tolerance: leaves room for what rounding adds to a residual by recurrence


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ from a random block."""
    source, centering, threads = problem.source, problem.centering, problem.n_threads
    width = columns(problem.n_components + SPARE)
    if not isinstance(source, KernelSource) or problem.n <= WHOLE:
        return _solve_whole(problem, width, problem.max_iter)
    quick = CentredGram(source.packed(threads), centering, carries_means=False)
    exact = CentredGram(source.tiled(np.float64, threads), centering)
    tol = max(problem.tol, SINGLE_FLOOR)
    space = _search(problem, width, quick.matmul, tol, problem.max_iter)
    solution = refine(problem, exact, quick, space.vectors)
    return replace(solution, space=space)


def solve_randomized(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ from a random block of k + 10 vectors.

    With ``iterated_power="auto"`` it iterates until the tolerance is met; a number is obeyed,
    and the residuals say what it reached. Components are the algebraically largest, not those
    of largest modulus.

    References
    ----------
    Halko, Martinsson, Tropp (2011), Finding structure with randomness, SIAM Review 53;
    Musco, Musco (2015), Randomized block Krylov methods, NeurIPS 28.
    """
    return _solve_whole(problem, problem.n_components + OVERSAMPLES, problem.power)


def columns(wanted: int) -> int:
    """Give the width of a block that holds so many columns and wastes none of a processor."""
    return -(-wanted // LANES) * LANES


def _search(
    problem: Problem, width: int, product: Product, tol: float, max_iter: int | None
) -> KrylovSpace:
    project = problem.centering.project
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, width))
    limit = {} if max_iter is None else {"max_iter": max_iter}
    return block_lanczos(
        project(noise), product, problem.n_components, tol, project=project, **limit
    )


def _solve_whole(problem: Problem, width: int, max_iter: int | None) -> Solution:
    """Search from a random block of so many columns with the whole matrix in float64."""
    k = problem.n_components
    operator = CentredGram(problem.source.full(problem.n_threads), problem.centering)
    space = _search(problem, width, operator.matmul, AMPLE * problem.tol, max_iter)
    return Solution(space.values[:k], space.vectors[:, :k], operator, space=space)
