"""All rows of a cross-validation: what its folds have in common, and how each is cut out."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS, KernelParameters
from kpca.sharing.chains import cut
from kpca.sharing.fit import MakeSource
from kpca.sharing.folds import Fold, FoldedPairs, Layout, PartSource, SharedKernel
from kpca.sharing.pairs import shared_pairs, there_is_room
from kpca.source import CallableSource
from kpca.symmetry import symmetrised
from kpca.threads import thread_count
from kpca.types import Array, Floats, Matrix

Task = tuple[int, int]  # numbers of a set of parameters and of a fold


class Part(NamedTuple):
    """A fold: its training points, where their kernel values come from, scores of the others.

    Its points stand in an order of their own, which `orders` gives for both sides.
    """

    points: Matrix
    make_source: MakeSource | None
    scores: Callable[[KernelPCA], Array]
    orders: tuple[Array, Array]


class Rows:
    """All rows, with a kernel by name and no memory for their pairs: folds share nothing."""

    def __init__(self, X: Matrix, folds: Sequence[Fold]) -> None:
        self.X, self.folds = X, folds

    def asked(self, estimator: KernelPCA) -> KernelPCA:
        """Give the estimator of a fold."""
        return estimator

    def chains(self, places: Sequence[int], _: int) -> list[list[Task]]:
        """Give the tasks in an order in which they share most: fold by fold."""
        return [[(place, fold) for place in places] for fold in range(len(self.folds))]

    def parts(self, tasks: Sequence[Task], grid: Sequence[dict[str, Any]]) -> Iterator[Part]:
        """Cut out the fold of every task."""
        for _, fold in tasks:
            yield self._alone(fold, None)

    def _alone(self, fold: int, make_source: MakeSource | None) -> Part:
        train, held_out = self.folds[fold]
        orders = np.arange(len(train)), np.arange(len(held_out))
        return Part(
            self.X[train], make_source, lambda model: model.transform(self.X[held_out]), orders
        )


class PairsByFold(Rows):
    """All rows, of which folds take too many small pieces: each has pairs of its own."""

    def __init__(self, X: Matrix, folds: Sequence[Fold], estimator: KernelPCA) -> None:
        super().__init__(X, folds)
        self._estimator = estimator

    def parts(self, tasks: Sequence[Task], grid: Sequence[dict[str, Any]]) -> Iterator[Part]:
        """Cut out the fold of every task; its pairs serve all parameters."""
        for fold, same in itertools.groupby(tasks, key=lambda task: task[1]):
            pairs = shared_pairs(self._estimator, self.X[self.folds[fold][0]])
            for _ in same:
                yield self._alone(fold, None if pairs is None else pairs.source)


class FoldedRows(Rows):
    """All rows, in blocks that make up the folds, with what all parameters have in common."""

    def __init__(
        self,
        X: Matrix,
        folds: Sequence[Fold],
        estimator: KernelPCA,
        layout: Layout,
    ) -> None:
        super().__init__(X, folds)
        self._fixed = {"degree": estimator.degree, "coef0": estimator.coef0}
        threads = thread_count(estimator.n_jobs)
        self._pairs = FoldedPairs(X[layout.order], str(estimator.kernel), layout, threads)
        self._place = np.argsort(layout.order)

    def chains(self, places: Sequence[int], n_threads: int) -> list[list[Task]]:
        """Give the tasks in an order in which they share most: one kernel matrix for all folds."""
        pieces = min(-(-n_threads // len(places)), len(self.folds))
        return [
            [(place, fold) for fold in piece]
            for place in places
            for piece in cut(range(len(self.folds)), pieces)
        ]

    def parts(self, tasks: Sequence[Task], grid: Sequence[dict[str, Any]]) -> Iterator[Part]:
        """Cut out the fold of every task."""
        for place, same in itertools.groupby(tasks, key=lambda task: task[0]):
            parameters = KernelParameters(**self._fixed | grid[place])
            shared = SharedKernel(self._pairs, parameters)
            for _, fold in same:
                yield self._part(shared, fold)

    def _part(self, shared: SharedKernel, fold: int) -> Part:
        inner, outer = self._pairs.layout.sides[fold]
        rows, held_out = self.folds[fold]
        orders = np.argsort(self._place[rows]), np.argsort(self._place[held_out])
        points = self.X[rows[orders[0]]]

        def scores(model: KernelPCA) -> Array:
            C, _ = model._expansion()
            return shared.double.across(outer, inner, C) - model.kernel_means_ @ C

        return Part(points, lambda _: PartSource(shared, inner, points), scores, orders)


class MatrixRows(Rows):
    """All rows, known by their kernel matrix only."""

    def __init__(self, X: Matrix, folds: Sequence[Fold], K: Floats) -> None:
        super().__init__(X, folds)
        self.K = K

    def asked(self, estimator: KernelPCA) -> KernelPCA:
        """Give the estimator of a fold."""
        return KernelPCA(**estimator.get_params(deep=False) | {"kernel": "precomputed"})

    def parts(self, tasks: Sequence[Task], grid: Sequence[dict[str, Any]]) -> Iterator[Part]:
        """Cut the blocks of every fold from the matrix."""
        for _, fold in tasks:
            train, held_out = self.folds[fold]
            scores = partial(KernelPCA.transform, X=self.K[np.ix_(held_out, train)])
            inner = self.K[np.ix_(train, train)]
            yield self._alone(fold, None)._replace(points=inner, scores=scores)


def rows_of(estimator: KernelPCA, X: Matrix, folds: Sequence[Fold]) -> Rows:
    """Give the rows with whatever the folds of this estimator can share."""
    if callable(estimator.kernel):
        options = estimator.kernel_params or {}
        return MatrixRows(X, folds, CallableSource(X, estimator.kernel, options).full().K)
    if estimator.kernel not in KERNELS:
        return MatrixRows(X, folds, symmetrised(X))
    if not there_is_room(estimator, X.shape[0]):
        return Rows(X, folds)
    layout = Layout.of(folds, X.shape[0])
    if layout is None:
        return PairsByFold(X, folds, estimator)
    return FoldedRows(X, folds, estimator, layout)
