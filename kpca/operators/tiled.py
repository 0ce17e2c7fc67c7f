"""The kernel matrix never stored: every product computes its tiles anew."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np

from kpca.kernels import BoundKernel
from kpca.linalg.cluster import Cluster
from kpca.linalg.threads import blocks, pinned_blas
from kpca.operators.products import part_of_product, sum_of_parts
from kpca.types import Array, Floats, Matrix

EDGE = 512  # of a tile at most


@dataclass(frozen=True, eq=False)
class Tiles:
    """What the tiles are computed from: a bound kernel and features of the left-hand side."""

    kernel: BoundKernel
    left: Matrix  # of shape (n, …)

    def cut(self, columns: int) -> list[slice]:
        """Give the blocks of rows at which a product with so many columns runs fastest.

        OpenBLAS is fastest while the product of the three sizes stays below a million.
        """
        edge = int(np.clip((1e6 / columns) ** 0.5 // 16 * 16, 64, EDGE))
        return blocks(self.left.shape[0], edge)

    def part(self, V: Array, part: int, n_parts: int) -> Floats:
        """Give one of the parts that add up to K V."""
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
        self.terms, self.rounding = EDGE, kernel.rounding(X)
        self._diagonal = kernel.diagonal(X)
        self._tiles = Tiles(kernel, kernel.left(X))
        self._cluster = Cluster(self._tiles)

    def matmul(self, V: Array) -> Floats:
        """K V in float64, in one pass over the tiles."""
        block, most = np.ascontiguousarray(V, dtype=self.dtype), len(self._tiles.cut(V.shape[1]))
        if (n_parts := min(self._cluster.size(), most)) > 1:
            calls = [(block, part, n_parts) for part in range(n_parts)]
            return reduce(np.add, self._cluster.call(_part, calls))
        n_parts = max(1, min(self.n_threads, most))
        return sum_of_parts(lambda part: self._tiles.part(block, part, n_parts), n_parts)

    def diagonal(self) -> Floats:
        """Give the diagonal of K."""
        return self._diagonal


def _part(tiles: Tiles, V: Array, part: int, n_parts: int) -> Floats:
    """Compute a part of K V in a process of its own."""
    with pinned_blas():
        return tiles.part(V, part, n_parts)
