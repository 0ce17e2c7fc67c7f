"""One pass over the training points: what blocks of them give, added up."""

from collections.abc import Callable
from functools import reduce

import numpy as np

from kpca.linalg.cluster import Cluster
from kpca.linalg.row_blocks import blocks, for_blocks
from kpca.linalg.threads import pinned_blas
from kpca.nystrom.streaming import Rows
from kpca.types import Array, Floats, Matrix

# (points, where they stand) → arrays; a pure function, so that blocks can be handed out to
# anything that computes.
Work = Callable[[Matrix, slice], tuple[Array, ...]]


def add_up(rows: Rows, work: Work, n_threads: int, out: Floats | None = None) -> list[Floats]:
    """Go through all points once and add up what `work` gives for blocks of them.

    Blocks go to threads in turn and sums are taken in a fixed order, so that a pass repeats bit
    by bit for a given number of threads. On a Dask cluster each worker takes one stretch of rows
    (`kpca.linalg.cluster`).

    `out`, of shape (n, k), takes the first of these arrays, a row for each point, in place of a
    sum.
    """
    cluster, totals = Cluster(), list[Floats]()
    for start, chunk in rows.chunks():
        kept = None if out is None else out[start : start + chunk.shape[0]]
        if (size := cluster.size()) > 1:
            sums = _on_cluster(cluster, size, chunk, start, work, kept)
        else:
            sums = [_on_threads(chunk, start, work, n_threads, kept)]
        totals = reduce(_plus, [totals, *sums] if totals else sums)
    return totals


def _on_threads(
    chunk: Matrix, start: int, work: Work, n_threads: int, kept: Floats | None
) -> list[Floats]:
    sums: dict[int, list[Floats]] = {}

    def add(part: slice, thread: int) -> None:
        found = list(work(chunk[part], slice(start + part.start, start + part.stop)))
        if kept is not None:
            kept[part] = found.pop(0)
        if thread not in sums:
            sums[thread] = [np.asarray(value, dtype=np.float64) for value in found]
        else:
            for total, value in zip(sums[thread], found, strict=True):
                total += value

    for_blocks(chunk.shape[0], add, n_threads)
    return reduce(_plus, (sums[thread] for thread in sorted(sums)))


def _on_cluster(
    cluster: Cluster, size: int, chunk: Matrix, start: int, work: Work, kept: Floats | None
) -> list[list[Floats]]:
    stretches = blocks(chunk.shape[0], -(-chunk.shape[0] // size))
    width = None if kept is None else kept.shape[1]
    calls = [(chunk[rows], start + rows.start, work, width) for rows in stretches]
    found = cluster.call(_stretch, calls)
    for rows, (values, _) in zip(stretches, found, strict=True):
        if kept is not None:
            kept[rows] = values
    return [sums for _, sums in found]


def _stretch(
    _: None, X: Matrix, start: int, work: Work, width: int | None
) -> tuple[Floats | None, list[Floats]]:
    """Go through a stretch of rows in a process of its own."""
    kept = None if width is None else np.empty((X.shape[0], width))
    with pinned_blas():
        return kept, _on_threads(X, start, work, 1, kept)


def _plus(one: list[Floats], other: list[Floats]) -> list[Floats]:
    return [a + b for a, b in zip(one, other, strict=True)]
