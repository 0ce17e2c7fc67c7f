"""The kernel matrix stored as its tiles on and above the diagonal."""

from collections.abc import Iterator

import numpy as np

from kpca.blocks import blocks
from kpca.gram.symmetric import symmetric_product
from kpca.kernels import BoundKernel
from kpca.threads import run_threads, snake
from kpca.types import Array, Floats, Matrix

EDGE = 240
GRAIN = 1e7  # multiplications that take longer than to start a thread
ENTRY = 10  # of them take as long as to compute an entry


class PackedGram:
    """One half of K: n²/2 entries, in float32 a quarter of n²·8 B.

    Parameters
    ----------
    edges : list of slice
        The blocks of rows, which are those of columns.
    tiles : list of list of ndarray
        For each block of rows its tiles, from the one on the diagonal on.
    diagonal : ndarray of shape (n,)
        In float64.
    n_threads : int
    """

    def __init__(
        self,
        edges: list[slice],
        tiles: list[list[Array]],
        diagonal: Floats,
        n_threads: int = 1,
    ) -> None:
        self.n = edges[-1].stop
        self.dtype = tiles[0][0].dtype
        self.n_threads = n_threads
        self._edges, self._tiles, self._diagonal = edges, tiles, diagonal

    @classmethod
    def from_kernel(cls, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> "PackedGram":
        """Compute the half of the kernel matrix of X, in the precision of the kernel."""
        edges = blocks(X.shape[0], EDGE)
        tiles: list[list[Array]] = [[] for _ in edges]
        left, used = kernel.left(X), _worthwhile(X.shape[0] ** 2 / 2 * ENTRY, n_threads)

        def work(thread: int) -> None:
            for i in snake(len(edges), thread, used):
                tiles[i] = _empty_row(edges, i, kernel.dtype)
                for columns, tile in zip(edges[i:], tiles[i], strict=True):
                    kernel.block(left[edges[i]], columns, tile)

        run_threads(work, used)
        return cls(edges, tiles, kernel.diagonal(X), n_threads)

    def matmul(self, V: Array) -> Floats:
        """K V in float64, in one pass over the stored tiles."""

        def tile_row(i: int, thread: int) -> Iterator[tuple[slice, Array]]:
            return zip(self._edges[i:], self._tiles[i], strict=True)

        used = _worthwhile(self.n**2 / 2 * V.shape[1], self.n_threads)
        return symmetric_product(self._edges, tile_row, V, self.dtype, used)

    def diagonal(self) -> Floats:
        """Give the diagonal of K."""
        return self._diagonal

    def squared_norm(self, weights: Floats | None = None) -> float:
        """Give Σ w_i w_j K_ij², by default ‖K‖_F²."""
        halves = np.zeros(self.n_threads)

        def square(i: int, j: int, tile: Array) -> float:
            if weights is None:
                return float(np.vdot(tile, tile))
            return float(weights[self._edges[i]] @ (tile**2 @ weights[self._edges[j]]))

        def work(thread: int) -> None:
            for i in snake(len(self._tiles), thread, self.n_threads):
                first, *others = (square(i, j, tile) for j, tile in enumerate(self._tiles[i], i))
                halves[thread] += first + 2 * sum(others)

        run_threads(work, self.n_threads)
        return float(halves.sum())


def _empty_row(edges: list[slice], i: int, dtype: np.dtype) -> list[Array]:
    """Reserve a row of tiles in one stretch of memory, each tile contiguous."""
    height = edges[i].stop - edges[i].start
    memory = np.empty(height * (edges[-1].stop - edges[i].start), dtype)
    tiles, start = [], 0
    for columns in edges[i:]:
        width = columns.stop - columns.start
        tiles.append(memory[start : start + height * width].reshape(height, width))
        start += height * width
    return tiles


def _worthwhile(multiplications: float, n_threads: int) -> int:
    """Give as many of the threads as have work for longer than they take to start."""
    return max(1, min(n_threads, int(multiplications / GRAIN)))
