"""The kernel matrix as a product with blocks: stored whole, its half stored, or never stored.

The halves go by their tiles on and above the diagonal. Each serves twice, for its row block and for
its column block, so that a pass costs half of the kernel evaluations. Tiles are small enough for
the cache; sums run in float64.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np

from kpca.kernels import BoundKernel
from kpca.linalg.cluster import Cluster
from kpca.linalg.threads import blocks, for_blocks, run_threads, snake
from kpca.types import Array, Floats, Matrix

TILE = 512  # of a matrix stored whole, and at most of one that is not stored
EDGE = 240  # of a half that is stored
GRAIN = 1e7  # multiplications that take longer than to start a thread
ENTRY = 10  # of them take as long as to compute an entry
# Row of tiles → the tiles (column block, entries) from the diagonal on.
TileRow = Callable[[int], Iterator[tuple[slice, Array]]]


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
        """Return K V."""
        out = np.empty((self.n, V.shape[1]))

        def work(rows: slice, _: int) -> None:
            np.matmul(self.K[rows], V, out=out[rows])

        for_blocks(self.n, work, self.n_threads)
        return out

    def squared_norm(self, weights: Floats | None = None) -> float:
        """Return Σ w_i w_j K_ij², by default ‖K‖_F²."""
        if weights is None:
            return float(np.vdot(self.K, self.K))
        parts = blocks(self.n, TILE)
        return sum(float(weights[rows] @ (self.K[rows] ** 2 @ weights)) for rows in parts)

    def diagonal(self) -> Floats:
        """Return the diagonal of K."""
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
                rows = left[self._edges[i]]
                for columns in self._edges[i:]:
                    tile = np.empty((rows.shape[0], columns.stop - columns.start), self.dtype)
                    self._tiles[i].append(kernel.block(rows, columns, tile))

        run_threads(work, used)

    def matmul(self, V: Array) -> Floats:
        """K V in float64, in one pass over the stored tiles."""
        block = np.ascontiguousarray(V, dtype=self.dtype)
        used = min(self._worthwhile(V.shape[1]), len(self._edges))
        return sum_of_parts(
            lambda part: part_of_product(self._edges, self._row, block, part, used), used
        )

    def diagonal(self) -> Floats:
        """Return the diagonal of K."""
        return self._diagonal

    def squared_norm(self, weights: Floats | None = None) -> float:
        """Return Σ w_i w_j K_ij², by default ‖K‖_F²."""

        def square(i: int, columns: slice, tile: Array) -> float:
            if weights is None:  # row by row: sums of many terms lose digits in single precision
                return float(np.einsum("ij,ij->i", tile, tile).sum(dtype=np.float64))
            return float(weights[self._edges[i]] @ (tile**2 @ weights[columns]))

        def part(thread: int) -> Floats:
            total = np.zeros(())
            for i in snake(len(self._tiles), thread, self.n_threads):
                first, *others = (square(i, *tile) for tile in self._row(i))
                total += first + 2 * sum(others)
            return total

        return float(sum_of_parts(part, self.n_threads))

    def _row(self, i: int) -> Iterator[tuple[slice, Array]]:
        return zip(self._edges[i:], self._tiles[i], strict=True)

    def _worthwhile(self, multiplications: float) -> int:
        """Return as many threads as have work, so much an entry, for longer than they start."""
        return max(1, min(self.n_threads, int(self.n**2 / 2 * multiplications / GRAIN)))


@dataclass(frozen=True, eq=False)
class Tiles:
    """What the tiles are computed from: a bound kernel and features of the left-hand side."""

    kernel: BoundKernel
    left: Matrix  # of shape (n, …)

    def cut(self, columns: int) -> list[slice]:
        """Return the blocks of rows at which a product with so many columns runs fastest.

        OpenBLAS is fastest while the product of the three sizes stays below a million.
        """
        edge = int(np.clip((1e6 / columns) ** 0.5 // 16 * 16, 64, TILE))
        return blocks(self.left.shape[0], edge)

    def part(self, V: Array, part: int, n_parts: int) -> Floats:
        """Return one of the parts that add up to K V."""
        rows = self.cut(V.shape[1])
        scratch = np.empty(rows[0].stop ** 2, V.dtype)

        def tile_row(i: int) -> Iterator[tuple[slice, Array]]:
            left = self.left[rows[i]]
            for columns in rows[i:]:
                shape = (left.shape[0], columns.stop - columns.start)
                tile = scratch[: shape[0] * shape[1]].reshape(shape)
                yield columns, self.kernel.block(left, columns, tile)

        return part_of_product(rows, tile_row, V, part, n_parts)


class TiledGram:
    """K as an operator of memory O(n), recomputed in every pass.

    The rows of tiles run on own threads, or on the workers of a Dask cluster, which get the
    training points once (`kpca.linalg.cluster`). For as many workers as threads the products
    are the same bit by bit. The kernel is bound to the training points X; its precision is that of
    the tiles.
    """

    def __init__(self, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> None:
        self.n, self.dtype, self.n_threads = X.shape[0], kernel.dtype, n_threads
        self.terms, self.rounding = TILE, kernel.rounding(X)
        self._diagonal = kernel.diagonal(X)
        self._tiles = Tiles(kernel, kernel.left(X))
        self._cluster = Cluster(self._tiles)

    def matmul(self, V: Array) -> Floats:
        """K V in float64, in one pass over the tiles."""
        block, most = np.ascontiguousarray(V, dtype=self.dtype), len(self._tiles.cut(V.shape[1]))
        if (n_parts := min(self._cluster.size(), most)) > 1:
            calls = [(block, part, n_parts) for part in range(n_parts)]
            return reduce(np.add, self._cluster.call(Tiles.part, calls))
        n_parts = max(1, min(self.n_threads, most))
        return sum_of_parts(lambda part: self._tiles.part(block, part, n_parts), n_parts)

    def diagonal(self) -> Floats:
        """Return the diagonal of K."""
        return self._diagonal


def sum_of_parts(part: Callable[[int], Floats], n_parts: int) -> Floats:
    """Compute the parts of a sum on as many threads, and add them up in a fixed order.

    The rows of tiles go to parts by a fixed schedule, so that a product repeats bit by bit for a
    given number of threads.
    """
    parts: list[Floats] = [np.empty(0)] * n_parts

    def work(thread: int) -> None:
        parts[thread] = part(thread)

    run_threads(work, n_parts)
    return reduce(np.add, parts)


def part_of_product(rows: list[slice], tiles: TileRow, V: Array, part: int, n_parts: int) -> Floats:
    """Return one of the `n_parts` parts that add up to K V: that of every so many rows of tiles.

    Tiles and V are of one precision; the part is in float64.
    """
    tallest = max(own.stop - own.start for own in rows)
    out, scratch = np.zeros(V.shape), np.empty((tallest, V.shape[1]), V.dtype)
    for i in snake(len(rows), part, n_parts):
        own = rows[i]
        for columns, tile in tiles(i):
            out[own] += np.matmul(tile, V[columns], out=scratch[: tile.shape[0]])
            if columns.start > own.start:
                out[columns] += np.matmul(tile.T, V[own], out=scratch[: tile.shape[1]])
    return out
