"""Certify whether a kernel matrix is positive semidefinite, by the same rule for every solver.

A fit stores an upper bound on λ_min(K̄), which the solver's search gives at no extra cost. The
proof is computed when `definiteness_` is read (`smallest_eigenvalue`).
"""

import math
from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from kpca.certificates.completeness import is_below
from kpca.linalg.symmetric import eigvalsh
from kpca.operators.grams import CentredGram, FullGram
from kpca.types import EPS, FLOAT32, FLOAT64, TINY, Floats
from kpca.validation import warn

SMALL = 1000  # largest n for which LAPACK finds all eigenvalues as fast as a search finds one
SEARCH_TOL = 1e-4  # tolerance on the residual of the smallest eigenvalue, relative to λ_1
# Thresholds relative to λ_1, per precision of the data. An eigenvalue below −NEGATIVE λ_1 gives a
# warning. A component with an eigenvalue below −TOO_NEGATIVE λ_1 is refused, as in scikit-learn.
NEGATIVE = {FLOAT64: 1e-8, FLOAT32: 1e-4}
TOO_NEGATIVE = {FLOAT64: 1e-5, FLOAT32: 5e-3}


@dataclass(frozen=True)
class Definiteness:
    """Lower bound on the smallest eigenvalue λ_min(K̄).

    Attributes
    ----------
    status : {"proven", "assumed", "open"}
        Status of the bound. "assumed" if only some columns of a matrix were read. "open" if the
        bound is not proven.
    smallest : float
        λ_min, or an estimate that is never below it.
    residual : float
        Bound on the distance of λ_min from `smallest`; infinite if the status is "open".
    bound : float
        Lower bound on all eigenvalues.
    """

    status: str
    smallest: float
    residual: float
    bound: float


SEMIDEFINITE = Definiteness("proven", 0.0, 0.0, 0.0)  # The kernel is semidefinite by construction.
ASSUMED = Definiteness("assumed", 0.0, 0.0, 0.0)  # The caller guarantees a semidefinite kernel.


class IndefiniteKernelWarning(UserWarning):
    """The centred kernel matrix has a significantly negative eigenvalue."""


def spectrum(operator: CentredGram) -> Floats | None:
    """Return all eigenvalues of K̄ in decreasing order if the matrix is stored and small."""
    if operator.n > SMALL or not isinstance(operator.gram, FullGram):
        return None
    centred = operator.centering.matrix(operator.gram.K)
    return eigvalsh(centred, driver="evd", overwrite_a=True)[::-1]


def of_spectrum(operator: CentredGram, values: Floats) -> Definiteness:
    """Return the certificate that follows from `values`: all eigenvalues in decreasing order."""
    least = float(values[-1])
    rounding = operator.backward_error
    return Definiteness("proven", least, rounding, least - rounding)


def met(operator: CentredGram, lowest: float) -> Definiteness:
    """Return an upper bound on λ_min(K̄): the smallest of the known Rayleigh quotients.

    `lowest` is the smallest quotient of a search. The quotients of single samples are K̄_ii, and
    the vector of the roots of the weights has the quotient zero if K̄ is centred.
    """
    least = min(lowest, float(operator.diagonal.min()))
    least = min(least, 0.0) if operator.centering.center else least
    return Definiteness("open", least, math.inf, -math.inf)


