"""The kernel matrix never stored: every product computes its tiles anew."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np

from kpca.blocks import blocks
from kpca.cluster import Cluster
from kpca.gram.base import KernelGram
from kpca.gram.symmetric import edge_for, part_of_product, symmetric_product
from kpca.kernels import BoundKernel
from kpca.threads import pinned_blas
from kpca.types import Array, Floats, Matrix


@dataclass(frozen=True, eq=False)
class Tiles:
    """What the tiles are computed from: a bound kernel and its left-hand side.

    Attributes
    ----------
    kernel : BoundKernel
    left : array or sparse matrix of shape (n, …)
        Features of the points.
    """

    kernel: BoundKernel
    left: Matrix

    def cut(self, columns: int) -> list[slice]:
        """Give the blocks of rows for a product with so many columns."""
        return blocks(self.left.shape[0], edge_for(columns))

    def row(self, rows: list[slice], i: int, scratch: Array) -> Iterator[tuple[slice, Array]]:
        """Give row i of the tiles from the diagonal on, each valid until the next."""
        left = self.left[rows[i]]
        for columns in rows[i:]:
            shape = (left.shape[0], columns.stop - columns.start)
            tile = scratch[: shape[0] * shape[1]].reshape(shape)
            yield columns, self.kernel.block(left, columns, tile)


class TiledGram(KernelGram):
    """K as an operator of memory O(n), recomputed in every pass.

    The rows of tiles run on own threads, or on the workers of a Dask cluster, which get the
    training points once (`kpca.cluster`). For as many workers as threads the products are the
    same bit by bit.

    Parameters
    ----------
    kernel, X, n_threads
        As for `KernelGram`.
    """

    def __init__(self, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> None:
        super().__init__(kernel, X, n_threads)
        self._tiles = Tiles(kernel, kernel.left(X))
        self._cluster = Cluster(self._tiles)

    def matmul(self, V: Array) -> Floats:
        """K V in float64, in one pass over the tiles."""
        rows = self._tiles.cut(V.shape[1])
        if (n_parts := min(self._cluster.size(), len(rows))) > 1:
            block = np.ascontiguousarray(V, dtype=self.dtype)
            parts = [(block, part, n_parts) for part in range(n_parts)]
            return reduce(np.add, self._cluster.call(_part, parts))
        scratch = [_scratch(rows, self.dtype) for _ in range(self.n_threads)]

        def tile_row(i: int, thread: int) -> Iterator[tuple[slice, Array]]:
            return self._tiles.row(rows, i, scratch[thread])

        return symmetric_product(rows, tile_row, V, self.dtype, self.n_threads)


def _part(tiles: Tiles, V: Array, part: int, n_parts: int) -> Floats:
    """Compute a part of K V in a process of its own."""
    rows = tiles.cut(V.shape[1])
    scratch = _scratch(rows, V.dtype)
    with pinned_blas():
        return part_of_product(rows, lambda i, _: tiles.row(rows, i, scratch), V, part, n_parts)


def _scratch(rows: list[slice], dtype: np.dtype) -> Array:
    return np.empty(rows[0].stop ** 2, dtype)
