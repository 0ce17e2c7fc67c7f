"""Fits that leave part of the training points out, for what only new points can tell."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.base import clone

from kpca.kernels import is_sparse
from kpca.types import Array, Floats, Matrix

Fold = tuple[Array, Array]  # numbers of the rows that are fitted, and of those left out


def held_out(
    model: Any, statistic: Callable[[Any, Matrix, Array], Floats], *, folds: int, seed: int
) -> Floats:
    """Give a statistic of every training point under a model fitted without it.

    Parameters
    ----------
    model : KernelPCA
        Fitted. The others get its γ and its number of components.
    statistic : callable
        (fitted model, held-out points, their diagonal k(x, x)) → one row a point; short rows
        are filled up with zeros.
    folds : int
        At most one a point.
    seed : int
        Of the shuffling.

    Returns
    -------
    ndarray, one row a training point

    Raises
    ------
    ValueError
        For a model of landmarks.
    """
    if model._has_landmarks():
        raise ValueError(
            "A model of landmarks does not hold its training points, and some of them would have "
            "to be left out: fit it with another eigen_solver than 'nystrom'."
        )
    parts: list[Floats] = []
    rows: list[Array] = []
    for kept, left_out in shuffled_folds(model.X_fit_.shape[0], folds, seed):
        fitted, new, own = _refitted(model, kept, left_out)
        parts.append(np.asarray(statistic(fitted, new, own), dtype=np.float64))
        rows.append(left_out)
    order = np.argsort(np.concatenate(rows))
    return np.concatenate(_padded(parts))[order]


def shuffled_folds(n: int, folds: int, seed: int) -> Iterator[Fold]:
    """Yield the rows that stay and the rows that are left out, every row left out once.

    Parameters
    ----------
    n : int
        Rows.
    folds : int
        At most one a row.
    seed : int
        Of the shuffling.
    """
    shuffled = np.random.default_rng(seed).permutation(n)
    for part in np.array_split(shuffled, min(folds, n)):
        left_out = np.sort(part)
        yield np.setdiff1d(shuffled, left_out), left_out


def sides(kernel: str, X: Matrix, kept: Array, left_out: Array) -> tuple[Matrix, Matrix]:
    """Give both sides of a fold as an estimator takes them.

    Parameters
    ----------
    kernel : str
        For "precomputed" X is a kernel matrix, of which blocks are cut.
    X : array or sparse matrix of shape (n, d) or (n, n)
    kept, left_out : int ndarray
        Rows to fit, and rows to score.
    """
    if kernel != "precomputed":
        return X[kept], X[left_out]
    K = X.tocsr() if is_sparse(X) else X
    return K[np.ix_(kept, kept)], K[np.ix_(left_out, kept)]


def _refitted(model: Any, kept: Array, left_out: Array) -> tuple[Any, Matrix, Array]:
    """Give the model without some points, those points as it sees them, and their k(x, x)."""
    wanted = min(len(model.eigenvalues_), len(kept))
    fitted = clone(model).set_params(
        n_components=wanted, gamma=model.gamma_, fit_inverse_transform=False
    )
    weights = model.sample_weight_
    inner, outer = sides(model.kernel, model.X_fit_, kept, left_out)
    fitted.fit(inner, sample_weight=None if weights is None else weights[kept])
    if model.kernel == "precomputed":
        return fitted, outer, model.X_fit_.diagonal()[left_out]
    return fitted, outer, fitted._source().diagonal(outer)


def _padded(parts: list[Floats]) -> list[Floats]:
    if parts[0].ndim == 1:
        return parts
    width = max(part.shape[1] for part in parts)
    return [np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts]
