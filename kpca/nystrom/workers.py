"""Training points that stay on the workers of a Dask cluster, and passes over them.

All that a pass needs stands in the graph of its tasks, so that what a lost worker had is computed
again from the files or arrays that the points came from.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from kpca.linalg.resources import Rows, Sums, T, Work, dask_client, in_pairs, on_threads, plus
from kpca.types import Array, Floats, Matrix
from kpca.validation import PRECISIONS, checked, is_lazy


def parts_of(X: Any) -> list[Any] | None:
    """Return the blocks of a Dask array, or of functions if workers can call them; else None.

    Raises
    ------
    ValueError
        For a Dask array that is no table.
    """
    if is_lazy(X) and hasattr(X, "to_delayed"):
        if X.ndim != 2:
            raise ValueError(f"X must have two dimensions, one row per sample; got {X.shape}.")
        return list(X.rechunk({1: -1}).to_delayed().ravel())
    if isinstance(X, list) and X and all(map(callable, X)) and dask_client():
        from dask import delayed

        return [delayed(read)() for read in X]
    return None


class WorkerRows(Rows):
    """Points in blocks on the workers, or computed anew in each pass where there is no cluster."""

    on_workers = True

    def __init__(self, parts: list[Any]) -> None:
        from dask import compute, delayed, persist

        blocks = [delayed(_checked_block)(part, number) for number, part in enumerate(parts)]
        self._blocks = persist(*blocks) if dask_client() else blocks
        found = compute(*[delayed(_described)(block) for block in self._blocks])
        self.names, self.width, self.dtype = found[0][1:]
        for number, (_, *like) in enumerate(found):
            if like != [self.names, self.width, self.dtype]:
                raise ValueError(
                    f"Block {number} has {like[1]} columns of {like[2]}, block 0 {self.width} of "
                    f"{self.dtype}: blocks are rows of one table, with the same names."
                )
        self.sizes = [each[0] for each in found]
        self.n = sum(self.sizes)
        self._starts = [sum(self.sizes[:number]) for number in range(len(found))]

    def like(self) -> tuple[int, np.dtype]:
        """Return the number of columns, and their type."""
        return self.width, self.dtype

    def reduce(
        self, of: Callable[[Matrix, int], T], join: Callable[[T, T], T], tree: bool = False
    ) -> T:
        """Return what `of` gives of each block, joined two by two on the workers."""
        from dask import delayed

        return in_pairs(self._each(of), delayed(join)).compute()

    def keep(self, work: Work, width: int) -> tuple[Any, Sums]:
        """Return the first array of `work` as a Dask array, and the sums of the others."""
        from dask import array, delayed, persist

        def of(X: Matrix, start: int) -> tuple[Floats, Sums]:
            kept = np.empty((X.shape[0], width))
            return kept, on_threads(X, start, work, 1, kept)

        found = persist(*self._each(of))
        parts = [
            array.from_delayed(part[0], (size, width), np.float64)
            for part, size in zip(found, self.sizes, strict=True)
        ]
        sums = in_pairs([part[1] for part in found], delayed(plus))
        return array.concatenate(parts), sums.compute()

    def _each(self, of: Callable[[Matrix, int], Any]) -> list[Any]:
        from dask import delayed

        held = delayed(_same)(of)  # a task of its own, so that it is sent once and not per block
        pairs = zip(self._blocks, self._starts, strict=True)
        return [delayed(_applied)(held, block, start) for block, start in pairs]


def on_blocks(X: Any, work: Callable[[Matrix], Array], width: int | None) -> Any:
    """Return what `work` gives for the blocks of a Dask array, of `width` columns, as another."""
    from dask import array, delayed

    held, parts, sizes = delayed(_same)(work), parts_of(X) or [], X.chunks[0]
    precision = X.dtype if X.dtype in PRECISIONS else np.float64
    shapes = [(size,) if width is None else (size, width) for size in sizes]
    return array.concatenate(
        [
            array.from_delayed(delayed(_called)(held, part), shape, precision)
            for part, shape in zip(parts, shapes, strict=True)
        ],
        allow_unknown_chunksizes=True,
    )


def _same(value: T) -> T:
    return value


def _called(work: Callable[[Any], T], X: Any) -> T:
    return work(X)


def _applied(of: Callable[[Matrix, int], T], block: tuple[Matrix, Any], start: int) -> T:
    return of(block[0], start)


def _checked_block(block: Any, number: int) -> tuple[Matrix, list[Any] | None]:
    names = list(block.columns) if hasattr(block, "columns") else None
    return checked(block, f"block {number}", dtype=PRECISIONS, accept_sparse="csr"), names


def _described(block: tuple[Matrix, list[Any] | None]) -> tuple[int, Any, int, np.dtype]:
    rows, names = block
    return rows.shape[0], names, rows.shape[1], rows.dtype
