"""The kernel matrix never stored: every product computes its tiles anew."""

from collections.abc import Iterator

import numpy as np

from kpca.blocks import blocks
from kpca.gram.symmetric import edge_for, symmetric_product
from kpca.kernels import BoundKernel
from kpca.types import Array, Floats, Matrix


class TiledGram:
    """K as an operator of memory O(n), recomputed in every pass.

    Parameters
    ----------
    kernel : BoundKernel
        Bound to the training points; its precision is that of the tiles.
    X : array or sparse matrix of shape (n, d)
        The training points.
    n_threads : int
    """

    def __init__(self, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> None:
        self.kernel = kernel
        self.n = X.shape[0]
        self.dtype = kernel.dtype
        self.n_threads = n_threads
        self.passes = 0
        self._left = kernel.left(X)
        self._diagonal = kernel.diagonal(X)

    def diagonal(self) -> Floats:
        """Give the diagonal of K."""
        return self._diagonal

    def matmul(self, V: Array) -> Floats:
        """K V in float64, in one pass over the tiles."""
        self.passes += 1
        rows = blocks(self.n, edge_for(V.shape[1]))
        edge = rows[0].stop
        scratch = [np.empty(edge * edge, self.dtype) for _ in range(self.n_threads)]

        def tile_row(i: int, thread: int) -> Iterator[tuple[slice, Array]]:
            left = self._left[rows[i]]
            for columns in rows[i:]:
                shape = (left.shape[0], columns.stop - columns.start)
                tile = scratch[thread][: shape[0] * shape[1]].reshape(shape)
                yield columns, self.kernel.block(left, columns, tile)

        return symmetric_product(rows, tile_row, V, self.dtype, self.n_threads)
