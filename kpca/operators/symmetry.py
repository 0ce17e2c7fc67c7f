"""The symmetry of kernel matrices that others compute."""

import numpy as np

from kpca.types import Array, Floats, Matrix
from kpca.validation import is_sparse
from kpca.warning import warn

ASYMMETRY = {np.dtype(np.float64): 1e-8, np.dtype(np.float32): 1e-4}  # relative to max |K_ij|
STRIP = 64


class AsymmetricKernelWarning(UserWarning):
    """A kernel matrix, computed beforehand or by a function, was not symmetric: it is made so."""


def is_symmetric(K: Matrix) -> bool:
    """Say whether a kernel matrix is symmetric to the bit, with a warning where rounding is less.

    Raises
    ------
    ValueError
        If the matrix is not square.
    """
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
    return asymmetry == 0


def to_dense_symmetric(K: Matrix, symmetric: bool) -> Floats:
    """Return a kernel matrix in float64, (K + Kᵀ)/2 unless it is symmetric, in one new array."""
    dense: Array = K.toarray() if is_sparse(K) else K
    if symmetric:
        return dense.astype(np.float64, copy=False)
    mean = np.empty(dense.shape)
    for start in range(0, len(dense), STRIP):
        rows = slice(start, start + STRIP)
        mean[rows] = dense[rows]
        mean[rows] += dense[:, rows].T
        mean[rows] /= 2
    return mean


def _asymmetry(K: Matrix) -> float:
    """Max |K_ij − K_ji|, by blocks of rows."""
    if is_sparse(K):
        return float(abs(K - K.T).max())
    starts = range(0, K.shape[0], STRIP)
    return max(float(np.abs(K[s : s + STRIP] - K[:, s : s + STRIP].T).max()) for s in starts)
