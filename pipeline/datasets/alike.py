"""Rows that are all the same point, which have no component in any feature space."""

import numpy as np

from pipeline.datasets.dataset import FloatArray

ROUNDING = 1e-12  # of a squared distance, relative to the largest kernel value


def alike(X: FloatArray, *, precomputed: bool = False) -> bool:
    """Return whether all rows are the same point.

    Parameters
    ----------
    X : array of shape (n, d), or (n, n) when `precomputed`
        Finite. Of a kernel matrix the points are one where k(x_i, x_i) + k(x_1, x_1) −
        2 k(x_1, x_i), their squared distance from the first, is zero for all i.
    precomputed : bool
        X is a kernel matrix.

    Examples
    --------
    >>> alike(np.array([[1.0, 2.0], [1.0, 2.0]])), alike(np.eye(2), precomputed=True)
    (True, False)
    """
    if not precomputed:
        return not np.ptp(X, axis=0).any()
    squared = X.diagonal() + X[0, 0] - 2 * X[0]
    return bool((squared <= ROUNDING * np.abs(X).max()).all())
