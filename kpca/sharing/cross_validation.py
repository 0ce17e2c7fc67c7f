"""Kernel PCA on the training rows of every fold, through one matrix of all pairs of rows."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_array

from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS, KernelParameters
from kpca.sharing.chains import cut, run_chains
from kpca.sharing.fit import MakeSource, fit_on
from kpca.sharing.folds import Fold, FoldedPairs, Layout, PartSource, SharedKernel
from kpca.sharing.pairs import shared_pairs, there_is_room
from kpca.sharing.sweep import combinations
from kpca.source import CallableSource
from kpca.symmetry import symmetrised
from kpca.threads import thread_count
from kpca.types import Array, Floats, Matrix
from kpca.weights import check_weights

Task = tuple[int, int]  # numbers of a set of parameters and of a fold


@dataclass(frozen=True, eq=False)
class FoldScores:
    """What kernel PCA fitted to the training rows of one fold says.

    Attributes
    ----------
    parameters : dict
        The combination of the grid.
    fold : int
        Its number.
    train, validation : ndarray of shape (n_train, k) and (n_validation, k)
        Scores of both sides.
    eigenvalues, residuals : ndarray of shape (k,)
        As ``eigenvalues_`` and ``residuals_`` of the estimator.
    """

    parameters: dict[str, Any]
    fold: int
    train: Array
    validation: Array
    eigenvalues: Floats
    residuals: Floats


def cross_validate(
    estimator: KernelPCA,
    X: Matrix,
    folds: Iterable[Fold],
    grid: Mapping[str, Sequence[Any]] | None = None,
    *,
    sample_weight: Array | None = None,
) -> list[FoldScores]:
    """Fit to the training rows of every fold and score both sides, for every parameter.

    Distances or inner products of all pairs of rows are computed once, and one kernel matrix a
    set of parameters, from which every fold takes the tiles among its training rows, and those
    between them and its validation rows. Its fit starts from the components of the fold before.
    Parameters run side by side on the threads that there are. The results are those of
    independent fits and of their `transform`, to the tolerance `tol`.

    γ = "median" is resolved once, on all rows: one median for all folds.

    Parameters
    ----------
    estimator : KernelPCA
        Not fitted; gives all that the grid does not.
    X : array or sparse matrix of shape (n, d), or kernel matrix of shape (n, n)
    folds : iterable of (train, validation)
        Row numbers, as scikit-learn's splitters give them.
    grid : mapping, optional
        Values of "gamma", "degree" and "coef0", as `sweep` takes them.
    sample_weight : array of shape (n,), optional
        Of the training rows.

    Returns
    -------
    list of FoldScores
        Folds within combinations of parameters, the last name of the grid varying fastest.

    Raises
    ------
    ValueError
        For a grid of other parameters or eigen_solver="nystrom", and as `KernelPCA.fit`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> halves = [(np.arange(30), np.arange(30, 60)), (np.arange(30, 60), np.arange(30))]
    >>> found = cross_validate(KernelPCA(2, kernel="rbf"), X, halves, {"gamma": [0.1, 1.0]})
    >>> [(scores.parameters["gamma"], scores.fold) for scores in found]
    [(0.1, 0), (0.1, 1), (1.0, 0), (1.0, 1)]
    """
    if estimator.eigen_solver == "nystrom":
        raise ValueError(
            "cross_validate shares one exact kernel matrix: fit eigen_solver='nystrom' by fold."
        )
    X = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
    weights = check_weights(sample_weight, X.shape[0])
    listed = [(np.asarray(train), np.asarray(validation)) for train, validation in folds]
    combined = combinations(grid or {})
    resolved = [values | {"gamma": _gamma(estimator, values, X, weights)} for values in combined]
    rows = _rows(estimator, X, listed)

    def work(own: KernelPCA, tasks: Sequence[Task]) -> Iterator[_Scores]:
        return _scores(own, rows, tasks, resolved, weights)

    # What takes longest comes first, so that no thread is idle at the end: narrow kernels.
    places = sorted(range(len(resolved)), key=lambda place: -resolved[place]["gamma"])
    chains = rows.chains(places, thread_count(estimator.n_jobs))
    tasks = [task for tasks in chains for task in tasks]
    found = dict(zip(tasks, run_chains(work, chains, estimator, X.shape[0]), strict=True))
    return [
        FoldScores(values, fold, *found[place, fold])
        for place, values in enumerate(combined)
        for fold in range(len(listed))
    ]


class _Scores(NamedTuple):
    train: Array
    validation: Array
    eigenvalues: Floats
    residuals: Floats


def _gamma(
    estimator: KernelPCA, values: Mapping[str, Any], X: Matrix, weights: Floats | None
) -> float:
    """Resolve γ on all rows."""
    asked = KernelPCA(**estimator.get_params(deep=False) | dict(values))
    asked.sample_weight_ = weights
    return asked._resolve_gamma(X)


def _scores(
    estimator: KernelPCA,
    rows: "_Rows",
    tasks: Sequence[Task],
    grid: Sequence[dict[str, Any]],
    weights: Floats | None,
) -> Iterator[_Scores]:
    """Fit to the training rows of one fold after the other, and score both sides.

    The components of the fold before, as functions on all rows, are near those of this one.
    """
    functions: dict[int, Floats] = {}
    for (place, fold), part in zip(tasks, rows.parts(tasks, grid), strict=True):
        orders = part.orders
        train, held_out = (rows.folds[fold][side][orders[side]] for side in (0, 1))
        own = None if weights is None else weights[train]
        start = functions[place][train] if place in functions else None
        if start is not None and own is not None:
            start *= np.sqrt(own)[:, None]
        model = fit_on(
            rows.asked(estimator),
            part.points,
            part.make_source,
            values=grid[place],
            sample_weight=own,
            start=start,
        )
        inner, outer = model._training_scores(), part.scores(model)
        functions[place] = np.zeros((rows.X.shape[0], inner.shape[1]))
        functions[place][train], functions[place][held_out] = inner, outer
        inner, outer = (
            scores[np.argsort(order)].astype(rows.X.dtype)
            for scores, order in zip((inner, outer), orders, strict=True)
        )
        yield _Scores(inner, outer, model.eigenvalues_, model.residuals_)


class _Part(NamedTuple):
    """A fold: its training points, where their kernel values come from, scores of the others.

    Its points stand in an order of their own, which `orders` gives for both sides.
    """

    points: Matrix
    make_source: MakeSource | None
    scores: Callable[[KernelPCA], Array]
    orders: tuple[Array, Array]


class _Rows:
    """All rows, with a kernel by name and no memory for their pairs: folds share nothing."""

    def __init__(self, X: Matrix, folds: Sequence[Fold]) -> None:
        self.X, self.folds = X, folds

    def asked(self, estimator: KernelPCA) -> KernelPCA:
        """Give the estimator of a fold."""
        return estimator

    def chains(self, places: Sequence[int], _: int) -> list[list[Task]]:
        """Give the tasks in an order in which they share most: fold by fold."""
        return [[(place, fold) for place in places] for fold in range(len(self.folds))]

    def parts(self, tasks: Sequence[Task], grid: Sequence[dict[str, Any]]) -> Iterator[_Part]:
        """Cut out the fold of every task."""
        for _, fold in tasks:
            yield self._alone(fold, None)

    def _alone(self, fold: int, make_source: MakeSource | None) -> _Part:
        train, held_out = self.folds[fold]
        orders = np.arange(len(train)), np.arange(len(held_out))
        return _Part(
            self.X[train], make_source, lambda model: model.transform(self.X[held_out]), orders
        )


class _PairsByFold(_Rows):
    """All rows, of which folds take too many small pieces: each has pairs of its own."""

    def __init__(self, X: Matrix, folds: Sequence[Fold], estimator: KernelPCA) -> None:
        super().__init__(X, folds)
        self._estimator = estimator

    def parts(self, tasks: Sequence[Task], grid: Sequence[dict[str, Any]]) -> Iterator[_Part]:
        """Cut out the fold of every task; its pairs serve all parameters."""
        for fold, same in itertools.groupby(tasks, key=lambda task: task[1]):
            pairs = shared_pairs(self._estimator, self.X[self.folds[fold][0]])
            for _ in same:
                yield self._alone(fold, None if pairs is None else pairs.source)


class _Pairs(_Rows):
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

    def parts(self, tasks: Sequence[Task], grid: Sequence[dict[str, Any]]) -> Iterator[_Part]:
        """Cut out the fold of every task."""
        for place, same in itertools.groupby(tasks, key=lambda task: task[0]):
            parameters = KernelParameters(**self._fixed | grid[place])
            shared = SharedKernel(self._pairs, parameters)
            for _, fold in same:
                yield self._part(shared, fold)

    def _part(self, shared: SharedKernel, fold: int) -> _Part:
        inner, outer = self._pairs.layout.sides[fold]
        rows, held_out = self.folds[fold]
        orders = np.argsort(self._place[rows]), np.argsort(self._place[held_out])
        points = self.X[rows[orders[0]]]

        def scores(model: KernelPCA) -> Array:
            C, _ = model._expansion()
            return shared.double.across(outer, inner, C) - model.kernel_means_ @ C

        return _Part(points, lambda _: PartSource(shared, inner, points), scores, orders)


class _Matrix(_Rows):
    """All rows, known by their kernel matrix only."""

    def __init__(self, X: Matrix, folds: Sequence[Fold], K: Floats) -> None:
        super().__init__(X, folds)
        self.K = K

    def asked(self, estimator: KernelPCA) -> KernelPCA:
        """Give the estimator of a fold."""
        return KernelPCA(**estimator.get_params(deep=False) | {"kernel": "precomputed"})

    def parts(self, tasks: Sequence[Task], grid: Sequence[dict[str, Any]]) -> Iterator[_Part]:
        """Cut the blocks of every fold from the matrix."""
        for _, fold in tasks:
            train, held_out = self.folds[fold]
            scores = partial(KernelPCA.transform, X=self.K[np.ix_(held_out, train)])
            inner = self.K[np.ix_(train, train)]
            yield self._alone(fold, None)._replace(points=inner, scores=scores)


def _rows(estimator: KernelPCA, X: Matrix, folds: Sequence[Fold]) -> _Rows:
    if callable(estimator.kernel):
        options = estimator.kernel_params or {}
        return _Matrix(X, folds, CallableSource(X, estimator.kernel, options).full().K)
    if estimator.kernel not in KERNELS:
        return _Matrix(X, folds, symmetrised(X))
    if not there_is_room(estimator, X.shape[0]):
        return _Rows(X, folds)
    layout = Layout.of(folds, X.shape[0])
    if layout is None:
        return _PairsByFold(X, folds, estimator)
    return _Pairs(X, folds, estimator, layout)
