"""The kernel matrix stored as its tiles on and above the diagonal."""

from collections.abc import Iterator

import numpy as np

from kpca.blocks import blocks
from kpca.gram.base import KernelGram
from kpca.gram.symmetric import symmetric_product
from kpca.kernels import BoundKernel
from kpca.threads import run_threads, snake
from kpca.types import Array, Floats, Matrix

EDGE = 240


class PackedGram(KernelGram):
    """One half of K in the precision of the kernel: n²/2 entries, in float32 a quarter of n²·8 B.

    Parameters are those of `KernelGram`.
    """

    def __init__(self, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> None:
        super().__init__(kernel, X, n_threads)
        self._blocks = blocks(self.n, EDGE)
        self._rows: list[list[Array]] = [[] for _ in self._blocks]
        left = kernel.left(X)

        def work(thread: int) -> None:
            for i in snake(len(self._blocks), thread, n_threads):
                self._rows[i] = self._compute_row(kernel, left[self._blocks[i]], i)

        run_threads(work, n_threads)

    def _compute_row(self, kernel: BoundKernel, left: Matrix, i: int) -> list[Array]:
        """Compute a row of tiles in one stretch of memory, each tile contiguous."""
        height = left.shape[0]
        memory = np.empty(height * (self.n - self._blocks[i].start), self.dtype)
        tiles, start = [], 0
        for columns in self._blocks[i:]:
            width = columns.stop - columns.start
            tile = memory[start : start + height * width].reshape(height, width)
            tiles.append(kernel.block(left, columns, tile))
            start += tile.size
        return tiles

    def matmul(self, V: Array) -> Floats:
        """K V in float64, in one pass over the stored tiles."""
        self.passes += 1

        def tile_row(i: int, thread: int) -> Iterator[tuple[slice, Array]]:
            return zip(self._blocks[i:], self._rows[i], strict=True)

        return symmetric_product(self._blocks, tile_row, V, self.dtype, self.n_threads)
