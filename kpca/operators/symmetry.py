"""The symmetry of kernel matrices that others compute."""

import numpy as np

from kpca.types import Array, Floats, Matrix
from kpca.warning import warn

ASYMMETRY = {np.dtype(np.float64): 1e-8, np.dtype(np.float32): 1e-4}  # relative to max |K_ij|
ROWS = 256


class AsymmetricKernelWarning(UserWarning):
    """A kernel matrix, computed beforehand or by a function, was not symmetric: it is made so."""


def symmetrised(K: Matrix) -> Floats:
    """Give a kernel matrix in float64, symmetrised with a warning where it is not.

    Raises
    ------
    ValueError
        If the matrix is not square.
    """
    K = K.toarray() if hasattr(K, "toarray") else K
    if K.shape[0] != K.shape[1]:
        raise ValueError(
            f"Precomputed kernel matrix has shape {K.shape}: it must be a square matrix of the "
            "kernel values among the training points."
        )
    largest = float(max(K.max(), -K.min()))
    asymmetry = _asymmetry(K) / largest if largest > 0 else 0.0
    if asymmetry > ASYMMETRY[K.dtype]:
        warn(
            f"The kernel matrix is not symmetric: |K − Kᵀ| reaches {asymmetry:.1e} of "
            "its largest entry. (K + Kᵀ)/2 is used.",
            AsymmetricKernelWarning,
        )
    if asymmetry > 0:
        return (K.astype(np.float64) + K.T) / 2
    return K.astype(np.float64, copy=False)


def _asymmetry(K: Array) -> float:
    """Max |K_ij − K_ji|, by blocks of rows."""
    starts = range(0, len(K), ROWS)
    return max(float(np.abs(K[s : s + ROWS] - K[:, s : s + ROWS].T).max()) for s in starts)
