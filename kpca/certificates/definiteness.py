"""Whether a kernel matrix is positive semidefinite, by one rule for every solver and k."""

import math
from dataclasses import dataclass

import numpy as np

from kpca.certificates.completeness import FAILURE
from kpca.linalg.block_lanczos import block_lanczos
from kpca.linalg.symmetric import eigvalsh
from kpca.operators import CentredGram, FullGram
from kpca.types import Floats
from kpca.warning import warn

SMALL = 1000  # up to here LAPACK finds every eigenvalue as fast as a search
SEARCH_TOL = 1e-4  # of λ_1, on the residual of the smallest eigenvalue
MAX_PRODUCTS = 300  # products
# Relative to λ_1, by the precision of the data: what is warned about, and what is refused where a
# component itself is as negative (scikit-learn's thresholds).
NEGATIVE = {np.dtype(np.float64): 1e-8, np.dtype(np.float32): 1e-4}
TOO_NEGATIVE = {np.dtype(np.float64): 1e-5, np.dtype(np.float32): 5e-3}


@dataclass(frozen=True)
class Definiteness:
    """Lower bound on the smallest eigenvalue λ_min(K̄).

    Attributes
    ----------
    status : {"proven", "probable", "assumed", "open"}
        Status of the bound; "assumed" if only some columns of a matrix were read; "open" only for
        models that an earlier version saved.
    smallest : float
        λ_min, or an estimate that is never below it.
    residual : float
        Norm of the residual of the estimate: an eigenvalue lies within it.
    bound : float
        No eigenvalue is below it, up to the probability of failure.
    failure : float
        Probability that one is; 0 if the bound is proven.
    """

    status: str
    smallest: float
    residual: float
    bound: float
    failure: float

    def times(self, factor: float) -> "Definiteness":
        """Return the statement for a matrix that is larger by a factor.

        Parameters
        ----------
        factor : float
            The factor.

        Returns
        -------
        Definiteness
            The same statement, with eigenvalue, residual and bound times the factor.
        """
        parts = (self.smallest * factor, self.residual * factor, self.bound * factor)
        return Definiteness(self.status, *parts, self.failure)


SEMIDEFINITE = Definiteness("proven", 0.0, 0.0, 0.0, 0.0)  # what the kernel itself says
ASSUMED = Definiteness("assumed", 0.0, 0.0, 0.0, 0.0)  # what the caller says


class IndefiniteKernelWarning(UserWarning):
    """The centred kernel matrix has a significantly negative eigenvalue."""


def spectrum(operator: CentredGram) -> Floats | None:
    """Return all eigenvalues of K̄ in decreasing order if the matrix is stored and small."""
    if operator.n > SMALL or not isinstance(operator.gram, FullGram):
        return None
    values = eigvalsh(operator.centering.matrix(operator.gram.K), driver="evd", overwrite_a=True)
    return np.asarray(values[::-1], dtype=np.float64)


def kuczynski_wozniakowski_bound(estimate: float, steps: int, n: int) -> float:
    """Bound λ_1 of a semidefinite matrix by what Lanczos finds from a random start.

    The `estimate` μ after q `steps` has P[μ ≤ (1 − ε) λ] ≤ 1.648 √n exp(−√ε (2q − 1)), which is
    1e-6 here.

    References
    ----------
    Kuczyński, Woźniakowski (1992), Estimating the largest eigenvalue by the power and Lanczos
    algorithms with a random start, SIAM J. Matrix Anal. 13.
    """
    epsilon = ((math.log(1.648 * math.sqrt(n)) - math.log(FAILURE)) / (2 * steps - 1)) ** 2
    return max(estimate, 0.0) / (1 - epsilon) if epsilon < 1 else math.inf


def definiteness(operator: CentredGram, top: float, seed: int) -> Definiteness:
    """Find λ_min(K̄), given λ_1 (`top`).

    It is the Rayleigh quotient of a seeded Lanczos search on B = λ_1 − K̄, which ends at a residual
    of 1e-4 λ_1. What the search has seen from its random start bounds λ_1(B), and with it λ_min,
    but for rounding and a probability of 1e-6.
    """
    n = operator.n
    start, shift = np.random.default_rng(seed).standard_normal((n, 1)), top * (1 + SEARCH_TOL)
    space = block_lanczos(
        start, lambda V: shift * V - operator.matmul(V), 1, SEARCH_TOL, max_iter=MAX_PRODUCTS
    )
    vector = space.vectors[:, :1]
    image = operator.matmul(vector)
    value = float(vector[:, 0] @ image[:, 0])
    residual = float(np.linalg.norm(image - value * vector))
    lost = operator.error(operator.size) * math.sqrt(len(space.values))
    above = kuczynski_wozniakowski_bound(shift - value + residual + lost, space.steps, n)
    return Definiteness("probable", value, residual, shift - above, FAILURE)


def is_negative(value: float, operator: CentredGram, top: float, least: float) -> bool:
    """Return whether an eigenvalue is negative beyond rounding and a fraction of the largest."""
    rounding = operator.n * float(np.finfo(np.float64).eps) * operator.scale
    return value < -max(least * abs(top), rounding)


def check(values: Floats, lowest: float, operator: CentredGram, dtype: np.dtype, rule: str) -> None:
    """Warn about an indefinite kernel, and refuse components that reach into it.

    `values` are the eigenvalues of the k components, in any order, and `lowest` is λ_min(K̄). The
    trace of the operator and the `dtype` of the data say what is rounding.

    Raises
    ------
    ValueError
        Where a component is significantly negative and the rule is "raise", not "clip".
    """
    top, positive = float(values.max()), int((values > 0).sum())
    if rule == "raise" and is_negative(float(values.min()), operator, top, TOO_NEGATIVE[dtype]):
        remedy = f"Ask for at most {positive} components, or set" if positive else "Set"
        raise ValueError(
            f"There are significant negative eigenvalues ({values.min():g}, the largest is "
            f"{top:g}): the kernel is not positive semidefinite. {remedy} indefinite='clip'."
        )
    if is_negative(lowest, operator, top, NEGATIVE[dtype]):
        warn(
            f"The centred kernel matrix is indefinite: its smallest eigenvalue is {lowest:.3g}, "
            f"the largest is {top:.3g}. The components are the algebraically largest; "
            "the trace, and with it the explained variance, holds negative mass.",
            IndefiniteKernelWarning,
        )
