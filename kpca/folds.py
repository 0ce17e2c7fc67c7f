"""Folds of training samples, and statistics of samples under models fitted without them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from kpca.base import check_model
from kpca.kernel_pca import KernelPCA
from kpca.types import Array, Floats, Matrix
from kpca.validation import check_argument, integer, is_sparse

Fold = tuple[Array, Array]  # row numbers: the training rows, and the rows left out
Folds = Sequence[Fold]

NO_POINTS = (
    "A model of landmarks does not hold its training points, and some of them would have to be "
    "left out: fit a KernelPCA."
)


def held_out(
    model: KernelPCA,
    statistic: Callable[[KernelPCA, Matrix, Array | None], Floats],
    *,
    folds: int | Folds,
    seed: int,
    groups: Array | None = None,
) -> Floats:
    """Return a statistic of each training sample, in order, under a model fitted without it.

    Parameters
    ----------
    model : KernelPCA
        Fitted model with its training points. The models of the folds take its γ and its number of
        components.
    statistic : callable
        (fitted model, held-out points, k(x, x) of these points) → one row per point. k(x, x) is
        None unless the kernel is precomputed. Rows shorter than others are padded with zeros.
    folds : int or list
        Number of folds, limited to the number of samples or groups; or a list of folds as for
        `checked_folds`.
    seed : int
        Seed of the shuffling.
    groups : array of shape (n,) or None, default=None
        Group of each training sample. Samples of one group are left out together.

    Raises
    ------
    TypeError, ValueError
        If `model` is not a fitted KernelPCA, or has a single sample or group.
    """
    check_model(model)
    check_argument("seed", seed, integer(0))
    if not isinstance(model, KernelPCA):
        raise ValueError(NO_POINTS)
    if model.X_fit_.shape[0] < 2:
        raise ValueError("model has a single training point, and needs another to leave one out.")
    X = model.X_fit_
    weights = model.sample_weight_
    kernel = str(model.kernel)
    drawn = checked_folds(folds, X.shape[0], seed, groups)
    parts = []
    # A component of eigenvalue zero stands for none.
    n_components = len(model.eigenvalues_) or 1
    unfitted = clone(model).set_params(
        n_components=n_components, gamma=model.gamma_, fit_inverse_transform=False
    )
    for training, left_out in drawn:
        inner, outer = sides(kernel, X, training, left_out)
        training_weights = None if weights is None else weights[training]
        fitted = clone(unfitted).fit(inner, sample_weight=training_weights)
        diagonal = X.diagonal()[left_out] if kernel == "precomputed" else None
        parts.append(np.asarray(statistic(fitted, outer, diagonal), dtype=np.float64))
    if parts[0].ndim > 1:
        width = max(part.shape[1] for part in parts)
        parts = [np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts]
    return np.concatenate(parts)[np.argsort(np.concatenate([rows for _, rows in drawn]))]


def shuffled_folds(n: int, folds: int, seed: int, groups: Array | None = None) -> Iterator[Fold]:
    """Yield random folds of n rows: the rows that stay, and the rows left out.

    Each row is left out once, and rows of one group are left out together. Without groups, each row
    is a group.

    Raises
    ------
    ValueError
        If the length of `groups` is not n, or if there are fewer than two groups.
    """
    number = np.arange(n) if groups is None else group_numbers(groups, n)
    shuffled = np.random.default_rng(seed).permutation(number.max() + 1)
    for part in np.array_split(shuffled, min(folds, len(shuffled))):
        out = np.isin(number, part)
        yield np.flatnonzero(~out), np.flatnonzero(out)


def group_numbers(groups: Any, n: int) -> Array:
    """Return the groups of n rows as numbers from 0, in the order in which they appear.

    Raises
    ------
    ValueError
        If there is not one group per row, a group is missing, or all rows are of one group.
    """
    named = np.asarray(groups, dtype=object)
    if named.shape != (n,):
        raise ValueError(f"groups must hold the group of each of {n} rows of X, in shape ({n},).")
    if missing := [i for i, group in enumerate(named) if _is_missing(group)]:
        raise ValueError(f"groups has no group for row {missing[0]} of X: give each row a group.")
    numbers = _numbered(named.tolist())
    if numbers.max() == 0 and n > 1:
        raise ValueError("All rows of X are of one group, and models need a group to leave out.")
    return numbers


def _is_missing(group: Any) -> bool:
    # pandas.NA compares with everything as NA, which has no truth value.
    return group is None or type(group).__name__ == "NAType" or bool(group != group)


def equal_rows(X: Matrix) -> Array:
    """Return one number per row, from 0 in order of appearance; equal rows share a number."""
    if is_sparse(X):
        X = X.tocsr(copy=True)
        X.sum_duplicates()
        X.eliminate_zeros()
        ends = zip(X.indptr, X.indptr[1:], strict=False)
        return _numbered([X.indices[a:b].tobytes() + X.data[a:b].tobytes() for a, b in ends])
    return _numbered([row.tobytes() for row in np.ascontiguousarray(X) + 0])  # −0 becomes 0


def _numbered(values: Sequence[Any]) -> Array:
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values])


def checked_folds(folds: Any, n: int, seed: int, groups: Array | None = None) -> Folds:
    """Return folds of n rows as row numbers; if `folds` is an integer, draw that many folds.

    Each row is left out once. A fold need not keep all other rows.

    Raises
    ------
    ValueError
        If there are no folds, if a fold keeps no row or leaves out no row, if a row is not left out
        once, or if a fold keeps and leaves out the same row or rows of the same group.
    """
    if integer(2).holds(folds):
        return list(shuffled_folds(n, folds, seed, groups))
    try:
        rows = np.arange(n)
        listed = [(rows[training], rows[left_out]) for training, left_out in folds]
    except (IndexError, TypeError, ValueError):
        listed = []
    if not listed or not all(len(part) for fold in listed for part in fold):
        raise ValueError(
            "folds must be an integer from 2, or pairs of row numbers or masks, to fit and to "
            f"leave out, such as list(KFold(5).split(X)), got {folds!r}."
        )
    times = np.bincount(np.concatenate([left_out for _, left_out in listed]), minlength=n)
    if len(wrong := np.flatnonzero(times != 1)):
        raise ValueError(
            f"folds leave out row {wrong[0]} of X {times[wrong[0]]} times: leave out each row "
            "once, as list(KFold(5).split(X)) does."
        )
    units = rows if groups is None else group_numbers(groups, n)
    for number, (training, left_out) in enumerate(listed):
        if len(kept := left_out[np.isin(units[left_out], units[training])]):
            raise ValueError(
                f"Fold {number} of folds leaves out row {kept[0]} of X, and keeps it or a row of "
                "its group: keep only rows of other groups, as "
                "list(GroupKFold(5).split(X, groups=groups)) does."
            )
    return listed


def sides(kernel: str, X: Matrix, kept: Array, left_out: Array) -> tuple[Matrix, Matrix]:
    """Return the parts of X for rows kept and left out: samples, or blocks of a kernel matrix."""
    if kernel != "precomputed":
        return X[kept], X[left_out]
    K = X.tocsr() if is_sparse(X) else X
    return K[np.ix_(kept, kept)], K[np.ix_(left_out, kept)]
