"""Models fitted without some rows, what they see of those rows, and their errors there.

Rows may be corrupted before they are projected: only then can a model with more components do
worse.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kpca.kernel_pca import KernelPCA
from kpca.model_selection.folds import Fold, fold_fits, shuffled_folds, sides
from kpca.preimage import fixed_point
from kpca.types import Array, Floats

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
    """Give folds as they are, or so many drawn ones of n rows."""
    return list(shuffled_folds(n, folds, seed)) if isinstance(folds, int) else folds


def fits_without(
    estimator: KernelPCA, X: Floats, folds: Folds, corrupted: Floats | None = None
) -> Iterator[HeldOut]:
    """Fit kernel PCA without the rows of each fold.

    Parameters
    ----------
    estimator : KernelPCA
        Not fitted, such as `leading`.
    X : ndarray of shape (n, d), or kernel matrix of shape (n, n)
    folds : sequence of (kept, left out)
        As `kpca.model_selection.folds.shuffled_folds` gives them.
    corrupted : ndarray of the shape of X, optional
        Corrupted rows x̃_i, or their k(x̃_i, x_j); by default nothing is corrupted.

    Yields
    ------
    HeldOut
    """
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
    return leading(n_components, kernel="precomputed").fit(K, sample_weight=weights)


def corrupt(X: Floats, noise: float, seed: int) -> Floats:
    """Add noise, alike in all directions, of expected square noise² times that of x − mean."""
    spread = np.square(X - X.mean(axis=0)).sum(axis=1).mean()
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
    """
    rows, errors = [], []
    for part in parts:
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

    References
    ----------
    Mika, Schölkopf, Smola, Müller, Scholz, Rätsch (1998), Kernel PCA and de-noising in feature
    spaces. Alam, Fukumizu (2014), Hyperparameter selection in kernel principal component
    analysis, Journal of Computer Science 10.
    """
    rows, errors = [], []
    for part in parts:
        leading = [part.scores * (np.arange(part.scores.shape[1]) < m) for m in sizes]
        start = np.tile(corrupted[part.rows], (len(sizes), 1))
        found = fixed_point.find(
            part.model.expansion(), np.vstack(leading), start, tol=TOL, max_iter=MAX_ITER
        )
        away = found.points.reshape(len(sizes), *X[part.rows].shape) - X[part.rows]
        errors.append(np.square(away).sum(axis=2).T)
        rows.append(part.rows)
    return _in_order(errors, rows)


def _in_order(parts: list[Floats], rows: list[Floats]) -> Floats:
    return np.concatenate(parts)[np.argsort(np.concatenate(rows))]
