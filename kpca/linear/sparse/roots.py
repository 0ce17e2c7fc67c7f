"""A root R of the covariance matrix: RᵀR = C is all that a sparse method sees of the data."""

import numpy as np
import scipy.linalg

from kpca.types import Floats

#: Relative asymmetry, and negative eigenvalue, that count as rounding.
ROUNDING = 1e-8


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
    if np.max(np.abs(C - C.T)) > ROUNDING * scale:
        raise ValueError("the covariance matrix is not symmetric: pass (C + C.T)/2 if it is meant")
    eigenvalues, vectors = scipy.linalg.eigh(C)
    if eigenvalues[0] < -ROUNDING * scale:
        raise ValueError(
            f"the covariance matrix has the negative eigenvalue {eigenvalues[0]:.2g}: clip it first"
        )
    return np.asarray((vectors * np.sqrt(np.maximum(eigenvalues, 0.0))) @ vectors.T)
