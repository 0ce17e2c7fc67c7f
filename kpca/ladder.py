"""The rungs of the completeness ladder that are computed from a solution."""

import math
from collections.abc import Iterator

import numpy as np
from scipy.linalg.lapack import dpotrf, spotrf

from kpca.completeness import FAILURE, MOST_FACTORED, RandomStart, Remainder
from kpca.gram import CentredGram, FullGram
from kpca.lanczos import Deflated, extremes
from kpca.solvers.base import Problem, Solution
from kpca.threads import pinned_blas
from kpca.types import Array, Floats

STEPS = 40


def ladder(
    solution: Solution,
    values: Floats,
    vectors: Floats,
    problem: Problem,
    lowest: float,
    limit: float,
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
    limit : float
        The bound that decides.
    """
    if problem.source.semidefinite:
        yield remaining_trace(solution.operator, values)
    yield from solution.remainders
    if (rung := remaining_frobenius(solution.operator, values)) is not None:
        yield rung
    if solution.random_start is not None:
        yield solution.random_start.remainder(problem.n, lowest)
        if solution.random_start.probed is not None:
            yield solution.random_start.probed
    if problem.n <= MOST_FACTORED:
        for precision in (np.float32, np.float64):
            with pinned_blas():
                rung = remaining_cholesky(solution.operator, values, vectors, limit, precision)
            if rung is not None:
                yield rung
                return
    if solution.random_start is None and isinstance(solution.operator.gram, FullGram):
        yield deflated_lanczos(solution.operator, vectors, lowest, STEPS, problem.seed)


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


def remaining_cholesky(
    operator: CentredGram, values: Floats, vectors: Floats, limit: float, precision: type
) -> Remainder | None:
    """Prove λ_{k+1} ≤ limit by a Cholesky factor of σI − (K̄ − AΛAᵀ), σ just below the limit.

    The factor exists where every eigenvalue of K̄ − AΛAᵀ is below σ, and by Weyl's inequality
    the largest of them bounds λ_{k+1}(K̄). What rounding may hide is taken off σ beforehand:
    a factor in n dimensions is exact for a matrix within (n + 1) u tr, u = eps/2, and here
    tr ≤ nσ.
    Needs K stored whole and equal weights.

    References
    ----------
    Higham (2002), Accuracy and stability of numerical algorithms, theorem 10.3.
    """
    gram, centering, n = operator.gram, operator.centering, operator.n
    if not isinstance(gram, FullGram) or centering.weights is not None:
        return None
    unit = float(np.finfo(precision).eps) / 2
    sigma = limit - (n + 2) * unit * n * limit - 2 * n * unit * operator.scale
    if sigma <= 0:
        return None
    means = operator.means
    centred_means = means - means.mean() / 2 if centering.center else np.zeros(n)
    ones = np.ones(n)
    left: Array = np.column_stack([vectors * values, centred_means, ones]).astype(precision)
    right: Array = np.column_stack([vectors, ones, centred_means]).astype(precision)
    matrix = left @ right.T
    matrix -= gram.K
    matrix.flat[:: n + 1] += sigma
    factorise = spotrf if precision == np.float32 else dpotrf
    info = factorise(matrix.T, lower=0, clean=0, overwrite_a=1)[1]
    return Remainder(limit, "Cholesky factor") if info == 0 else None


def deflated_lanczos(
    operator: CentredGram, vectors: Floats, lowest: float, steps: int, seed: int
) -> Remainder:
    """Bound the largest eigenvalue of (I − AAᵀ)K̄(I − AAᵀ) by Lanczos from a random start."""
    found = extremes(Deflated(operator, vectors), steps, seed)
    if found.exhausted:  # the Krylov space is invariant: nothing was left to see
        return Remainder(found.highest, "lanczos", FAILURE)
    return RandomStart(found.highest, found.steps, 1).remainder(operator.n, lowest)
