"""The kernel matrix stored: whole, or as its tiles on and above the diagonal."""

from collections.abc import Iterator

import numpy as np

from kpca.kernels import BoundKernel
from kpca.linalg.threads import blocks, for_blocks, run_threads, snake
from kpca.operators.products import part_of_product, sum_of_parts
from kpca.types import Array, Floats, Matrix

TILE, EDGE = 512, 240  # of a matrix stored whole, and of its half
GRAIN = 1e7  # multiplications that take longer than to start a thread
ENTRY = 10  # of them take as long as to compute an entry


class FullGram:
    """K stored as one float64 array, symmetric, kept by reference and never changed."""

    def __init__(self, K: Floats, n_threads: int = 1, rounding: Floats | None = None) -> None:
        self.K = K
        self.n_threads = n_threads
        self.n = self.terms = K.shape[0]
        self.dtype = np.dtype(np.float64)
        self.rounding = np.zeros(self.n) if rounding is None else rounding  # of entries

    @classmethod
    def from_kernel(cls, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> "FullGram":
        """Compute K tile by tile on and above the diagonal, and mirror it."""
        n = X.shape[0]
        if n <= TILE:
            return cls(kernel.values(X), n_threads, kernel.rounding(X))
        left, edges, K = kernel.left(X), blocks(n, TILE), np.empty((n, n))

        def work(thread: int) -> None:
            for i in snake(len(edges), thread, n_threads):
                rows = edges[i]
                for columns in edges[i:]:
                    tile = np.empty((rows.stop - rows.start, columns.stop - columns.start))
                    K[rows, columns] = kernel.block(left[rows], columns, tile)
                    K[columns, rows] = tile.T

        run_threads(work, n_threads)
        return cls(K, n_threads, kernel.rounding(X))

    def matmul(self, V: Array) -> Floats:
        """Give K V."""
        out = np.empty((self.n, V.shape[1]))

        def work(rows: slice, _: int) -> None:
            np.matmul(self.K[rows], V, out=out[rows])

        for_blocks(self.n, work, self.n_threads)
        return out

    def squared_norm(self, weights: Floats | None = None) -> float:
        """Give Σ w_i w_j K_ij², by default ‖K‖_F²."""
        if weights is None:
            return float(np.vdot(self.K, self.K))
        parts = blocks(self.n, TILE)
        return sum(float(weights[rows] @ (self.K[rows] ** 2 @ weights)) for rows in parts)

    def diagonal(self) -> Floats:
        """Give the diagonal of K."""
        return self.K.diagonal().copy()


class PackedGram:
    """One half of K: n²/2 entries, in float32 a quarter of n²·8 B.

    The kernel is bound to the training points X; entries have its precision.
    """

    def __init__(self, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> None:
        self.n, self.dtype, self.n_threads = X.shape[0], kernel.dtype, n_threads
        self.terms, self.rounding = EDGE, kernel.rounding(X)
        self._edges, self._diagonal = blocks(self.n, EDGE), kernel.diagonal(X)
        # For each block of rows its tiles, from the one on the diagonal on.
        self._tiles: list[list[Array]] = [[] for _ in self._edges]
        left, used = kernel.left(X), self._worthwhile(ENTRY)

        def work(thread: int) -> None:
            for i in snake(len(self._edges), thread, used):
                self._tiles[i] = self._empty_row(i)
                for columns, tile in self._row(i):
                    kernel.block(left[self._edges[i]], columns, tile)

        run_threads(work, used)

    def matmul(self, V: Array) -> Floats:
        """K V in float64, in one pass over the stored tiles."""
        block = np.ascontiguousarray(V, dtype=self.dtype)
        used = min(self._worthwhile(V.shape[1]), len(self._edges))
        return sum_of_parts(
            lambda part: part_of_product(self._edges, self._row, block, part, used), used
        )

    def diagonal(self) -> Floats:
        """Give the diagonal of K."""
        return self._diagonal

    def squared_norm(self, weights: Floats | None = None) -> float:
        """Give Σ w_i w_j K_ij², by default ‖K‖_F²."""
        halves = np.zeros(self.n_threads)

        def square(i: int, columns: slice, tile: Array) -> float:
            if weights is None:  # row by row: sums of many terms lose digits in single precision
                return float(np.einsum("ij,ij->i", tile, tile).sum(dtype=np.float64))
            return float(weights[self._edges[i]] @ (tile**2 @ weights[columns]))

        def work(thread: int) -> None:
            for i in snake(len(self._tiles), thread, self.n_threads):
                first, *others = (square(i, *tile) for tile in self._row(i))
                halves[thread] += first + 2 * sum(others)

        run_threads(work, self.n_threads)
        return float(halves.sum())

    def _row(self, i: int) -> Iterator[tuple[slice, Array]]:
        return zip(self._edges[i:], self._tiles[i], strict=True)

    def _empty_row(self, i: int) -> list[Array]:
        """Reserve a row of tiles in one stretch of memory, each tile contiguous."""
        start, stop = self._edges[i].start, self._edges[i].stop
        memory = np.empty((stop - start) * (self.n - start), self.dtype)
        tiles = []
        for columns in self._edges[i:]:
            shape = (stop - start, columns.stop - columns.start)
            first = (columns.start - start) * shape[0]
            tiles.append(memory[first : first + shape[0] * shape[1]].reshape(shape))
        return tiles

    def _worthwhile(self, multiplications: float) -> int:
        """Give as many threads as have work, so much an entry, for longer than they start."""
        return max(1, min(self.n_threads, int(self.n**2 / 2 * multiplications / GRAIN)))
