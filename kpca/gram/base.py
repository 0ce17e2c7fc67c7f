"""What every Gram operator offers."""

from typing import Protocol

import numpy as np

from kpca.types import Array, Floats


class Gram(Protocol):
    """A symmetric kernel matrix K of the training points, known by its products.

    Attributes
    ----------
    n : int
        Number of training points.
    dtype : dtype
        Precision in which entries of K are computed; products are accumulated in float64.
    passes : int
        How often K has been gone through so far.
    """

    n: int
    dtype: np.dtype
    passes: int

    def matmul(self, V: Array) -> Floats:
        """K V for a block V of shape (n, p), in float64."""

    def diagonal(self) -> Floats:
        """Give the diagonal of K, in float64."""
