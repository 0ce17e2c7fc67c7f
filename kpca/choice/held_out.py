"""Models fitted without some rows of one kernel matrix, and what they see of those rows.

A kernel matrix over all rows holds the matrix of every fold as a block, so that nothing but
the eigenvectors is computed again. Rows may be corrupted before they are projected: only then
can a model with more components do worse.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from kpca.folds import shuffled_folds
from kpca.kernel_pca import KernelPCA
from kpca.types import Array, Floats

Folds = Sequence[tuple[Array, Array]]
"""Rows to fit and rows to leave out, fold by fold."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """A model and the rows that it has not seen.

    Attributes
    ----------
    model : KernelPCA
        Fitted to the block of the kernel matrix, with kernel "precomputed".
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
    K: Floats, folds: Folds, n_components: int, corrupted: Floats | None = None
) -> Iterator[HeldOut]:
    """Fit kernel PCA without the rows of each fold.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    folds : sequence of (kept, left out)
        As `kpca.folds.shuffled_folds` gives them.
    n_components : int
        At most; components without variance are left out.
    corrupted : ndarray of shape (n, n), optional
        k(x̃_i, x_j) of corrupted rows x̃_i; by default nothing is corrupted.

    Yields
    ------
    HeldOut
    """
    for kept, rows in folds:
        model = centred_fit(K[np.ix_(kept, kept)], n_components)
        block = K[np.ix_(rows, kept)]
        clean = model.transform(block)
        scores = clean if corrupted is None else model.transform(corrupted[np.ix_(rows, kept)])
        left = model.reconstruction_error(block, diagonal=K[rows, rows])
        yield HeldOut(model, kept, rows, clean, scores, left + np.square(clean).sum(axis=1))


def centred_fit(K: Floats, n_components: int, weights: Floats | None = None) -> KernelPCA:
    """Fit kernel PCA to a kernel matrix, without components of eigenvalue zero."""
    model = KernelPCA(
        min(n_components, len(K)), kernel="precomputed", remove_zero_eig=True, indefinite="clip"
    )
    return model.fit(K, sample_weight=weights)


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
