"""Models fitted without some rows, what they see of those rows, and their errors there.

Rows may be corrupted before they are projected: only then can a model with more components do
worse.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kpca.arguments import (
    as_kernel_matrix,
    as_list,
    as_points,
    check_kernel_pca,
    check_values,
)
from kpca.kernel_pca import KernelPCA
from kpca.model_selection.folds import Fold, fold_fits, listed_folds, shuffled_folds, sides
from kpca.preimage import fixed_point
from kpca.rules import whole
from kpca.types import Array, Floats, Matrix

TOL = 1e-3  # of the spread: an error that is compared needs no more digits
MAX_ITER = 100

Folds = Sequence[Fold]
"""Rows to fit and rows to leave out, fold by fold."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """A model and the rows that it has not seen.

    Attributes
    ----------
    model : KernelPCA
        Fitted to the rows that were kept.
    kept, rows : int ndarray
        Numbers of the rows that were fitted, and of the m others.
    clean, scores : ndarray of shape (m, k)
        Scores of the others as they are, and as they were corrupted.
    norms : ndarray of shape (m,)
        Squared distance ‖φ̄(x)‖² of the others from the mean in feature space.
    """

    model: KernelPCA
    kept: Array
    rows: Array
    clean: Floats
    scores: Floats
    norms: Floats


def as_folds(n: int, folds: int | Folds, seed: int) -> Folds:
    """Give folds as row numbers, or so many drawn ones of n rows, at most one a row."""
    check_values(seed=seed)
    if not isinstance(folds, Sequence | Iterator):
        if not whole(2)(folds):
            raise ValueError(
                "folds must be a whole number from 2, or pairs such as list(KFold(5).split(X)), "
                f"got {folds!r}."
            )
        return list(shuffled_folds(n, folds, seed))
    listed = listed_folds(folds, n, "folds")
    if not all(len(left_out) for _, left_out in listed):
        raise ValueError("folds must leave out at least one row each.")
    return listed


def fits_without(
    estimator: KernelPCA, X: Matrix, folds: int | Folds, corrupted: Matrix | None = None
) -> Iterator[HeldOut]:
    """Fit kernel PCA without the rows of each fold, one fit at a time.

    Parameters
    ----------
    estimator : KernelPCA
        Not fitted, such as `leading`.
    X : array or sparse matrix of shape (n, d), or kernel matrix of shape (n, n)
    folds : int, or sequence of (kept, left out)
        Row numbers or masks.
    corrupted : ndarray of the shape of X, optional
        Corrupted rows x̃_i, or their k(x̃_i, x_j); by default nothing is corrupted.

    Returns
    -------
    iterator of HeldOut

    Raises
    ------
    TypeError, ValueError
        Naming the argument that cannot be used, before the first fit.
    """
    check_kernel_pca(estimator)
    X = as_kernel_matrix(X, "X") if estimator.kernel == "precomputed" else as_points(X, rows=2)
    if corrupted is not None:
        corrupted = like(corrupted, X)
    return _fits_without(estimator, X, as_folds(X.shape[0], folds, 0), corrupted)


def like(corrupted: Any, X: Matrix) -> Matrix:
    """Give corrupted rows, of the shape of the rows as they are."""
    checked = as_points(corrupted, "corrupted")
    if checked.shape != X.shape:
        raise ValueError(f"corrupted must have the shape {X.shape} of X, got {checked.shape}.")
    return checked


def _fits_without(
    estimator: KernelPCA, X: Matrix, folds: Folds, corrupted: Matrix | None
) -> Iterator[HeldOut]:
    fits = fold_fits(estimator, X, folds)
    for (kept, rows), (model, outer, own) in zip(folds, fits, strict=True):
        clean = scores = model.transform(outer)
        if corrupted is not None:
            scores = model.transform(sides(str(estimator.kernel), corrupted, kept, rows)[1])
        left = model.reconstruction_error(outer, own)
        yield HeldOut(model, kept, rows, clean, scores, left + np.square(clean).sum(axis=1))


def leading(n_components: int, **kernel: Any) -> KernelPCA:
    """Give an estimator of so many components, if as many have a variance.

    >>> leading(2, kernel="rbf", gamma=0.5).gamma
    0.5
    """
    return KernelPCA(n_components, remove_zero_eig=True, indefinite="clip", **kernel)


def centred_fit(K: Floats, n_components: int, weights: Floats | None = None) -> KernelPCA:
    """Fit kernel PCA to a kernel matrix, without components of eigenvalue zero."""
    K = as_kernel_matrix(K, rows=1)
    return leading(n_components, kernel="precomputed").fit(K, sample_weight=weights)


def corrupt(X: Floats, noise: float, seed: int) -> Floats:
    """Add noise, alike in all directions, of expected square noise² times that of x − mean."""
    X = as_points(X, sparse=False)
    check_values(noise=noise, seed=seed)
    with np.errstate(over="ignore"):
        spread = np.square(X - X.mean(axis=0)).sum(axis=1).mean()
    if not np.isfinite(spread):
        raise ValueError("X is so large that its variance overflows: scale the data.")
    deviation = noise * np.sqrt(spread / X.shape[1])
    return X + deviation * np.random.default_rng(seed).normal(size=X.shape)


def feature_errors(parts: Iterable[HeldOut], n_components: int) -> Floats:
    """Give ‖P_m φ̄(x̃) − φ̄(x)‖² of every held-out row x, corrupted to x̃, for m = 0, 1, ….

    Without corruption this is ‖φ̄(x)‖² − Σ_{j≤m} z_j², which never rises with m, and which
    falls to zero with γ for every m ≥ 1: it can tell where more components stop mattering at
    one γ, and says nothing about γ. With corruption, ‖φ̄‖² + Σ_{j≤m} (z̃_j² − 2 z_j z̃_j), a
    component that carries more noise than signal adds to it.

    Parameters
    ----------
    parts : iterable of HeldOut
        Every row held out once.
    n_components : int
        Largest m.

    Returns
    -------
    ndarray of shape (n, n_components + 1)
        Beyond the rank of a fold m counts as the rank.

    Raises
    ------
    TypeError, ValueError
        For what is no part, for none, or for fewer components than one.
    """
    check_values(n_components=n_components)
    rows, errors = [], []
    for part in _checked(parts):
        steps = np.square(part.scores) - 2 * part.clean * part.scores
        steps = np.pad(steps, ((0, 0), (0, max(0, n_components - steps.shape[1]))))
        columns = np.column_stack([part.norms, steps[:, :n_components]])
        errors.append(np.maximum(np.cumsum(columns, axis=1), 0))
        rows.append(part.rows)
    return _in_order(errors, rows)


def input_errors(
    parts: Iterable[HeldOut], X: Floats, corrupted: Floats, sizes: Sequence[int]
) -> Floats:
    """Give ‖x̂ − x‖² of every held-out row x, where x̂ is the pre-image of P_m φ(x̃).

    Distances in the input space have one unit for all γ, so that they can be compared across
    γ. Uncorrupted rows would be given back unchanged by a wide kernel with as many components
    as variables: it is the noise that makes a model lose by keeping everything.

    Parameters
    ----------
    parts : iterable of HeldOut
        Fitted to points with a kernel that has a fixed point, every row held out once.
    X, corrupted : ndarray of shape (n, d)
        Rows x and x̃.
    sizes : sequence of int
        Numbers m of components; beyond the rank of a fold m counts as the rank.

    Returns
    -------
    ndarray of shape (n, len(sizes))

    Raises
    ------
    TypeError, ValueError
        For what is no part, for none, sizes below one, or rows that are not those of the parts.

    References
    ----------
    Mika, Schölkopf, Smola, Müller, Scholz, Rätsch (1998), Kernel PCA and de-noising in feature
    spaces. Alam, Fukumizu (2014), Hyperparameter selection in kernel principal component
    analysis, Journal of Computer Science 10.
    """
    X = as_points(X, sparse=False)
    corrupted = like(corrupted, X)
    sizes = as_list(sizes, "sizes", "whole numbers from 1", whole(1))
    rows, errors = [], []
    for part in _checked(parts):
        if part.rows.max() >= len(X):
            raise ValueError(f"X has {len(X)} rows, and parts leave out row {part.rows.max()}.")
        leading = [part.scores * (np.arange(part.scores.shape[1]) < m) for m in sizes]
        start = np.tile(corrupted[part.rows], (len(sizes), 1))
        found = fixed_point.find(
            part.model.expansion(), np.vstack(leading), start, tol=TOL, max_iter=MAX_ITER
        )
        away = found.points.reshape(len(sizes), *X[part.rows].shape) - X[part.rows]
        errors.append(np.square(away).sum(axis=2).T)
        rows.append(part.rows)
    return _in_order(errors, rows)


def _checked(parts: Iterable[HeldOut]) -> Iterator[HeldOut]:
    """Pass parts on, at least one, each when it is asked for."""
    part = None
    for part in parts if isinstance(parts, Iterable) else [parts]:
        if not isinstance(part, HeldOut):
            raise TypeError(
                f"parts must be what fits_without gives, got an object of type "
                f"{type(part).__name__}."
            )
        yield part
    if part is None:
        raise ValueError("parts must be what fits_without gives, at least one, got none.")


def _in_order(parts: list[Floats], rows: list[Floats]) -> Floats:
    return np.concatenate(parts)[np.argsort(np.concatenate(rows))]
