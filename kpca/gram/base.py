"""What every Gram operator offers, and what those of a bound kernel have in common."""

from typing import Protocol

import numpy as np

from kpca.kernels import BoundKernel
from kpca.types import Array, Floats, Matrix


class Gram(Protocol):
    """A symmetric kernel matrix K of the training points, known by its products.

    Attributes
    ----------
    n : int
        Number of training points.
    dtype : dtype
        Precision in which entries of K are computed; products are accumulated in float64.
    """

    n: int
    dtype: np.dtype

    def matmul(self, V: Array) -> Floats:
        """K V for a block V of shape (n, p), in float64."""

    def diagonal(self) -> Floats:
        """Give the diagonal of K, in float64."""


class KernelGram:
    """The kernel matrix of a bound kernel on the points it is bound to, but for its products.

    Parameters
    ----------
    kernel : BoundKernel
        Bound to the training points; its precision is that of the tiles.
    X : array or sparse matrix of shape (n, d)
        The training points.
    n_threads : int
    """

    def __init__(self, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> None:
        self.n = X.shape[0]
        self.dtype = kernel.dtype
        self.n_threads = n_threads
        self._diagonal = kernel.diagonal(X)

    def diagonal(self) -> Floats:
        """Give the diagonal of K."""
        return self._diagonal
