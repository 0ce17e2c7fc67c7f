"""The line that separates two classes best in a plane of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.drawing import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Boundary:
    """A linear classifier of m columns: the signed distance of z is w·z + b.

    The normal w, of shape (m,) and norm 1, points to class 1.
    """

    w: np.ndarray
    b: float

    def distance(self, Z: np.ndarray) -> np.ndarray:
        """Return the signed distance of every row, in the units of Z."""
        return Z @ self.w + self.b

    def accuracy(self, Z: np.ndarray, y: np.ndarray) -> float:
        """Return the share of rows that lie on their side."""
        return float(((self.distance(Z) > 0) == (y == 1)).mean())


def separate(Z: np.ndarray, y: np.ndarray) -> Boundary:
    """Fit a linear support vector machine with C = 1 to scores (n, m) and their classes 0 and 1.

    As in the evaluation, Z is scaled by one number to mean squared norm 1 first.
    """
    from sklearn.svm import SVC

    scale = 1 / np.sqrt((Z**2).sum(axis=1).mean())
    model = SVC(kernel="linear").fit(Z * scale, y)
    norm = float(np.linalg.norm(model.coef_[0]))
    return Boundary(model.coef_[0] / norm, float(model.intercept_[0]) / (norm * scale))


def draw_line(ax: Axes, boundary: Boundary) -> None:
    """Draw the boundary of two columns across a panel, whose limits stay as they are."""
    limits = ax.axis()
    foot = -boundary.b * boundary.w
    along = foot + np.array([-boundary.w[1], boundary.w[0]])
    ax.axline(tuple(foot), tuple(along), color=style.BLACK, linewidth=1)
    ax.axis(limits)
