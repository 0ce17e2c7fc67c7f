"""Models fitted without some rows, and what they see of those rows.

Rows may be corrupted before they are projected: only then can a model with more components do
worse.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from kpca.folds import Fold, shuffled_folds, sides
from kpca.kernel_pca import KernelPCA
from kpca.types import Array, Floats

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

    def uncorrupted(self) -> Self:
        """Give the same model with the rows as they are."""
        return replace(self, scores=self.clean)


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
        As `kpca.folds.shuffled_folds` gives them.
    corrupted : ndarray of the shape of X, optional
        Corrupted rows x̃_i, or their k(x̃_i, x_j); by default nothing is corrupted.

    Yields
    ------
    HeldOut
    """
    kernel = str(estimator.kernel)
    for kept, rows in folds:
        inner, outer = sides(kernel, X, kept, rows)
        model = clone(estimator).fit(inner)
        clean = scores = model.transform(outer)
        if corrupted is not None:
            scores = model.transform(sides(kernel, corrupted, kept, rows)[1])
        own = X[rows, rows] if kernel == "precomputed" else None
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
    """Add Gaussian noise whose expected square is noise² times that of x − mean.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    noise : float
        Relative size of the noise, alike in all directions.
    seed : int
    """
    spread = np.square(X - X.mean(axis=0)).sum(axis=1).mean()
    deviation = noise * np.sqrt(spread / X.shape[1])
    return X + deviation * np.random.default_rng(seed).normal(size=X.shape)
