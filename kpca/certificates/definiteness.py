"""Whether a kernel matrix is positive semidefinite, by one rule for every solver and k."""

import warnings

import numpy as np
from scipy.linalg import eigvalsh

from kpca.linalg.block_lanczos import block_lanczos
from kpca.operators import CentredGram, FullGram
from kpca.operators.centering import centred_matrix
from kpca.types import Floats

SMALL = 500  # up to here LAPACK is as fast as a search
TOL = 1e-4  # of λ_1, on the residual of the smallest eigenvalue
MOST = 300  # products
NEGATIVE = {np.dtype(np.float64): 1e-8, np.dtype(np.float32): 1e-4}  # relative to λ_1


class IndefiniteKernelWarning(UserWarning):
    """The centred kernel matrix has a significantly negative eigenvalue."""


def smallest_eigenvalue(
    operator: CentredGram, top: float, seed: int, quick: CentredGram | None = None
) -> tuple[float, float]:
    """Give λ_min(K̄), and the residual of its vector where a search found it.

    It is exact where the matrix is small. Otherwise it is the Rayleigh quotient of a seeded Lanczos
    search on λ_1 − K̄, which ends at a residual of 1e-4 λ_1: an eigenvalue lies within the
    residual of it, and λ_min itself is never above.

    Parameters
    ----------
    operator : CentredGram
        K̄ in float64.
    top : float
        λ_1.
    seed : int
    quick : CentredGram, optional
        K̄ in a lower precision, to search in.
    """
    if operator.n <= SMALL and isinstance(operator.gram, FullGram):
        K = centred_matrix(operator.gram.K, operator.centering)
        return float(eigvalsh(K, subset_by_index=[0, 0], overwrite_a=True)[0]), 0.0
    searched = quick or operator
    start = np.random.default_rng(seed).standard_normal((operator.n, 1))
    space = block_lanczos(start, lambda V: top * V - searched.matmul(V), 1, TOL, max_iter=MOST)
    vector = space.vectors[:, :1]
    product = operator.matmul(vector)
    value = float(vector[:, 0] @ product[:, 0])
    return value, float(np.linalg.norm(product - value * vector))


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
