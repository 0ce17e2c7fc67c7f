"""Whether a kernel matrix is positive semidefinite, by one rule for every solver and k."""

import warnings

import numpy as np

from kpca.lanczos import extremes
from kpca.solvers.base import Solution
from kpca.types import Floats

STEPS = 30
NEGATIVE = {np.dtype(np.float64): 1e-8, np.dtype(np.float32): 1e-4}  # relative to λ_1


class IndefiniteKernelWarning(UserWarning):
    """The centred kernel matrix has a significantly negative eigenvalue."""


def smallest_eigenvalue(solution: Solution, seed: int) -> float:
    """Give λ_min(K̄): exact where the spectrum is known, otherwise by seeded Lanczos.

    The Lanczos value is a Rayleigh quotient in float64, so never below the true λ_min.
    """
    if solution.spectrum is not None:
        return float(solution.spectrum[-1])
    if solution.quick is None:
        return extremes(solution.operator, STEPS, seed).lowest
    vector = extremes(solution.quick, STEPS, seed).lowest_vector
    vector /= np.linalg.norm(vector)
    return float(vector @ solution.operator.matmul(vector[:, None])[:, 0])


def is_significant(value: float, top: float, precision: np.dtype) -> bool:
    """Whether a negative eigenvalue is more than rounding beside the largest one."""
    return value < -NEGATIVE[precision] * max(abs(top), np.finfo(np.float64).tiny)


def check(values: Floats, lowest: float, precision: np.dtype, rule: str) -> None:
    """Warn about an indefinite kernel, and refuse components that reach into it.

    Parameters
    ----------
    values : ndarray of shape (k,)
        Eigenvalues of the components, in any order.
    lowest : float
        λ_min(K̄).
    precision : dtype
        Precision of the data, which says what is rounding.
    rule : {"raise", "clip"}
        What to do where a component itself is significantly negative.

    Raises
    ------
    ValueError
        Where a component is significantly negative and the rule is "raise".
    """
    top = float(values.max())
    if rule == "raise" and is_significant(float(values.min()), top, precision):
        raise ValueError(
            f"There are significant negative eigenvalues ({values.min():g} beside a largest of "
            f"{top:g}): the kernel is not positive semidefinite. Ask for at most "
            f"{int((values > 0).sum())} components, or set indefinite='clip'."
        )
    if is_significant(lowest, top, precision):
        warnings.warn(
            f"The centred kernel matrix is indefinite: its smallest eigenvalue is {lowest:.3g} "
            f"beside a largest of {top:.3g}. The components are the algebraically largest; "
            "the trace, and with it the explained variance, holds negative mass.",
            IndefiniteKernelWarning,
            stacklevel=5,
        )
