"""Input and output of sparse methods, and the variance that sparse loadings explain.

It sees a root R of the covariance matrix, RᵀR = C, and nothing else.
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg

from kpca.types import Floats

#: Relative asymmetry, and negative eigenvalue, that count as rounding.
COVARIANCE_ROUNDING = 1e-8


class SparseLoadings(NamedTuple):
    """Sparse directions and how the method that found them ended.

    The loadings are columns of norm 1, or 0 where the penalty leaves nothing, in general neither
    orthogonal nor sorted by variance.
    """

    loadings: Floats  # of shape (d, k)
    n_iter: int  # the most iterations of any component, where each has its own
    converged: bool  # whether the last iteration changed the loadings by less than the tolerance


def data_root(centred: Floats) -> Floats:
    """Return a root of XᵀX/(n − 1), X centred: X/√(n − 1), or its triangular factor if smaller."""
    n, d = centred.shape
    root = centred / np.sqrt(n - 1)
    return np.asarray(scipy.linalg.qr(root, mode="r")[0][:d]) if n > d else root


def covariance_root(C: Floats) -> Floats:
    """Return the symmetric root of a covariance matrix.

    Raises
    ------
    ValueError
        If C is not square, not symmetric, or has a negative eigenvalue.
    """
    if C.shape[0] != C.shape[1]:
        raise ValueError(f'a covariance matrix is square, not {C.shape}: for samples, input="data"')
    scale = float(np.max(np.abs(C)))
    if np.max(np.abs(C - C.T)) > COVARIANCE_ROUNDING * scale:
        raise ValueError("the covariance matrix is not symmetric: pass (C + C.T)/2 if it is meant")
    eigenvalues, vectors = scipy.linalg.eigh(C)
    if eigenvalues[0] < -COVARIANCE_ROUNDING * scale:
        raise ValueError(
            f"the covariance matrix has the negative eigenvalue {eigenvalues[0]:.2g}: clip it first"
        )
    return np.asarray((vectors * np.sqrt(np.maximum(eigenvalues, 0.0))) @ vectors.T)


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
    added = np.diag(scipy.linalg.qr(X @ B, mode="r")[0]) ** 2
    return np.pad(added, (0, B.shape[1] - len(added)))


def unexplained_share(X: Floats, B: Floats) -> float:
    """Return ‖X − XP‖²_F/‖X‖²_F in [0, 1], P the projection on the span of the loadings B."""
    kept = scipy.linalg.orth(B)
    total = float(np.sum(X**2))
    return float(np.sum((X - (X @ kept) @ kept.T) ** 2)) / (total or 1.0)
