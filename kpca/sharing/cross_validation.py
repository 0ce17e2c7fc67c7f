"""Kernel PCA on the training rows of every fold, through one matrix of all pairs of rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_array

from kpca.kernel_pca import KernelPCA
from kpca.sharing.chains import run_chains
from kpca.sharing.fit import fit_on
from kpca.sharing.folds import Fold
from kpca.sharing.rows import Rows, Task, rows_of
from kpca.sharing.sweep import combinations
from kpca.threads import thread_count
from kpca.types import Array, Floats, Matrix
from kpca.weights import check_weights


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
    if not listed or not combined:
        return []
    rows = rows_of(estimator, X, listed)

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
    rows: Rows,
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
