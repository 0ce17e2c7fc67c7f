"""The product of a symmetric matrix, given by its tiles on and above the diagonal, with a block.

Each tile serves twice, for its row block and for its column block, so that a pass costs half
of the kernel evaluations. Tiles are small enough for the cache; sums run in float64.
"""

from collections.abc import Callable, Iterator
from functools import reduce

import numpy as np

from kpca.threads import run_threads, snake
from kpca.types import Array, Floats

# (row of tiles, thread) → the tiles (column block, entries) from the diagonal on.
TileRow = Callable[[int, int], Iterator[tuple[slice, Array]]]


def edge_for(columns: int) -> int:
    """Tile edge at which a product with so many columns runs fastest.

    OpenBLAS is fastest while the product of the three sizes stays below a million.
    """
    return int(np.clip((1e6 / columns) ** 0.5 // 16 * 16, 64, 512))


def symmetric_product(
    rows: list[slice], tile_row: TileRow, V: Array, dtype: np.dtype, n_threads: int
) -> Floats:
    """K V in float64, with the tiles and the block in `dtype`.

    The rows of tiles go to threads by a fixed schedule and the threads' sums are added in a
    fixed order, so that a product repeats bit by bit for a given number of threads.
    """
    block = np.ascontiguousarray(V, dtype=dtype)
    n_threads = max(1, min(n_threads, len(rows)))
    parts: list[Floats] = [np.empty(0)] * n_threads

    def work(thread: int) -> None:
        parts[thread] = part_of_product(rows, tile_row, block, thread, n_threads)

    run_threads(work, n_threads)
    return reduce(np.add, parts)


def part_of_product(
    rows: list[slice], tile_row: TileRow, V: Array, part: int, n_parts: int
) -> Floats:
    """Give one of the `n_parts` parts that add up to K V: that of every so many rows of tiles."""
    tallest = max(own.stop - own.start for own in rows)
    out, scratch = np.zeros(V.shape), np.empty((tallest, V.shape[1]), V.dtype)
    for i in snake(len(rows), part, n_parts):
        _add_row(rows[i], tile_row(i, part), V, out, scratch)
    return out


def _add_row(
    own: slice, tiles: Iterator[tuple[slice, Array]], V: Array, out: Floats, scratch: Array
) -> None:
    for columns, tile in tiles:
        out[own] += np.matmul(tile, V[columns], out=scratch[: tile.shape[0]])
        if columns.start > own.start:
            out[columns] += np.matmul(tile.T, V[own], out=scratch[: tile.shape[1]])
