"""Many fits on the same points, side by side on the threads there are."""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_array

from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS
from kpca.kernels.bandwidth import median_gamma
from kpca.linalg.memory import default_budget
from kpca.linalg.threads import going_on, run_threads, thread_count
from kpca.model_selection.folds import Fold, sides
from kpca.operators.sources import CallableSource
from kpca.operators.symmetry import symmetrised
from kpca.types import Array, Floats, Matrix
from kpca.validation import check_weights

SWEPT = ("gamma", "degree", "coef0")
FIT_BYTES = 24  # times n²: what a fit may take, LAPACK's workspace included

Result = TypeVar("Result")


def sweep(
    estimator: KernelPCA,
    X: Matrix,
    grid: Mapping[str, Sequence[Any]],
    *,
    sample_weight: Array | None = None,
) -> list[KernelPCA]:
    """Fit one kernel with every combination of parameters on the same points.

    The fits are independent, and run side by side on the threads that there are, as far as the
    memory budget allows.

    Parameters
    ----------
    estimator : KernelPCA
        Not fitted, with a kernel by name; gives all that the grid does not.
    X : array or sparse matrix of shape (n, d)
    grid : mapping
        Values of "gamma", "degree" and "coef0".
    sample_weight : array of shape (n,), optional

    Returns
    -------
    list of KernelPCA
        Fitted, one a combination; the last name of the grid varies fastest.

    Raises
    ------
    ValueError
        For a grid of other parameters, a kernel without a name, or eigen_solver="nystrom".

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> models = sweep(KernelPCA(2, kernel="rbf"), X, {"gamma": [0.1, 1.0]})
    >>> [model.gamma_ for model in models]
    [0.1, 1.0]
    """
    if estimator.eigen_solver == "nystrom":
        raise ValueError("sweep shares exact fits: fit eigen_solver='nystrom' one by one.")
    if estimator.kernel not in KERNELS:
        raise ValueError(
            f"sweep needs a kernel by name, one of {sorted(KERNELS)}, and got "
            f"{estimator.kernel!r}: fit other kernels one by one."
        )

    def work(_: int, own: KernelPCA) -> KernelPCA:
        return own.fit(X, sample_weight=sample_weight).set_params(n_jobs=estimator.n_jobs)

    n = X.shape[0] if hasattr(X, "shape") else len(X)
    return side_by_side(estimator, combinations(grid), work, n)


def combinations(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Give every combination of the values of a grid; the last name varies fastest.

    >>> combinations({"degree": [2, 3], "coef0": [0, 1]})[1]
    {'degree': 2, 'coef0': 1}
    """
    if unknown := sorted(set(grid) - set(SWEPT)):
        raise ValueError(f"A grid may name {', '.join(SWEPT)}, and this one names {unknown}.")
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]


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

    The fits are independent, and run side by side on the threads that there are. A kernel matrix
    is cut fold by fold; that of a callable kernel is computed once, for all folds.

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
    resolved = [values | _median(estimator, values, X, weights) for values in combined]
    asked, rows = estimator, symmetrised(X) if estimator.kernel == "precomputed" else X
    if callable(estimator.kernel):
        rows = CallableSource(X, estimator.kernel, estimator.kernel_params or {}).full().K
        asked = clone(estimator).set_params(kernel="precomputed")

    def work(number: int, model: KernelPCA) -> FoldScores:
        combination, fold = divmod(number, len(listed))
        train, validation = listed[fold]
        inner, outer = sides(str(model.kernel), rows, train, validation)
        own = None if weights is None else weights[train]
        scores = model.fit_transform(inner, sample_weight=own)
        new = model.transform(outer) if len(validation) else scores[:0]
        return FoldScores(
            combined[combination], fold, scores, new, model.eigenvalues_, model.residuals_
        )

    parameters = [values for values in resolved for _ in listed]
    return side_by_side(asked, parameters, work, X.shape[0])


def _median(
    estimator: KernelPCA, values: Mapping[str, Any], X: Matrix, weights: Floats | None
) -> dict[str, float]:
    """Resolve γ = "median" on all rows, of a kernel that has one."""
    if values.get("gamma", estimator.gamma) != "median" or estimator.kernel not in KERNELS:
        return {}
    return {"gamma": median_gamma(X if weights is None else X[weights > 0], str(estimator.kernel))}


def side_by_side(
    estimator: KernelPCA,
    parameters: Sequence[dict[str, Any]],
    work: Callable[[int, KernelPCA], Result],
    n: int,
) -> list[Result]:
    """Do one task for each set of parameters; a thread that is done takes the next.

    A fit of a few thousand points gains less from a second thread than a second fit does. No
    result depends on which fits ran beside it. `work` is given the number of the task and the
    estimator with its parameters and its share of the threads; `n` are the points of the largest
    fit, which say how many the memory budget has room for.
    """
    threads = thread_count(estimator.n_jobs)
    room = int((estimator.memory_budget or default_budget()) // (FIT_BYTES * n**2 or 1))
    count = max(1, min(threads, len(parameters), room))
    found: dict[int, Result] = {}
    waiting = iter(range(len(parameters)))  # shared: no two threads are given the same number

    def run(_: int) -> None:
        for number in going_on(waiting):
            own = clone(estimator).set_params(**parameters[number], n_jobs=threads // count)
            found[number] = work(number, own)

    run_threads(run, count)
    return [found[number] for number in range(len(parameters))]
