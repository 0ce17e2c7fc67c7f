"""The product of a symmetric matrix, given by its tiles on and above the diagonal, with a block.

Each tile serves twice, for its row block and for its column block, so that a pass costs half
of the kernel evaluations. Tiles are small enough for the cache; sums run in float64.
"""

from collections.abc import Callable, Iterator

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
    parts = [np.zeros(V.shape) for _ in range(n_threads)]

    def work(thread: int) -> None:
        scratch = np.empty((rows[0].stop, V.shape[1]), dtype)
        for i in snake(len(rows), thread, n_threads):
            _add_row(rows[i], tile_row(i, thread), block, parts[thread], scratch)

    run_threads(work, n_threads)
    for part in parts[1:]:
        parts[0] += part
    return parts[0]


def _add_row(
    own: slice, tiles: Iterator[tuple[slice, Array]], V: Array, out: Floats, scratch: Array
) -> None:
    for columns, tile in tiles:
        out[own] += np.matmul(tile, V[columns], out=scratch[: tile.shape[0]])
        if columns.start > own.start:
            out[columns] += np.matmul(tile.T, V[own], out=scratch[: tile.shape[1]])
