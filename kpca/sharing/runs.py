"""Rows of an array that stand beside one another, so that slices reach them without a copy."""

from bisect import bisect_right
from collections.abc import Iterator

import numpy as np

from kpca.types import Array

LONG = 8  # rows on average from which slices cost less than copies


class Runs:
    """Chosen rows of an array, as the slices that they make up.

    Parameters
    ----------
    rows : int ndarray of shape (m,)
        Their numbers, in any order.

    Examples
    --------
    >>> list(Runs(np.array([0, 1, 2, 7, 8])).within(slice(1, 4)))
    [(slice(1, 3, None), slice(0, 2, None)), (slice(7, 8, None), slice(2, 3, None))]
    """

    def __init__(self, rows: Array) -> None:
        self._rows = rows
        breaks = np.flatnonzero(np.diff(rows) != 1) + 1
        self._edges = [0, *breaks.tolist(), len(rows)]

    @property
    def are_long(self) -> bool:
        """Whether going by slices pays."""
        return len(self._rows) >= LONG * (len(self._edges) - 1)

    def within(self, places: slice) -> Iterator[tuple[slice, slice]]:
        """Give for each run in some places its rows in the array, and its places among those."""
        begin, end, _ = places.indices(len(self._rows))
        first = bisect_right(self._edges, begin) - 1
        for edge, following in zip(self._edges[first:], self._edges[first + 1 :], strict=False):
            start, stop = max(edge, begin), min(following, end)
            if start >= stop:
                return
            row = int(self._rows[start])
            yield slice(row, row + stop - start), slice(start - begin, stop - begin)


def grouped(folds: list[Array], n: int) -> Array:
    """Give an order of n rows in which every fold's rows are few long runs, if there is one.

    Rows that belong to the same folds stand together.

    Parameters
    ----------
    folds : list of int ndarray
        Numbers of the rows of each.
    n : int
    """
    member = np.zeros((len(folds), n), dtype=bool)
    for fold, rows in enumerate(folds):
        member[fold, rows] = True
    return np.lexsort(member)
