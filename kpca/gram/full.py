"""The kernel matrix stored whole."""

import numpy as np

from kpca.blocks import blocks, tall_product
from kpca.kernels import BoundKernel
from kpca.threads import run_threads, snake
from kpca.types import Array, Floats, Matrix

TILE = 512


class FullGram:
    """K stored as one float64 array.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Symmetric; kept by reference and never changed.
    n_threads : int
    """

    def __init__(self, K: Floats, n_threads: int = 1) -> None:
        self.K = K
        self.n_threads = n_threads
        self.n = K.shape[0]
        self.dtype = np.dtype(np.float64)

    @classmethod
    def from_kernel(cls, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> "FullGram":
        """Compute K tile by tile on and above the diagonal, and mirror it."""
        left, n = kernel.left(X), X.shape[0]
        K = np.empty((n, n))
        if n <= TILE:
            kernel.block(left, slice(None), K)
            return cls(K, n_threads)
        edges = blocks(n, TILE)

        def work(thread: int) -> None:
            for i in snake(len(edges), thread, n_threads):
                _fill_row(kernel, left, K, edges, i)

        run_threads(work, n_threads)
        return cls(K, n_threads)

    def matmul(self, V: Array) -> Floats:
        """Give K V."""
        return tall_product(self.K, V, self.n_threads)

    def squared_norm(self, weights: Floats | None = None) -> float:
        """Give Σ w_i w_j K_ij², by default ‖K‖_F²."""
        if weights is None:
            return float(np.vdot(self.K, self.K))
        parts = blocks(self.n, TILE)
        return sum(float(weights[rows] @ (self.K[rows] ** 2 @ weights)) for rows in parts)

    def diagonal(self) -> Floats:
        """Give the diagonal of K."""
        return self.K.diagonal().copy()


def _fill_row(kernel: BoundKernel, left: Matrix, K: Floats, edges: list[slice], i: int) -> None:
    rows = edges[i]
    height = rows.stop - rows.start
    for columns in edges[i:]:
        tile = np.empty((height, columns.stop - columns.start))
        kernel.block(left[rows], columns, tile)
        K[rows, columns] = tile
        K[columns, rows] = tile.T
