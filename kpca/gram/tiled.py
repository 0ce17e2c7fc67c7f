"""The kernel matrix never stored: every product computes its tiles anew."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np

from kpca.blocks import blocks
from kpca.cluster import Cluster
from kpca.gram.base import KernelGram
from kpca.gram.nearby import NOTHING, Boxes
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
    places : ndarray of shape (n, d), optional
        √γ X for a Gaussian kernel: tiles whose points are all far apart are left out.
    """

    kernel: BoundKernel
    left: Matrix
    places: Floats | None = None

    def cut(self, columns: int) -> "Tiling":
        """Cut into tiles for a product with so many columns."""
        rows = blocks(self.left.shape[0], edge_for(columns))
        return Tiling(self, rows, None if self.places is None else Boxes.around(self.places, rows))


@dataclass(frozen=True, eq=False)
class Tiling:
    """The tiles of one product."""

    tiles: Tiles
    rows: list[slice]
    boxes: Boxes | None

    def row(self, i: int, scratch: Array) -> Iterator[tuple[slice, Array]]:
        """Give row i of the tiles from the diagonal on, each valid until the next."""
        left = self.tiles.left[self.rows[i]]
        near = range(i, len(self.rows)) if self.boxes is None else self.boxes.near(i, NOTHING)
        for columns in (self.rows[j] for j in near):
            shape = (left.shape[0], columns.stop - columns.start)
            tile = scratch[: shape[0] * shape[1]].reshape(shape)
            yield columns, self.tiles.kernel.block(left, columns, tile)


class TiledGram(KernelGram):
    """K as an operator of memory O(n), recomputed in every pass.

    The rows of tiles run on own threads, or on the workers of a Dask cluster, which get the
    training points once (`kpca.cluster`). For as many workers as threads the products are the
    same bit by bit.

    Parameters
    ----------
    kernel, X, n_threads
        As for `KernelGram`.
    places : ndarray of shape (n, d), optional
        As `Tiles` has them.
    """

    def __init__(
        self, kernel: BoundKernel, X: Matrix, n_threads: int = 1, places: Floats | None = None
    ) -> None:
        super().__init__(kernel, X, n_threads)
        self._tiles = Tiles(kernel, kernel.left(X), places)
        self._cluster = Cluster(self._tiles)

    def matmul(self, V: Array) -> Floats:
        """K V in float64, in one pass over the tiles."""
        self.passes += 1
        tiling = self._tiles.cut(V.shape[1])
        rows = tiling.rows
        if (n_parts := min(self._cluster.size(), len(rows))) > 1:
            block = np.ascontiguousarray(V, dtype=self.dtype)
            parts = [(block, part, n_parts) for part in range(n_parts)]
            return reduce(np.add, self._cluster.call(_part, parts))
        scratch = [_scratch(rows, self.dtype) for _ in range(self.n_threads)]

        def tile_row(i: int, thread: int) -> Iterator[tuple[slice, Array]]:
            return tiling.row(i, scratch[thread])

        return symmetric_product(rows, tile_row, V, self.dtype, self.n_threads)


class SortedGram:
    """A tiled operator whose points stand in another order, as its caller sees it.

    Parameters
    ----------
    gram : TiledGram
        Of the sorted points.
    order : ndarray of shape (n,)
        Where they stood.
    """

    def __init__(self, gram: TiledGram, order: Array) -> None:
        self.n, self.dtype = gram.n, gram.dtype
        self.passes = 0
        self._gram, self._order = gram, order

    def diagonal(self) -> Floats:
        """Give the diagonal of K."""
        out = np.empty(self.n)
        out[self._order] = self._gram.diagonal()
        return out

    def matmul(self, V: Array) -> Floats:
        """K V in float64, in one pass over the tiles that matter."""
        self.passes += 1
        out = np.empty(V.shape)
        out[self._order] = self._gram.matmul(V[self._order])
        return out


def _part(tiles: Tiles, V: Array, part: int, n_parts: int) -> Floats:
    """Compute a part of K V in a process of its own."""
    tiling = tiles.cut(V.shape[1])
    scratch = _scratch(tiling.rows, V.dtype)
    with pinned_blas():
        return part_of_product(tiling.rows, lambda i, _: tiling.row(i, scratch), V, part, n_parts)


def _scratch(rows: list[slice], dtype: np.dtype) -> Array:
    return np.empty(rows[0].stop ** 2, dtype)
