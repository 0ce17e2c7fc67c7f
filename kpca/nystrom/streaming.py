"""Read training points in passes, from an array, a file, blocks of rows or Dask workers.

The task graph of a pass over Dask workers contains all that the pass needs. Therefore the results
of a lost worker are computed again from the files or arrays that the points came from.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from kpca.linalg import resources
from kpca.linalg.resources import ArrayRows, Rows, T
from kpca.types import Array, Matrix
from kpca.validation import PRECISIONS, checked, checked_samples, is_lazy, is_list_of_blocks

CHUNK_BYTES = 1 << 25  # number of bytes of a file that are checked at once
NO_BLOCKS = "There are no blocks of rows: X must give at least one."


class Columns(NamedTuple):
    """Properties that all blocks of a table share."""

    width: int
    names: list[Any] | None
    dtype: np.dtype

    def __str__(self) -> str:
        return f"{self.names or self.width} of {self.dtype}"

    def check(self, other: "Columns", number: int) -> None:
        """Raise an error if `other`, the columns of a block, differ from those of the first block.

        Raises
        ------
        ValueError
            If they differ; the message names the block by its `number`.
        """
        if other != self:
            raise ValueError(
                f"Block {number} has other columns than the first one ({other}, not {self}): "
                "blocks are rows of one table, with the same names in the same order."
            )


class BlockRows(Rows):
    """Samples that are read in blocks, once per pass, and checked when they are read.

    `fresh` returns the blocks, which are arrays of shape (·, d) and the same in every pass. The
    number of samples `n` is known when the first pass has ended.
    """

    def __init__(self, fresh: Callable[[], Iterable[Any]]) -> None:
        self._fresh = fresh
        self._columns: Columns | None = None
        self.n: int | None = None
        self._sum = 0.0  # sum of all entries, which must be the same in every pass

    def chunks(self) -> Iterator[tuple[int, Matrix]]:
        """Yield pairs: the number of points before a block, and the block.

        Raises
        ------
        ValueError
            If a block is not an array of finite numbers, if blocks differ in width, if there are
            no blocks, or if the rows differ from those of an earlier pass.
        """
        start = 0
        total = 0.0
        for number, block in enumerate(self):
            dtype = PRECISIONS if self._columns is None else self._columns.dtype
            rows, columns = _checked_block(block, number, dtype)
            self._columns = self._columns or columns
            self._columns.check(columns, number)
            total += float(rows.sum())
            yield start, rows
            start += rows.shape[0]
        if start == 0:
            raise ValueError(NO_BLOCKS)
        if self.n is not None and (self.n, self._sum) != (start, total):
            raise ValueError(
                f"A pass over the blocks gave {start} rows that are not the {self.n} of an earlier "
                "one: X must give the same blocks every time it is iterated."
            )
        self.n = start
        self._sum = total

    def __iter__(self) -> Iterator[Any]:
        """Yield the blocks without checking them; a block given as a function is called."""
        yield from (block() if callable(block) else block for block in self._fresh())


def as_blocks(X: Any) -> BlockRows | None:
    """Return the blocks of a memory map, a lazy or integer array, or given blocks; else None.

    Blocks are given if X is an iterable of blocks, or a function that returns an iterator of them.

    Raises
    ------
    TypeError
        If X is an iterator, which can be read only once; the message says how to wrap it.
    """
    integers = isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "biu"
    if isinstance(X, np.memmap) or integers or is_lazy(X):  # X is read or converted in pieces.
        rows = max(resources.BLOCK_ROWS, CHUNK_BYTES // max(1, 8 * X[:1].size))
        return BlockRows(lambda: (X[part] for part in resources.blocks(X.shape[0], rows)))
    if isinstance(X, list | tuple):
        return BlockRows(lambda: X) if is_list_of_blocks(X) else None
    if isinstance(X, Iterator):
        raise TypeError(
            "X is an iterator, which can be gone through only once, and a fit takes three passes: "
            "give a function that returns a fresh one, fit(lambda: read_blocks(...)), or a list "
            "of blocks."
        )
    if callable(X):
        return BlockRows(X)
    is_table = hasattr(X, "shape") or hasattr(X, "__array__") or hasattr(X, "__dataframe__")
    return None if is_table or not isinstance(X, Iterable) else BlockRows(lambda: X)


def parts_of(X: Any) -> list[Any] | None:
    """Return the blocks of a Dask array or, with a Dask client, of a list of functions; else None.

    Raises
    ------
    ValueError
        If a Dask array does not have two dimensions.
    """
    if is_lazy(X) and hasattr(X, "to_delayed"):
        if X.ndim != 2:
            raise ValueError(f"X must have two dimensions, one row per sample; got {X.shape}.")
        return list(X.rechunk({1: -1}).to_delayed().ravel())
    if isinstance(X, list) and X and all(map(callable, X)) and resources.dask_client():
        from dask import delayed

        return [delayed(read)() for read in X]
    return None


class WorkerRows(Rows):
    """Points in blocks on Dask workers; without a cluster, each pass computes the blocks again."""

    on_workers = True

    def __init__(self, parts: list[Any]) -> None:
        from dask import compute, delayed, persist

        check = delayed(_checked_block, nout=2)
        blocks = [check(part, number) for number, part in enumerate(parts)]
        self._blocks = persist(*blocks) if resources.dask_client() else blocks
        described = [(rows.shape[0], columns) for rows, columns in self._blocks]
        sizes, every_columns = zip(*compute(*described), strict=True)
        self.columns: Columns = every_columns[0]
        for number, columns in enumerate(every_columns):
            self.columns.check(columns, number)
        self.n = sum(sizes)
        self._starts = [sum(sizes[:number]) for number in range(len(parts))]

    def reduce(self, of: Callable[[Matrix, int], T], join: Callable[[T, T], T]) -> T:
        """Apply `of` to each block, and join the results in pairs on the workers."""
        from dask import delayed

        held = delayed(_same)(of)  # a separate task, so that `of` is sent once, not with each block
        pairs = zip(self._blocks, self._starts, strict=True)
        parts = [held(block[0], start) for block, start in pairs]
        return resources.in_pairs(parts, delayed(join)).compute()


def on_blocks(X: Any, work: Callable[[Matrix], Array], width: int | None) -> Any:
    """Return the Dask array of ``work(block)`` for the blocks of the Dask array X.

    The result has `width` columns, or one dimension if `width` is None.
    """
    precision = X.dtype if X.dtype in PRECISIONS else np.float64
    whole = X.rechunk({1: -1})
    if width is None:
        return whole.map_blocks(work, drop_axis=1, meta=np.empty(0, precision))
    chunks = whole.chunks[0], (width,)
    return whole.map_blocks(work, chunks=chunks, meta=np.empty((0, 0), precision))


def _same(value: T) -> T:
    return value


def _checked_block(block: Any, number: int, dtype: Any = PRECISIONS) -> tuple[Matrix, Columns]:
    rows = checked(block, f"block {number}", dtype=dtype, accept_sparse="csr")
    names = list(block.columns) if hasattr(block, "columns") else None
    return rows, Columns(rows.shape[1], names, rows.dtype)


def training_rows(model: Any, X: Any) -> Rows:
    """Return the training samples as `Rows`, and set the feature attributes of the estimator."""
    parts = parts_of(X)
    if parts is not None:
        on_workers = WorkerRows(parts)
        model.n_features_in_, names, _ = on_workers.columns
        if names and all(isinstance(name, str) for name in names):
            model.feature_names_in_ = np.array(names, dtype=object)
        return on_workers
    rows = as_blocks(X)
    if rows is None:
        return ArrayRows(checked(X, owner=model, accept_sparse="csr", copy=False, dtype=PRECISIONS))
    first = next(iter(rows), np.empty((0, 0)))  # The first pass refuses an X without blocks.
    validate_data(model, first, skip_check_array=True)
    return rows


def by_blocks(
    model: Any, X: Any, work: Callable[[Matrix], Array], width: int | None = None
) -> Array:
    """Return ``work(X)`` for new samples X, computed at once or by blocks.

    An error that a block causes has a note with the number of the block. For a Dask array, the
    result is a Dask array with `width` columns, or with one dimension if `width` is None.
    """
    check_is_fitted(model)
    if is_lazy(X) and hasattr(X, "to_delayed"):
        return on_blocks(X, lambda block: work(checked_samples(model, block)), width)
    blocks = X if isinstance(X, Iterator) else as_blocks(X)
    if blocks is None:
        return work(checked_samples(model, X))
    parts = []
    for number, block in enumerate(blocks):
        try:
            parts.append(work(checked_samples(model, block)))
        except ValueError as error:
            error.add_note(f"This is block {number} of X.")
            raise
    if not parts:
        if hasattr(X, "shape"):  # An array without rows gives no block.
            checked_samples(model, X)
        raise ValueError(NO_BLOCKS)
    return np.concatenate(parts)
