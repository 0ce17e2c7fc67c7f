"""What a kernel is made of.

Every kernel but the laplacian is an elementwise *link* of one inner product between
*features* of the two points, k(x, y) = link(left(x) · right(y)): one matrix product and one
pass in place give a whole block of the kernel matrix. The laplacian takes the city-block
distance in place of the inner product.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kpca.types import Array, Floats, Matrix


@dataclass(frozen=True)
class KernelParameters:
    """The parameters of a kernel, by scikit-learn's names; each kernel reads its own."""

    gamma: float = 1.0
    degree: float = 3.0
    coef0: float = 1.0


Features = Callable[[Matrix, KernelParameters], Matrix]


@dataclass(frozen=True)
class Kernel:
    """One kernel: features of both sides, how they meet, and the link on top.

    Attributes
    ----------
    left, right : callable
        (X, parameters) → features, one row a point.
    link : callable
        (T, parameters) → None, applied in place to the block T of products.
    diagonal : callable
        (X, parameters) → k(x_i, x_i).
    semidefinite : callable
        parameters → whether the kernel is positive semidefinite for certain.
    product : callable
        (left, right, out) → None, by default the inner products.
    uses : tuple of str
        Names of the parameters that the kernel reads.
    reach : callable, optional
        (X, parameters) → a bound on the negated argument of the exponential among the rows of
        X. It marks the kernels of x − y, whose data are centred first, against cancellation.
    """

    left: Features
    right: Features
    link: Callable[[Array, KernelParameters], None]
    diagonal: Callable[[Matrix, KernelParameters], Floats]
    semidefinite: Callable[[KernelParameters], bool]
    product: Callable[[Matrix, Matrix, Array], None]
    uses: tuple[str, ...] = ()
    reach: Callable[[Matrix, KernelParameters], float] | None = None


def is_sparse(X: Matrix) -> bool:
    """Say whether X is a scipy.sparse matrix, without importing scipy.sparse."""
    return hasattr(X, "tocsr")


def squared_norms(X: Matrix) -> Floats:
    """Squared Euclidean norm of each row, in float64."""
    if is_sparse(X):
        return np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel()
    return np.einsum("ij,ij->i", X, X, dtype=np.float64)
