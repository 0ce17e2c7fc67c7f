"""Eigenvalues and eigenvectors of symmetric matrices by SciPy, including empty matrices."""

from typing import Any

import numpy as np
import scipy.linalg

from kpca.types import Floats


def eigh(A: Floats, **options: Any) -> tuple[Floats, Floats]:
    """Return the eigenvalues of a symmetric matrix in ascending order, and its eigenvectors.

    Matrices of less than two rows are handled here, because SciPy 1.13 refuses an empty matrix, and
    a single row with the driver "evd".

    Parameters
    ----------
    A : ndarray of shape (n, n)
        Symmetric matrix.
    **options
        Options of `scipy.linalg.eigh`.

    Returns
    -------
    eigenvalues : ndarray of shape (n,)
        Eigenvalues in ascending order.
    eigenvectors : ndarray of shape (n, n)
        One eigenvector per column, of norm 1.
    """
    if len(A) < 2:
        return np.diagonal(A).astype(np.float64), np.eye(len(A))
    values, vectors = scipy.linalg.eigh(A, **options)
    return values, vectors


def eigvalsh(A: Floats, **options: Any) -> Floats:
    """Return the eigenvalues of a symmetric matrix in ascending order, as `eigh` does."""
    if len(A) < 2:
        return np.diagonal(A).astype(np.float64)
    return np.asarray(scipy.linalg.eigvalsh(A, **options), dtype=np.float64)
