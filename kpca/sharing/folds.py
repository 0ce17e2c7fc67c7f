"""One kernel matrix of all rows, of which every fold takes its part without a copy."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kpca.gram import FullGram, Gram, PackedGram
from kpca.gram.packed import EDGE
from kpca.kernels import KernelParameters
from kpca.sharing.pairs import Unlinked
from kpca.source import KernelSource
from kpca.types import Array, Matrix

Fold = tuple[Array, Array]  # numbers of the training and of the validation rows
MOST = 32  # blocks, where they are small: every pair of blocks is a tile with a cost of its own
LONG = 120  # rows of a block from which their number is no matter


@dataclass(frozen=True, eq=False)
class Layout:
    """An order of the rows in which both sides of every fold are made up of whole blocks.

    Attributes
    ----------
    order : int ndarray of shape (n,)
    edges : list of slice
        The blocks.
    sides : list of (list of int, list of int)
        For each fold the blocks of its training rows, and those of its validation rows.
    """

    order: Array
    edges: list[slice]
    sides: list[tuple[list[int], list[int]]]

    @classmethod
    def of(cls, folds: Sequence[Fold], n: int) -> "Layout | None":
        """Put rows together that are on the same sides of all folds, if blocks are few or long.

        Examples
        --------
        >>> halves = [(np.array([0, 2]), np.array([1, 3])), (np.array([1, 3]), np.array([0, 2]))]
        >>> layout = Layout.of(halves, 4)
        >>> layout.order, layout.sides
        (array([1, 3, 0, 2]), [([1], [0]), ([0], [1])])
        """
        member = np.zeros((2 * len(folds), n), dtype=bool)
        for side, rows in enumerate(rows for fold in folds for rows in fold):
            if len(np.unique(rows)) < len(rows):
                return None
            member[side, rows] = True
        order = np.lexsort(member)
        differs = (np.diff(member[:, order].astype(np.int8), axis=1) != 0).any(axis=0)
        ends = np.array([0, *(np.flatnonzero(differs) + 1), n])
        if len(ends) > MOST and n < LONG * len(ends):
            return None
        edges = [
            slice(int(a), int(b))
            for start, stop in itertools.pairwise(ends)
            for a, b in _cut(start, stop)
        ]
        within = member[:, order[[edge.start for edge in edges]]]
        numbers = [np.flatnonzero(side).tolist() for side in within]
        return cls(order, edges, list(zip(numbers[::2], numbers[1::2], strict=True)))


def _cut(start: int, stop: int) -> list[tuple[int, int]]:
    """Cut a stretch into equal parts of at most EDGE."""
    ends = np.linspace(start, stop, -(-(stop - start) // EDGE) + 1).round().astype(int)
    return list(itertools.pairwise(ends))


class FoldedPairs:
    """What the parameters of a kernel have in common on all rows, in tiles for every fold.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
        The rows as the layout orders them.
    kernel : str
        A key of `kpca.kernels.KERNELS`.
    layout : Layout
    n_threads : int
    """

    def __init__(self, X: Matrix, kernel: str, layout: Layout, n_threads: int = 1) -> None:
        self.X, self.layout = X, layout
        self.unlinked = Unlinked(kernel, X)
        self.tiles = PackedGram.from_kernel(self.unlinked, X, n_threads, layout.edges)


class SharedKernel:
    """The kernel matrix of all rows for one set of parameters, in both precisions.

    Parameters
    ----------
    pairs : FoldedPairs
    parameters : KernelParameters
    """

    def __init__(self, pairs: FoldedPairs, parameters: KernelParameters) -> None:
        self.name, self.parameters = pairs.unlinked.name, parameters
        self._pairs = pairs

    @cached_property
    def double(self) -> PackedGram:
        """Its tiles in float64."""
        linking = self._pairs.unlinked.linking(self.parameters)
        X = self._pairs.X.astype(np.float64, copy=False)
        diagonal = linking.kernel.diagonal(X, self.parameters)
        return self._pairs.tiles.mapped(linking, np.dtype(np.float64), diagonal)

    @cached_property
    def single(self) -> PackedGram:
        """Its tiles in float32."""
        return self.double.astype(np.dtype(np.float32))


class PartSource(KernelSource):
    """A kernel whose matrix of the training points is a part of a larger one.

    Parameters
    ----------
    shared : SharedKernel
    chosen : list of int
        The blocks of the training points.
    X : array or sparse matrix of shape (n, d)
        These points.
    """

    stored = True

    def __init__(self, shared: SharedKernel, chosen: list[int], X: Matrix) -> None:
        super().__init__(X, shared.name, shared.parameters)
        self._shared, self._chosen = shared, chosen

    def full(self, n_threads: int = 1) -> FullGram:
        """Give the kernel matrix of the training points, stored whole."""
        return FullGram(self._shared.double.part(self._chosen).full(), n_threads)

    def packed(self, n_threads: int = 1) -> PackedGram:
        """Give one half of the kernel matrix, stored in float32."""
        return self._shared.single.part(self._chosen, n_threads)

    def tiled(self, dtype: type, n_threads: int = 1) -> Gram:
        """Give the kernel matrix, of which nothing needs to be computed anew."""
        shared = self._shared.double if dtype == np.float64 else self._shared.single
        return shared.part(self._chosen, n_threads)
