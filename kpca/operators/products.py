"""The product of a symmetric matrix, given by its tiles on and above the diagonal, with a block.

Each tile serves twice, for its row block and for its column block, so that a pass costs half
of the kernel evaluations. Tiles are small enough for the cache; sums run in float64.
"""

from collections.abc import Callable, Iterator
from functools import reduce

import numpy as np

from kpca.linalg.threads import run_threads, snake
from kpca.types import Array, Floats

# Row of tiles → the tiles (column block, entries) from the diagonal on.
TileRow = Callable[[int], Iterator[tuple[slice, Array]]]


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


def part_of_product(
    rows: list[slice], tile_row: TileRow, V: Array, part: int, n_parts: int
) -> Floats:
    """Give one of the `n_parts` parts that add up to K V: that of every so many rows of tiles.

    Tiles and V are of one precision; the part is in float64.
    """
    tallest = max(own.stop - own.start for own in rows)
    out, scratch = np.zeros(V.shape), np.empty((tallest, V.shape[1]), V.dtype)
    for i in snake(len(rows), part, n_parts):
        own = rows[i]
        for columns, tile in tile_row(i):
            out[own] += np.matmul(tile, V[columns], out=scratch[: tile.shape[0]])
            if columns.start > own.start:
                out[columns] += np.matmul(tile.T, V[own], out=scratch[: tile.shape[1]])
    return out
