"""The kernel matrix by explicit features, K = FFᵀ."""

import numpy as np

from kpca.types import Array, Floats


class FeatureGram:
    """K = F Fᵀ as an operator, for kernels with few explicit features.

    Parameters
    ----------
    F : ndarray of shape (n, D)
        In float64.
    """

    def __init__(self, F: Floats) -> None:
        self.F = F
        self.n = F.shape[0]
        self.dtype = np.dtype(np.float64)

    def diagonal(self) -> Floats:
        """Give the diagonal of K."""
        return np.einsum("ij,ij->i", self.F, self.F)

    def matmul(self, V: Array) -> Floats:
        """K V."""
        return self.F @ (self.F.T @ V)
