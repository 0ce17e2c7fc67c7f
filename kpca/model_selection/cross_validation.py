"""Fits to the training rows of folds, for every parameter, and scores of both sides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from sklearn.base import clone

from kpca.arguments import as_kernel_matrix, as_points
from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import resolve_gamma
from kpca.model_selection.folds import Fold, listed_folds, sides
from kpca.model_selection.side_by_side import Results, side_by_side
from kpca.model_selection.sweep import combinations_of
from kpca.operators.sources import CallableSource
from kpca.types import Array, Floats, Matrix
from kpca.validation import check_weights


class Splitter(Protocol):
    """A splitter of scikit-learn."""

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Fold]:
        """Yield folds."""


@dataclass(frozen=True, eq=False)
class FoldScores:
    """What kernel PCA fitted to the training rows of one fold says.

    Attributes
    ----------
    parameters : dict
        The combination of the grid, with the number that γ = "median" stands for.
    fold : int
        Its number.
    train, validation : ndarray of shape (n_train, k) and (n_validation, k)
        Scores of both sides.
    eigenvalues, residuals : ndarray of shape (k,)
        As ``eigenvalues_`` and ``residuals_`` of the estimator.
    """

    parameters: dict[str, Any]
    fold: int
    train: Array = field(repr=False)
    validation: Array = field(repr=False)
    eigenvalues: Floats = field(repr=False)
    residuals: Floats = field(repr=False)


def cross_validate(
    estimator: KernelPCA,
    X: Matrix,
    cv: int | Splitter | Iterable[Fold] = 5,
    grid: Mapping[str, Sequence[Any]] | None = None,
    *,
    y: Array | None = None,
    groups: Array | None = None,
    sample_weight: Array | None = None,
) -> "Scores":
    """Fit to the training rows of every fold and score both sides, for every parameter.

    The fits are independent, and run side by side on the threads that there are. A kernel matrix
    is cut fold by fold; that of a callable kernel is computed once, for all folds.

    γ = "median" is resolved once, on all rows: one median for all folds.

    Parameters
    ----------
    estimator : KernelPCA
        Not fitted; gives all that the grid does not.
    X : array or sparse matrix of shape (n, d), or kernel matrix of shape (n, n)
    cv : int, splitter of scikit-learn, or iterable of (train, validation)
        Folds, as everywhere in scikit-learn; of row numbers or of masks.
    grid : mapping, optional
        Lists of values of "gamma", "degree" and "coef0", as `sweep` takes them.
    y, groups : array of shape (n,), optional
        What the splitter stratifies by, and what it keeps together.
    sample_weight : array of shape (n,), optional
        Of the training rows.

    Returns
    -------
    Scores
        A list of `FoldScores`: folds within combinations of parameters, the last name of the grid
        varying fastest. ``pandas.DataFrame(scores.table())`` is their table.

    Raises
    ------
    TypeError, ValueError
        For another estimator, a grid of other parameters, folds of other rows,
        eigen_solver="nystrom", and as `KernelPCA.fit`; parameters are checked before the first fit.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> halves = [(np.arange(30), np.arange(30, 60)), (np.arange(30, 60), np.arange(30))]
    >>> found = cross_validate(KernelPCA(2, kernel="rbf"), X, halves, {"gamma": [0.1, 1.0]})
    >>> [(scores.parameters["gamma"], scores.fold) for scores in found]
    [(0.1, 0), (0.1, 1), (1.0, 0), (1.0, 1)]
    """
    combined = combinations_of(estimator, grid or {})
    if estimator.eigen_solver == "nystrom":
        raise ValueError(
            "cross_validate shares one exact kernel matrix: fit eigen_solver='nystrom' by fold."
        )
    X = as_kernel_matrix(X, "X") if estimator.kernel == "precomputed" else as_points(X)
    weights = check_weights(sample_weight, X.shape[0])
    listed = _folds(cv, X, y, groups, weights)
    resolved = [values | _median(estimator, values, X, weights) for values in combined]
    template, rows = clone(estimator).set_output(transform="default"), X
    if callable(estimator.kernel):
        rows = CallableSource(X, estimator.kernel, estimator.kernel_params or {}).full().K
        template.set_params(kernel="precomputed")

    def work(number: int, model: KernelPCA) -> FoldScores:
        combination, fold = divmod(number, len(listed))
        train, validation = listed[fold]
        inner, outer = sides(str(model.kernel), rows, train, validation)
        own = None if weights is None else weights[train]
        scores = model.fit_transform(inner, sample_weight=own)
        new = model.transform(outer) if len(validation) else scores[:0]
        return FoldScores(
            resolved[combination], fold, scores, new, model.eigenvalues_, model.residuals_
        )

    parameters = [values for values in resolved for _ in listed]
    return Scores(side_by_side(template, parameters, work, X.shape[0]))


class Scores(Results[FoldScores]):
    """Scores of folds; ``pandas.DataFrame(scores.table())`` is their table, without the arrays."""

    def table(self) -> dict[str, list[Any]]:
        """Give parameters, fold and what the fit says of itself, by column, a value a fold."""
        names = self[0].parameters if self else ()
        return {name: [scores.parameters[name] for scores in self] for name in names} | {
            "fold": [scores.fold for scores in self],
            "n_components": [len(scores.eigenvalues) for scores in self],
            "eigenvalue": [float(scores.eigenvalues.max(initial=0)) for scores in self],
            "residual": [float(scores.residuals.max(initial=0)) for scores in self],
        }


def _folds(
    cv: Any, X: Matrix, y: Array | None, groups: Array | None, weights: Floats | None
) -> list[Fold]:
    from sklearn.model_selection import check_cv

    try:
        splits = list(check_cv(cv, y).split(X, y, groups))
    except (TypeError, ValueError) as error:
        raise ValueError(f"cv, y and groups give no folds of {X.shape[0]} rows: {error}") from None
    listed = listed_folds(splits, X.shape[0], "cv")
    for number, (train, _) in enumerate(listed):
        if weights is not None and not weights[train].any():
            raise ValueError(f"cv: fold {number} has no row to fit with a positive sample_weight.")
    return listed


def _median(
    estimator: KernelPCA, values: Mapping[str, Any], X: Matrix, weights: Floats | None
) -> dict[str, float]:
    """Resolve γ = "median" on all rows."""
    if values.get("gamma", estimator.gamma) != "median":
        return {}
    return {"gamma": resolve_gamma("median", estimator.kernel, X, weights)}
