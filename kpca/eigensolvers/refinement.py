"""The refinement of approximate eigenvectors: one exact pass, corrections by quick passes."""

import numpy as np

from kpca.certificates.completeness import Remainder
from kpca.eigensolvers.problem import Problem, Solution
from kpca.linalg.rayleigh_ritz import MAX_ITER, Correction, Subspace, iterate
from kpca.operators import CentredGram
from kpca.types import Floats

ROUNDS = 4
SINGLE_FLOOR = 1e-5  # of λ_1: below it quick products may have reached their precision
MARGIN = 4.0  # over the error of the quick product that was measured on one vector


def refine(
    problem: Problem,
    exact: CentredGram,
    quick: CentredGram,
    start: Floats,
    correct: Correction | None = None,
    remainders: tuple[Remainder, ...] = (),
) -> Solution:
    """Refine approximate eigenvectors: one exact pass, corrections by quick passes.

    The products of the start block are exact. Corrections are small, so that the error of
    their quick products enters in proportion: it is measured and added to the residuals, which
    are estimates therefore; what is proven takes a bound on the error in its place. Where
    quick products get no further, those of a last round are exact, and nothing is preconditioned.
    """
    k, before, operator = problem.n_components, np.inf, quick
    for _ in range(ROUNDS):
        subspace = Subspace.start(start, exact.matmul)
        ritz = iterate(
            subspace,
            operator.matmul,
            k,
            problem.tol,
            correct=correct if operator is quick else None,
            project=problem.centering.project,
            max_iter=problem.max_iter or MAX_ITER,
            floor=SINGLE_FLOOR if operator is quick else 0.0,
        )
        slack = MARGIN * (subspace.error or 0.0) * ritz.added
        worst_slack = operator.error(quick.size) * ritz.most
        worst = float((ritz.norms() + slack / ritz.top).max())
        if worst <= problem.tol or operator is exact:
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
