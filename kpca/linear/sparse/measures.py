"""What sparse components explain: they are neither orthogonal nor uncorrelated."""

import numpy as np
import scipy.linalg

from kpca.types import Floats


def variances(X: Floats, B: Floats) -> Floats:
    """Return the variance ‖Xb_j‖² of each score; correlated scores count the same variance twice.

    Parameters
    ----------
    X : ndarray of shape (m, d)
        Any root of the covariance matrix.
    B : ndarray of shape (d, k)
        Loadings of norm 1.

    Returns
    -------
    ndarray of shape (k,)
    """
    return np.asarray(np.sum((X @ B) ** 2, axis=0))


def adjusted_variances(X: Floats, B: Floats) -> Floats:
    """Return what each score adds to those before it: R_jj² of the QR factorisation XB = QR.

    Equal to `variances` where the scores are uncorrelated; it depends on the order.

    Parameters
    ----------
    X : ndarray of shape (m, d)
    B : ndarray of shape (d, k)

    Returns
    -------
    ndarray of shape (k,)

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
    """Return ‖X − XP‖²_F/‖X‖²_F, P the projection on the span of the loadings.

    Parameters
    ----------
    X : ndarray of shape (m, d)
    B : ndarray of shape (d, k)

    Returns
    -------
    float
        The relative reconstruction error, between 0 and 1.
    """
    kept = scipy.linalg.orth(B)
    total = float(np.sum(X**2))
    return float(np.sum((X - (X @ kept) @ kept.T) ** 2)) / (total or 1.0)