def smallest_eigenvalue(
    operator: CentredGram, known: Definiteness, top: float, dtype: np.dtype, seed: int
) -> Definiteness:
    """Bound λ_min(K̄) of a stored matrix, given λ_1 (`top`) and the `known` upper bound.

    A Cholesky factor of K̄ + σI proves that no eigenvalue is below −σ, where σ is the larger of
    `NEGATIVE` · tr(K̄)/n and the rounding. If this factor does not exist, the smallest eigenvalue
    is computed, and a factor of K̄ shifted by this eigenvalue proves the bound.
    """
    negated = operator.centering.matrix(cast(FullGram, operator.gram).K)
    np.negative(negated, out=negated)
    unit = operator.n * EPS * operator.scale
    sigma = max(NEGATIVE[dtype] * operator.trace / operator.n, 4 * unit, TINY)
    if is_below(negated, sigma):
        return _proven(operator, known.smallest, sigma)
    values = spectrum(operator)
    if values is not None:
        return of_spectrum(operator, values)
    value, residual = _search(negated, top, seed)
    sigma = 2 * residual + 4 * unit - value
    least = min(value, known.smallest)
    if is_below(negated, sigma):
        return _proven(operator, least, sigma)
    return Definiteness("open", least, math.inf, -math.inf)


def _proven(operator: CentredGram, smallest: float, sigma: float) -> Definiteness:
    bound = -sigma - operator.backward_error
    return Definiteness("proven", smallest, max(smallest - bound, 0.0), bound)


def _search(negated: Floats, top: float, seed: int) -> tuple[float, float]:
    """Return a Rayleigh quotient near the smallest eigenvalue of K̄, and its residual.

    The search finds the largest eigenvalue of σI − K̄, where `negated` is −K̄, and the shift σ is
    slightly above λ_1 (`top`).
    """
    shift = (1 + SEARCH_TOL) * top or 1.0
    shape = negated.shape
    shifted = LinearOperator(shape, lambda v: shift * v + negated @ v, dtype=np.float64)
    start = np.random.default_rng(seed).standard_normal(len(negated))
    _, vectors = eigsh(shifted, k=1, which="LA", tol=SEARCH_TOL, v0=start)
    vector = vectors[:, 0]
    image = -(negated @ vector)
    value = float(vector @ image)
    return value, float(np.linalg.norm(image - value * vector))


def is_negative(value: float, operator: CentredGram, top: float, least: float) -> bool:
    """Return whether `value` is below zero by more than rounding and `least` times |`top`|."""
    rounding = operator.n * EPS * operator.scale
    return value < -max(least * abs(top), rounding)


def check(values: Floats, lowest: float, operator: CentredGram, dtype: np.dtype, rule: str) -> None:
    """Warn if K̄ is indefinite, and refuse components of significantly negative eigenvalue.

    `values` are the eigenvalues of the k components, in any order, and `lowest` is λ_min(K̄) or an
    estimate that is not below it. The trace of the operator and the `dtype` of the data determine
    what counts as rounding.

    Raises
    ------
    ValueError
        If `rule` is "raise" (the alternative is "clip"), and a component has a significantly
        negative eigenvalue or no eigenvalue is positive.
    """
    top = values.max()
    positive = np.count_nonzero(values > 0)
    rounding = operator.n * EPS * -operator.trace
    if rule == "raise" and top <= rounding and rounding > 0:
        raise ValueError(
            f"The centred kernel matrix has no positive eigenvalue, and its trace is "
            f"{operator.trace:.3g}. If these are distances D, pass exp(-gamma * D**2), or "
            "-D**2 / 2 for classical scaling. Set indefinite='clip' for components of eigenvalue 0."
        )
    if rule == "raise" and is_negative(values.min(), operator, top, TOO_NEGATIVE[dtype]):
        remedy = f"Ask for at most {positive} components, or set" if positive else "Set"
        raise ValueError(
            f"There are significant negative eigenvalues ({values.min():g}, the largest is "
            f"{top:g}): the kernel is not positive semidefinite. {remedy} indefinite='clip'."
        )
    if is_negative(lowest, operator, top, NEGATIVE[dtype]):
        warn(
            f"The centred kernel matrix is indefinite: it has an eigenvalue of {lowest:.3g} or "
            f"below, the largest is {top:.3g}. The components are the algebraically largest; "
            "the trace, and with it the explained variance, holds negative mass.",
            IndefiniteKernelWarning,
        )
