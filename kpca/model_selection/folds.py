"""Fits that leave part of the training points out, for what only new points can tell."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from kpca.arguments import check_model, check_values
from kpca.kernel_pca import KernelPCA
from kpca.kernels import is_sparse
from kpca.types import Array, Floats, Matrix

Fold = tuple[Array, Array]  # numbers of the rows that are fitted, and of those left out


NO_POINTS = (
    "A model of landmarks does not hold its training points, and some of them would have to be "
    "left out: fit it with another eigen_solver than 'nystrom'."
)


def held_out(
    model: KernelPCA,
    statistic: Callable[[KernelPCA, Matrix, Array | None], Floats],
    *,
    folds: int,
    seed: int,
) -> Floats:
    """Give a statistic of every training point under a model fitted without it, one row a point.

    Parameters
    ----------
    model : KernelPCA
        Fitted, with its training points. The others get its γ and its number of components.
    statistic : callable
        (fitted model, held-out points, their k(x, x) or None as `fold_fits` gives it) → one row
        a point; short rows are filled up with zeros.
    folds, seed : int
        Number of folds, at most one a point, and the seed of the shuffling.

    Raises
    ------
    TypeError, ValueError
        For what is no fitted KernelPCA, a model of landmarks, or of a single point.
    """
    check_model(model)
    check_values(folds=folds, seed=seed)
    if model.expansion().in_landmarks:
        raise ValueError(NO_POINTS)
    if model.X_fit_.shape[0] < 2:
        raise ValueError("model has a single training point, and needs another to leave one out.")
    drawn = list(shuffled_folds(model.X_fit_.shape[0], folds, seed))
    asked = clone(model).set_params(
        n_components=len(model.eigenvalues_), gamma=model.gamma_, fit_inverse_transform=False
    )
    fits = fold_fits(asked, model.X_fit_, drawn, model.sample_weight_)
    parts = [np.asarray(statistic(*fit), dtype=np.float64) for fit in fits]
    if parts[0].ndim > 1:
        width = max(part.shape[1] for part in parts)
        parts = [np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts]
    return np.concatenate(parts)[np.argsort(np.concatenate([rows for _, rows in drawn]))]


def fold_fits(
    estimator: KernelPCA, X: Matrix, folds: Sequence[Fold], weights: Floats | None = None
) -> Iterator[tuple[KernelPCA, Matrix, Array | None]]:
    """Fit a clone without the rows of each fold, and yield it with those left out as it takes them.

    Beside them come their k(x, x) where a kernel matrix was computed beforehand, which alone holds
    them, or None.
    """
    for kept, left_out in folds:
        inner, outer = sides(str(estimator.kernel), X, kept, left_out)
        own = X.diagonal()[left_out] if estimator.kernel == "precomputed" else None
        fitted = None if weights is None else weights[kept]
        yield clone(estimator).fit(inner, sample_weight=fitted), outer, own


def shuffled_folds(n: int, folds: int, seed: int) -> Iterator[Fold]:
    """Yield the rows of n that stay and those left out, each left out once, in a seeded order."""
    shuffled = np.random.default_rng(seed).permutation(n)
    for part in np.array_split(shuffled, min(folds, n)):
        left_out = np.sort(part)
        yield np.setdiff1d(shuffled, left_out), left_out


def listed_folds(pairs: Iterable[Any], n: int, name: str) -> list[Fold]:
    """Give pairs (rows to fit, rows to leave out) of n rows as numbers, where they may be masks.

    Raises
    ------
    ValueError
        Naming what is no such pair, no row of the data, or fits nothing.
    """
    listed = []
    for number, pair in enumerate(pairs):
        where = f"{name}: fold {number}"
        if not isinstance(pair, Sequence | np.ndarray) or len(pair) != 2:
            raise ValueError(f"{where} must be a pair (rows to fit, rows to leave out).")
        kept, left_out = (_row_numbers(chosen, n, where) for chosen in pair)
        if not len(kept):
            raise ValueError(f"{where} has no rows to fit.")
        listed.append((kept, left_out))
    if not listed:
        raise ValueError(f"{name} must have at least one fold, got none.")
    return listed


def _row_numbers(chosen: Any, n: int, where: str) -> Array:
    try:
        rows = np.asarray(chosen)
    except ValueError:  # lists of unequal lengths
        rows = np.empty((0, 0))
    if rows.shape == (n,) and rows.dtype == bool:
        return np.flatnonzero(rows)
    if rows.shape == (0,):
        return np.empty(0, dtype=np.intp)
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= n:
        raise ValueError(f"{where} must be row numbers from 0 to {n - 1}, or masks of {n} rows.")
    return rows


def sides(kernel: str, X: Matrix, kept: Array, left_out: Array) -> tuple[Matrix, Matrix]:
    """Give both sides of a fold as an estimator takes them: rows, or blocks of a kernel matrix."""
    if kernel != "precomputed":
        return X[kept], X[left_out]
    K = X.tocsr() if is_sparse(X) else X
    return K[np.ix_(kept, kept)], K[np.ix_(left_out, kept)]
