"""Refinement in float64 of what a search in a lower precision found."""

import numpy as np

from kpca.completeness import Remainder
from kpca.gram import CentredGram
from kpca.solvers.base import Problem, Solution
from kpca.solvers.subspace import Correction, Product, Subspace, iterate
from kpca.types import Array, Floats

ROUNDS = 4
MAX_ITER = 60
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
    their quick products enters in proportion: it is measured and added to the residuals.
    """
    k, before = problem.n_components, np.inf
    for _ in range(ROUNDS):
        subspace = Subspace.start(start, exact.matmul)
        product = MeasuredProduct(quick.matmul, subspace)
        ritz = iterate(
            subspace,
            product,
            k,
            problem.tol,
            correct=correct,
            project=problem.centering.project,
            max_iter=problem.max_iter or MAX_ITER,
        )
        slack = MARGIN * product.error * subspace.added(ritz)
        worst = float((ritz.norms() + slack / (abs(ritz.values[0]) or 1.0)).max())
        if worst <= problem.tol or worst > before / 2:
            break
        start, before = ritz.vectors, worst
    return Solution(
        ritz.values,
        ritz.vectors,
        exact,
        products=ritz.products,
        slack=slack,
        remainders=remainders,
        quick=quick,
    )


class MeasuredProduct:
    """A quick product whose error is measured, once, on a vector with a known exact product."""

    def __init__(self, product: Product, subspace: Subspace) -> None:
        self._product = product
        top = subspace.ritz(1)
        self._vector, self._exact = top.vectors, top.products
        self.error = 0.0

    def __call__(self, V: Array) -> Floats:
        """Give the quick product; the first call carries the test vector along."""
        if self.error > 0:
            return self._product(V)
        out = self._product(np.hstack([V, self._vector]))
        self.error = float(np.linalg.norm(out[:, -1:] - self._exact))
        return out[:, :-1]
