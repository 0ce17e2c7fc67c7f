"""The rungs of the completeness ladder that are computed from a solution."""

import math
from collections.abc import Iterator

import numpy as np

from kpca.completeness import FAILURE, RandomStart, Remainder
from kpca.gram import CentredGram, FullGram
from kpca.lanczos import Deflated, extremes
from kpca.solvers.base import Problem, Solution
from kpca.types import Floats

STEPS = 40
MOST_POINTS = 5000  # beyond, Lanczos would cost more than the fit


def ladder(
    solution: Solution, values: Floats, vectors: Floats, problem: Problem, lowest: float
) -> Iterator[Remainder]:
    """Yield bounds on the eigenvalues left out, in order of cost.

    Parameters
    ----------
    solution : Solution
    values, vectors : ndarray of shape (k,) and (n, k)
        The sorted eigenpairs.
    problem : Problem
    lowest : float
        λ_min(K̄), or 0 for a positive semidefinite kernel.
    """
    if problem.source.semidefinite:
        yield remaining_trace(solution.operator, values)
    yield from solution.remainders
    if (rung := remaining_frobenius(solution.operator, values)) is not None:
        yield rung
    if solution.random_start is not None:
        yield solution.random_start.remainder(problem.n, lowest)
    elif problem.n <= MOST_POINTS:
        quick = solution.quick or solution.operator
        yield deflated_lanczos(quick, vectors, lowest, STEPS, problem.seed)


def remaining_trace(operator: CentredGram, values: Floats) -> Remainder:
    """λ_{k+1} ≤ tr(K̄) − Σ λ_i for a positive semidefinite matrix."""
    return Remainder(max(operator.trace - float(values.sum()), 0.0), "remaining trace")


def remaining_frobenius(operator: CentredGram, values: Floats) -> Remainder | None:
    """λ_{k+1}² ≤ ‖K̄‖_F² − Σ λ_i², where K is stored whole and the weights are equal."""
    gram, centering = operator.gram, operator.centering
    if not isinstance(gram, FullGram) or centering.weights is not None:
        return None
    square = gram.squared_norm()
    if centering.center:
        means = operator.means
        square += operator.n**2 * float(means.mean()) ** 2 - 2 * operator.n * float(means @ means)
    rounding = np.finfo(np.float64).eps * operator.n * square
    left = square - float((values**2).sum()) + rounding
    return Remainder(math.sqrt(max(left, 0.0)), "remaining Frobenius norm")


def deflated_lanczos(
    operator: CentredGram, vectors: Floats, lowest: float, steps: int, seed: int
) -> Remainder:
    """Bound the largest eigenvalue of (I − AAᵀ)K̄(I − AAᵀ) by Lanczos from a random start."""
    found = extremes(Deflated(operator, vectors), steps, seed)
    if found.exhausted:  # the Krylov space is invariant: nothing was left to see
        return Remainder(found.highest, "lanczos", FAILURE)
    return RandomStart(found.highest, found.steps, 1).remainder(operator.n, lowest)
