"""Planes between two classes: whether there is one, and how good it is on fresh points."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.stats import binomtest

from pipeline.drawing.boundary import Boundary

LEAST_MARGIN = 1e-6
"""Margins below it, of columns scaled to at most 1, are rounding of the linear program."""


def separating_plane(Z: np.ndarray, y: np.ndarray) -> Boundary | None:
    """Return a plane that has all rows of class 1 on one side and all of class 0 on the other.

    With s = ±1 by class and every column scaled to at most 1 in modulus, the linear program

        max t  subject to  s_i (w·z_i + b) ≥ t,  −1 ≤ w ≤ 1

    has a solution t > 0 exactly where such a plane exists; the scaling changes which of them is
    found, not whether there is one.

    Parameters
    ----------
    Z : array of shape (n, m)
        Scores of training rows.
    y : int array of shape (n,)
        Classes 0 and 1, both present.

    Returns
    -------
    Boundary or None
        None where no plane separates the classes.

    Examples
    --------
    >>> separating_plane(np.array([[0.0], [1.0], [2.0]]), np.array([0, 0, 1])) is None
    False
    >>> separating_plane(np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 0])) is None
    True
    """
    m = Z.shape[1]
    largest = np.abs(Z).max(axis=0)
    scale = np.where(largest > 0, largest, 1.0)
    design = np.column_stack([Z / scale, np.ones(len(Z))]) * np.where(y == 1, 1, -1)[:, None]
    solution = linprog(
        np.append(np.zeros(m + 1), -1.0),
        A_ub=np.column_stack([-design, np.ones(len(Z))]),
        b_ub=np.zeros(len(Z)),
        bounds=[(-1, 1)] * m + [(None, None)] * 2,
    )
    if solution.x is None or solution.x[-1] < LEAST_MARGIN:
        return None
    w = solution.x[:m] / scale
    norm = float(np.linalg.norm(w))
    return Boundary(w / norm, float(solution.x[m]) / norm)


def lower_bound(right: int, n: int, *, level: float = 0.95) -> float:
    """Return Clopper and Pearson's lower bound for a probability, of which n trials had `right`.

    >>> round(lower_bound(10_000, 10_000), 5), lower_bound(0, 10)
    (0.9997, 0.0)
    """
    test = binomtest(right, n, alternative="greater")
    return float(test.proportion_ci(confidence_level=level).low)


def best_line(X: np.ndarray, y: np.ndarray, *, directions: int = 360) -> Boundary:
    """Return the line in the plane with the fewest rows on the wrong side, by trying all.

    Directions are `directions` angles of the whole circle; along each, every offset between
    two rows is tried.

    Parameters
    ----------
    X : array of shape (n, 2)
    y : int array of shape (n,)
        Classes 0 and 1.
    directions : int
        Angles tried.
    """
    angles = np.linspace(0, 2 * np.pi, directions, endpoint=False)
    normals = np.column_stack([np.cos(angles), np.sin(angles)])
    along = X @ normals.T
    order = np.argsort(along, axis=0)
    # Rows up to the cut are called class 0 and the others class 1.
    gained = np.cumsum(np.where(y[order] == 0, 1, -1), axis=0)
    cut, best = divmod(int(np.argmax(gained)), directions)
    behind, ahead = order[[cut, min(cut + 1, len(X) - 1)], best]
    offset = (along[behind, best] + along[ahead, best]) / 2
    return Boundary(normals[best], -float(offset))
