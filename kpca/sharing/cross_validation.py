"""Kernel PCA on the training rows of every fold, through one matrix of all pairs of rows."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_array

from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS, KernelParameters
from kpca.sharing.chains import chain, in_chains
from kpca.sharing.fit import MakeSource
from kpca.sharing.pairs import SharedPairs, shared_pairs
from kpca.sharing.runs import Runs, grouped
from kpca.sharing.sweep import combinations
from kpca.source import CallableSource
from kpca.symmetry import symmetrised
from kpca.types import Array, Floats, Matrix
from kpca.weights import check_weights

Fold = tuple[Array, Array]  # numbers of the training and of the validation rows


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

    Distances or inner products of all pairs of rows are computed once. A fold cuts its blocks
    among the training rows and between them and the validation rows from that matrix once for
    all parameters, whose fits start from their neighbours' as in `sweep`. Folds run side by
    side on the threads that there are. The results are those of independent fits and of their
    `transform`, to the tolerance `tol`.

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
    rows = _rows(estimator, X, listed)
    resolved = [values | {"gamma": _gamma(estimator, values, X, weights)} for values in combined]

    def work(own: KernelPCA, tasks: Sequence[tuple[int, int]]) -> Iterator[_Scores]:
        functions: dict[int, Floats] = {}
        for fold, places in itertools.groupby(tasks, key=lambda task: task[0]):
            chosen = {place: resolved[place] for _, place in places}
            yield from _scores(own, rows, listed[fold], chosen, weights, functions)

    tasks = [(fold, place) for fold in range(len(listed)) for place in range(len(combined))]
    found = dict(zip(tasks, in_chains(work, tasks, estimator, X.shape[0]), strict=True))
    return [
        FoldScores(values, fold, *found[fold, place])
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
    rows: "_Points",
    fold: Fold,
    chosen: Mapping[int, Mapping[str, Any]],
    weights: Floats | None,
    functions: dict[int, Floats],
) -> Iterator[_Scores]:
    """Fit a chain to the training rows of one fold, and score both sides.

    The components of the fold before, as functions on all rows, are near those of this one.
    `functions` has them by place in the grid, and takes those of this fold.
    """
    orders = [rows.order(side) for side in fold]
    train, held_out = (side[order] for side, order in zip(fold, orders, strict=True))
    part = rows.part(train, held_out)
    own = None if weights is None else weights[train]
    roots = 1.0 if own is None else np.sqrt(own)[:, None]
    starts = [functions[place][train] * roots if place in functions else None for place in chosen]
    models = chain(
        rows.asked(estimator), part.points, [*chosen.values()], part.make_source, own, starts
    )
    for place, model in zip(chosen, models, strict=True):
        inner, outer = model._training_scores(), part.scores(model)
        functions[place] = np.zeros((rows.X.shape[0], inner.shape[1]))
        functions[place][train], functions[place][held_out] = inner, outer
        inner, outer = (
            scores[np.argsort(order)].astype(rows.X.dtype)
            for scores, order in zip((inner, outer), orders, strict=True)
        )
        yield _Scores(inner, outer, model.eigenvalues_, model.residuals_)


class _Part(NamedTuple):
    """A fold: its training points, where their kernel values come from, scores of the others."""

    points: Matrix
    make_source: MakeSource | None
    scores: Callable[[KernelPCA], Array]


class _Points:
    """All rows, with a kernel by name and no memory for their pairs: folds share nothing."""

    def __init__(self, X: Matrix) -> None:
        self.X = X

    def asked(self, estimator: KernelPCA) -> KernelPCA:
        """Give the estimator of a fold."""
        return estimator

    def order(self, rows: Array) -> Array:
        """Give the order in which the rows of a fold are best gone through."""
        return np.arange(len(rows))

    def part(self, train: Array, held_out: Array) -> _Part:
        """Cut out a fold."""
        return _Part(self.X[train], None, lambda model: model.transform(self.X[held_out]))


class _Pairs(_Points):
    """All rows, with what the parameters of a kernel by name have in common on them.

    The pairs stand in an order in which the rows of most folds are a few slices.
    """

    def __init__(self, X: Matrix, pairs: SharedPairs, order: Array) -> None:
        super().__init__(X)
        self._pairs = pairs
        self._place = np.argsort(order)

    def order(self, rows: Array) -> Array:
        """Give the order in which the rows of a fold are best gone through."""
        return np.argsort(self._place[rows], kind="stable")

    def part(self, train: Array, held_out: Array) -> _Part:
        """Take the pairs of a fold from those of all rows, or compute them anew."""
        inner, outer = self._place[train], self._place[held_out]
        if not (Runs(inner).are_long and Runs(outer).are_long):
            own = SharedPairs(self.X[train], self._pairs.kernel)
            return super().part(train, held_out)._replace(make_source=own.source)

        def scores(model: KernelPCA) -> Array:
            parameters = KernelParameters(model.gamma_, model.degree, model.coef0)
            C, _ = model._expansion()
            return self._pairs.apply(parameters, outer, inner, C) - model.kernel_means_ @ C

        return _Part(self.X[train], lambda p: self._pairs.source(p, inner), scores)


class _Matrix(_Points):
    """All rows, known by their kernel matrix only."""

    def __init__(self, X: Matrix, K: Floats) -> None:
        super().__init__(X)
        self.K = K

    def asked(self, estimator: KernelPCA) -> KernelPCA:
        """Give the estimator of a fold."""
        return KernelPCA(**estimator.get_params(deep=False) | {"kernel": "precomputed"})

    def part(self, train: Array, held_out: Array) -> _Part:
        """Cut the blocks of a fold from the matrix."""
        beside = self.K[np.ix_(held_out, train)]
        return _Part(self.K[np.ix_(train, train)], None, lambda model: model.transform(beside))


def _rows(estimator: KernelPCA, X: Matrix, folds: Sequence[Fold]) -> _Points:
    if callable(estimator.kernel):
        options = estimator.kernel_params or {}
        return _Matrix(X, CallableSource(X, estimator.kernel, options).full().K)
    if estimator.kernel not in KERNELS:
        return _Matrix(X, symmetrised(X))
    order = grouped([held_out for _, held_out in folds], X.shape[0])
    pairs = shared_pairs(estimator, X[order])
    return _Points(X) if pairs is None else _Pairs(X, pairs, order)
