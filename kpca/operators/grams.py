"""The kernel matrix as a product with blocks: stored, or computed anew in every pass.

Kernel values are computed by tiles on and above the diagonal. Each serves twice, for its row block
and for its column block. Tiles are small enough for the cache; sums of tiles run in float64.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kpca.kernels import BoundKernel
from kpca.linalg.threads import Cluster, blocks, for_blocks, in_pairs, run_threads, snake
from kpca.types import Array, Floats, Matrix

TILE = 512  # rows and columns at most
MIRRORED = 192  # of a tile that is stored on both sides of the diagonal


class FullGram:
    """K stored as one array, symmetric, kept by reference and never changed."""

    def __init__(self, K: Array, n_threads: int = 1, rounding: Floats | None = None) -> None:
        self.K, self.dtype, self.n_threads = K, K.dtype, n_threads
        self.n = K.shape[0]
        # Columns that are multiplied together: sums of many terms lose digits in single precision.
        self.terms = self.n if self.dtype == np.float64 else TILE
        self.rounding = np.zeros(self.n) if rounding is None else rounding  # of entries

    @classmethod
    def from_kernel(cls, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> "FullGram":
        """Compute K tile by tile on and above the diagonal, and mirror it."""
        n = X.shape[0]
        if n <= TILE:
            return cls(kernel.values(X), n_threads, kernel.rounding(X))
        left, edges, K = kernel.left(X), blocks(n, MIRRORED), np.empty((n, n), kernel.dtype)

        def work(thread: int) -> None:
            for i in snake(len(edges), thread, n_threads):
                rows = edges[i]
                for columns in edges[i:]:
                    shape = (rows.stop - rows.start, columns.stop - columns.start)
                    tile = kernel.block(left[rows], columns, np.empty(shape, kernel.dtype))
                    K[rows, columns] = tile
                    K[columns, rows] = tile.T

        run_threads(work, n_threads)
        return cls(K, n_threads, kernel.rounding(X))

    def matmul(self, V: Array) -> Floats:
        """Return K V in float64."""
        out, block = np.zeros((V.shape[1], self.n)), np.ascontiguousarray(V.T, dtype=self.dtype)

        def work(rows: slice, _: int) -> None:
            for columns in blocks(self.n, self.terms):  # Vᵀ K is faster than K V
                out[:, rows] += block[:, columns] @ self.K[columns, rows]

        for_blocks(self.n, work, self.n_threads)
        return out.T

    def squared_norm(self, weights: Floats | None = None) -> float:
        """Return Σ w_i w_j K_ij², by default ‖K‖_F²."""
        if weights is None:
            return float(np.vdot(self.K, self.K))
        parts = blocks(self.n, TILE)
        return sum(float(weights[rows] @ (self.K[rows] ** 2 @ weights)) for rows in parts)

    def diagonal(self) -> Floats:
        """Return the diagonal of K."""
        return self.K.diagonal().astype(np.float64)


@dataclass(frozen=True, eq=False)
class Tiles:
    """What the tiles are computed from: a bound kernel, and the points of the left-hand side."""

    kernel: BoundKernel
    X: Matrix  # of shape (n, d)

    def cut(self, columns: int) -> list[slice]:
        """Return the blocks of rows at which a product with so many columns runs fastest.

        OpenBLAS is fastest while the product of the three sizes stays below a million.
        """
        edge = int(np.clip((1e6 / columns) ** 0.5 // 16 * 16, 64, TILE))
        return blocks(self.X.shape[0], edge)

    def part(self, V: Array, part: int, n_parts: int) -> Floats:
        """Return one of the parts that add up to K V, in float64: every so many rows of tiles.

        The rows of tiles go to parts by a fixed schedule, so that a product repeats bit by bit for
        a given number of parts.
        """
        edges, out = self.cut(V.shape[1]), np.zeros(V.shape)
        edge = edges[0].stop
        entries, products = np.empty(edge**2, V.dtype), np.empty((edge, V.shape[1]), V.dtype)
        for i in snake(len(edges), part, n_parts):
            rows = edges[i]
            left = self.kernel.left(self.X[rows])
            for columns in edges[i:]:
                shape = (left.shape[0], columns.stop - columns.start)
                tile = entries[: shape[0] * shape[1]].reshape(shape)
                self.kernel.block(left, columns, tile)
                out[rows] += np.matmul(tile, V[columns], out=products[: shape[0]])
                if columns.start > rows.start:
                    out[columns] += np.matmul(tile.T, V[rows], out=products[: shape[1]])
        return out


class TiledGram:
    """K as an operator of memory O(n), recomputed in every pass.

    The rows of tiles run on own threads, or on the workers of a Dask cluster, which get the
    training points once. For as many workers as threads the products are the same bit by bit. The
    kernel is bound to the training points X; its precision is that of the tiles.
    """

    def __init__(self, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> None:
        self.n, self.dtype, self.n_threads = X.shape[0], kernel.dtype, n_threads
        self.terms, self.rounding = TILE, kernel.rounding(X)
        self._diagonal = kernel.diagonal(X)
        self._tiles = Tiles(kernel, X)
        self._cluster = Cluster(self._tiles)

    def matmul(self, V: Array) -> Floats:
        """K V in float64, in one pass over the tiles."""
        block, most = np.ascontiguousarray(V, dtype=self.dtype), len(self._tiles.cut(V.shape[1]))
        workers = min(self._cluster.size(), most)
        if workers > 1:
            return self._cluster.sum(Tiles.part, block, workers)
        n_parts = max(1, min(self.n_threads, most))
        return sum_of_parts(lambda part: self._tiles.part(block, part, n_parts), n_parts)

    def diagonal(self) -> Floats:
        """Return the diagonal of K."""
        return self._diagonal


def sum_of_parts(part: Callable[[int], Floats], n_parts: int) -> Floats:
    """Compute the parts of a sum on as many threads, and add them up in a fixed order."""
    parts: list[Floats] = [np.empty(0)] * n_parts

    def work(thread: int) -> None:
        parts[thread] = part(thread)

    run_threads(work, n_parts)
    return in_pairs(parts, np.add)
