"""Block Lanczos on a stored matrix.

A kernel by name on many points is stored as a packed half in float32, searched to the floor of
that precision, and refined against a pass in float64 (`refine`, which "davidson" starts with).
Anything else is stored whole in float64.
"""

from dataclasses import replace

import numpy as np

from kpca.certificates.completeness import Remainder
from kpca.eigensolvers.problem import (
    Problem,
    Solution,
    definiteness_bytes,
    feature_bytes,
    stored_bytes,
)
from kpca.kernels import KERNELS, inner_products
from kpca.linalg.block_lanczos import MAX_BASIS, KrylovSpace, block_lanczos
from kpca.linalg.rayleigh_ritz import MAX_ITER, Correction, Subspace, iterate
from kpca.linalg.search import Product
from kpca.operators import CentredGram
from kpca.operators.grams import EDGE
from kpca.operators.sources import KernelSource
from kpca.types import Floats

SPARE = 4  # columns at least beyond those wanted: they speed up convergence and completeness
LANES = 8  # columns that the processor multiplies in one go: a block of fewer costs as much
SEARCH_FLOOR = 3e-7  # of λ_1: as far as a search in float32 gets
WHOLE = 1000  # up to so many points the float64 matrix fits into the caches
# Up to so many points, or so many for each column, kernel values cost more than keeping them.
LARGE, EACH_COLUMN = 3500, 200
AMPLE = 0.9  # of the tolerance: leaves room for what rounding adds to a residual by recurrence
# Of the refinement.
ROUNDS = 4
SINGLE_FLOOR = 1e-5  # of λ_1: below it quick products may have reached their precision
MARGIN = 4.0  # over the error of the quick product that was measured on one vector


def applicable(problem: Problem) -> str | None:
    """Take kernel matrices that are there already, or better kept than computed again."""
    source, n = problem.source, problem.n
    if not isinstance(source, KernelSource):
        return "the kernel matrix is stored whole"
    if not source.semidefinite:
        return "the kernel may be indefinite"
    if KERNELS[source.name].product is not inner_products:
        return "kernel values cost more than keeping them"
    if n <= (limit := max(LARGE, EACH_COLUMN * source.X.shape[1])):
        return f"n = {n} is at most {limit}"
    return None


def memory(problem: Problem) -> float:
    """Count half of K in float32 with its features, or K whole, and the vectors of the search."""
    n, features = float(problem.n), feature_bytes(problem.source)
    search = search_bytes(problem, _width(problem))
    if features and n > WHOLE:
        return 2 * n * (n + EDGE) + 1.4 * features + search
    return stored_bytes(problem, search)


def search_bytes(problem: Problem, width: int) -> float:
    """Estimate the bytes of the vectors that a search from so many columns holds at once."""
    k = problem.n_components
    room = max(MAX_BASIS, 3 * width, 2 * k + width) + width
    columns = room + 4 * width + 6 * k + 30
    return 8 * float(problem.n) * columns + 40 * float(room) ** 2 + definiteness_bytes(problem)


def _width(problem: Problem) -> int:
    return -(-(problem.n_components + SPARE) // LANES) * LANES


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ from a random block."""
    source, centering, threads = problem.source, problem.centering, problem.n_threads
    width = _width(problem)
    if not isinstance(source, KernelSource) or problem.n <= WHOLE:
        return solve_whole(problem, width, problem.max_iter)
    quick = CentredGram(source.packed(threads), centering, carries_means=False)
    exact = CentredGram(source.tiled(np.float64, threads), centering)
    tol = max(problem.tol, SEARCH_FLOOR)
    space = _search(problem, width, quick.matmul, tol, problem.max_iter)
    solution = refine(problem, exact, quick, space.vectors, made=space.products - 1)
    return replace(solution, space=space)


def _search(
    problem: Problem, width: int, product: Product, tol: float, max_iter: int | None
) -> KrylovSpace:
    project = problem.centering.project
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, width))
    limit = {} if max_iter is None else {"max_iter": max_iter}
    return block_lanczos(
        project(noise), product, problem.n_components, tol, project=project, **limit
    )


def solve_whole(problem: Problem, width: int, max_iter: int | None) -> Solution:
    """Search from a random block of so many columns with the whole matrix in float64."""
    k = problem.n_components
    operator = CentredGram(problem.source.full(problem.n_threads), problem.centering)
    space = _search(problem, width, operator.matmul, AMPLE * problem.tol, max_iter)
    return Solution(space.values[:k], space.vectors[:, :k], operator, space=space)


def refine(
    problem: Problem,
    exact: CentredGram,
    quick: CentredGram,
    start: Floats,
    correct: Correction | None = None,
    remainders: tuple[Remainder, ...] = (),
    made: int = 0,
) -> Solution:
    """Refine approximate eigenvectors: one exact pass, corrections by quick passes.

    The products of the start block are exact. Corrections are small, so that the error of
    their quick products enters in proportion: it is measured and added to the residuals, which
    are estimates therefore; what is proven takes a bound on the error in its place. Where
    quick products get no further, those of a last round are exact, and nothing is preconditioned.
    Products after the first are at most `max_iter`, with those `made` beforehand.
    """
    k, before, operator, tol = problem.n_components, np.inf, quick, AMPLE * problem.tol
    left = ROUNDS * MAX_ITER if problem.max_iter is None else problem.max_iter - made
    for _ in range(ROUNDS):
        subspace = Subspace.start(start, exact.matmul)
        ritz = iterate(
            subspace,
            operator.matmul,
            k,
            tol,
            correct=correct if operator is quick else None,
            project=problem.centering.project,
            max_iter=max(0, min(left, MAX_ITER)),
            floor=SINGLE_FLOOR if operator is quick else 0.0,
        )
        slack = MARGIN * (subspace.error or 0.0) * ritz.added
        worst_slack = operator.error(quick.size) * ritz.most
        worst = float((ritz.norms() + slack / ritz.top).max())
        left -= subspace.products_made
        if worst <= tol or operator is exact or left <= 0:
            break
        if worst > before / 2:  # the quick products get no further
            operator = exact
        start, before = ritz.vectors, worst
    return Solution(
        ritz.values,
        ritz.vectors,
        exact,
        products=ritz.products,
        slack=slack,
        worst_slack=worst_slack,
        remainders=remainders,
        quick=quick,
    )
