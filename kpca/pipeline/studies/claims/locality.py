"""How local a component is: how many rows carry it, and how far apart they are."""

from __future__ import annotations

import numpy as np


def participation(A: np.ndarray) -> np.ndarray:
    """Return the effective number of rows that carry each unit vector, 1 / Σ_i a_i⁴.

    It is 1 for one row alone, and n for n equal entries.

    Parameters
    ----------
    A : array of shape (n, k)
        Columns of norm 1.

    References
    ----------
    Bell and Dean, "Atomic vibrations in vitreous silica", Discussions of the Faraday Society
    50 (1970).

    Examples
    --------
    >>> participation(np.array([[1.0, 0.5], [0, 0.5], [0, 0.5], [0, 0.5]]))
    array([1., 4.])
    """
    return np.asarray(1 / (A**4).sum(axis=0))


def spread(A: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Return the radius of the rows that carry each unit vector, over that of all rows.

    The radius is the root mean square distance from the mean, rows weighted by a_i²: 1 where
    all rows count alike, 0 where one counts alone.

    Parameters
    ----------
    A : array of shape (n, k)
        Columns of norm 1.
    X : array of shape (n, d)
        The rows in the input space.
    """
    weights = A**2
    centres = weights.T @ X
    squares = (X**2).sum(axis=1) @ weights - (centres**2).sum(axis=1)
    return np.asarray(np.sqrt(np.maximum(squares, 0) / X.var(axis=0).sum()))
