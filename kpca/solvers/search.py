"""Search from a random block, and refinement of what a search in low precision found."""

from dataclasses import replace

import numpy as np

from kpca.completeness import RandomStart, Remainder
from kpca.gram import CentredGram
from kpca.probes import Probes
from kpca.solvers.base import Problem, Solution
from kpca.solvers.subspace import Correction, Product, Ritz, Subspace, iterate
from kpca.types import Array, Floats

ROUNDS = 4
MAX_ITER = 60
POWERS = 5  # products for probes at most, where nothing else needs a product
MARGIN = 4.0  # over the error of the quick product that was measured on one vector


def random_search(
    problem: Problem,
    product: Product,
    tol: float,
    spare: int,
    max_iter: int | None = None,
    rounding: float | None = None,
) -> tuple[Ritz, RandomStart]:
    """Find the k largest Ritz pairs from k + spare random vectors, with what was seen beside.

    With `rounding`, the error of a product over λ_1, a few more products look for what the
    search has missed, where its own random start does not exclude it.
    """
    k = problem.n_components
    start = np.random.default_rng(problem.seed).standard_normal((problem.n, k + spare))
    subspace = Subspace.start(problem.centering.project(start), product)
    ritz = iterate(
        subspace,
        product,
        k,
        tol,
        project=problem.centering.project,
        spare=spare,
        max_iter=MAX_ITER if max_iter is None else max_iter,
    )
    beside = float(ritz.all_values[k]) if len(ritz.all_values) > k else 0.0
    seen = RandomStart(beside, subspace.steps, spare)
    if rounding is None or seen.remainder(problem.n, 0.0).bound <= ritz.values[k - 1]:
        return ritz, seen
    return ritz, replace(seen, probed=_probed(problem, product, subspace, ritz, beside, rounding))


def _probed(
    problem: Problem,
    product: Product,
    subspace: Subspace,
    ritz: Ritz,
    beside: float,
    rounding: float,
) -> Remainder:
    """Bound λ_{k+1}(K̄) by what K̄ has outside the space searched, T = QHQᵀ."""
    Q, H = subspace.basis, np.tril(subspace.projected)
    H += np.tril(H, -1).T
    slack = rounding * abs(float(ritz.values[0]))
    following = max(beside, 0.0) + slack
    probes = Probes(lambda V: Q @ (H @ (Q.T @ V)), following, problem.centering, problem.seed)
    joined, alone = probes.along(product), np.empty((problem.n, 0))
    for _ in range(POWERS):
        joined(alone)
        found = probes.remainder(slack)
        if found.bound <= ritz.values[problem.n_components - 1]:
            break
    return found


def refine(
    problem: Problem,
    exact: CentredGram,
    quick: CentredGram,
    start: Floats,
    correct: Correction | None = None,
    remainders: tuple[Remainder, ...] = (),
    random_start: RandomStart | None = None,
    probes: Probes | None = None,
) -> Solution:
    """Refine approximate eigenvectors: one exact pass, corrections by quick passes.

    The products of the start block are exact. Corrections are small, so that the error of
    their quick products enters in proportion: it is measured and added to the residuals.
    Probes ride along every pass.
    """
    along = probes.along if probes is not None else lambda product: product
    k, before = problem.n_components, np.inf
    for _ in range(ROUNDS):
        subspace = Subspace.start(start, along(exact.matmul))
        product = MeasuredProduct(along(quick.matmul), subspace)
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
    if probes is not None:
        remainders = (*remainders, probes.remainder(MARGIN * product.error))
    return Solution(
        ritz.values,
        ritz.vectors,
        exact,
        products=ritz.products,
        slack=slack,
        remainders=remainders,
        random_start=random_start,
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
