"""Sparse components, and what they explain: they are neither orthogonal nor uncorrelated."""

from typing import NamedTuple

import numpy as np
import scipy.linalg

from kpca.types import Floats


class SparseLoadings(NamedTuple):
    """Sparse directions and how the method that found them ended.

    Attributes
    ----------
    loadings : ndarray of shape (d, k)
        Columns of norm 1, or 0 where the penalty leaves nothing. They are in general neither
        orthogonal nor sorted by variance.
    n_iter : int
        Iterations, the most of any component where each has its own.
    converged : bool
        Whether the last iteration changed the loadings by less than the tolerance.
    """

    loadings: Floats
    n_iter: int
    converged: bool


def unit_columns(B: Floats) -> Floats:
    """Return B with columns of norm 1; a column of zeros stays."""
    lengths = np.linalg.norm(B, axis=0)
    return B / np.where(lengths > 0, lengths, 1.0)


def adjusted_variances(X: Floats, B: Floats) -> Floats:
    """Return what each score adds to those before it: R_jj² of the QR factorisation XB = QR.

    Equal to the variances ‖Xb_j‖² where the scores are uncorrelated; it depends on the order.

    X of shape (m, d) is any root of the covariance matrix, B of shape (d, k) loadings of norm 1.

    References
    ----------
    Zou, Hastie and Tibshirani (2006), J. Comput. Graph. Stat. 15, section 3.4.
    """
    R = scipy.linalg.qr(X @ B, mode="r")[0]
    adjusted = np.zeros(B.shape[1])
    diagonal = np.diag(R)
    adjusted[: len(diagonal)] = diagonal**2
    return adjusted


def unexplained_share(X: Floats, B: Floats) -> float:
    """Return ‖X − XP‖²_F/‖X‖²_F in [0, 1], P the projection on the span of the loadings B."""
    kept = scipy.linalg.orth(B)
    total = float(np.sum(X**2))
    return float(np.sum((X - (X @ kept) @ kept.T) ** 2)) / (total or 1.0)
