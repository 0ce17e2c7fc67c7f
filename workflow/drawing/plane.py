"""Rows in a plane: points, the line that separates classes best, level lines of components."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from kpca.kernel_pca import KernelPCA
from kpca.types import Array
from workflow.drawing import style

MESH = 61  # number of points along a side of a mesh
LEVELS = 9
SHADES = "RdBu_r"
Region = tuple[float, float, float, float]


def draw_classes(ax: Any, points: Array, y: Array, **options: Any) -> None:
    """Scatter rows of two or three columns, with one look per class; y numbers classes from 0."""
    for c in np.unique(y).tolist():
        look = style.class_style(c) | options
        ax.scatter(*points[y == c].T, s=5, linewidths=0, alpha=0.8, **look)


@dataclass(frozen=True, eq=False)
class Boundary:
    """A linear classifier w·z + b of m columns; the normal w has norm 1 and points to class 1."""

    w: Array
    b: float

    def distance(self, Z: Array) -> Array:
        """Return the signed distance of every row, in the units of Z."""
        return Z @ self.w + self.b

    def accuracy(self, Z: Array, y: Array) -> float:
        """Return the fraction of rows that lie on the side of their class."""
        return float(((self.distance(Z) > 0) == (y == 1)).mean())


def separate(Z: Array, y: Array) -> Boundary:
    """Return the boundary of a linear SVM (C = 1) between classes 0 and 1 of scores Z (n, m).

    The scores are scaled as in the evaluation.
    """
    from sklearn.svm import SVC

    scale = 1 / np.sqrt((Z**2).sum(axis=1).mean())
    model = SVC(kernel="linear").fit(Z * scale, y)
    norm = float(np.linalg.norm(model.coef_[0]))
    return Boundary(model.coef_[0] / norm, float(model.intercept_[0]) / (norm * scale))


def draw_line(ax: Axes, boundary: Boundary) -> None:
    """Draw the boundary of two columns of data across a panel, and keep the panel's limits."""
    limits = ax.axis()
    foot = -boundary.b * boundary.w
    along = foot + np.array([-boundary.w[1], boundary.w[0]])
    ax.axline(tuple(foot), tuple(along), color=style.BLACK, linewidth=1)
    ax.axis(limits)


def region(X: Array, margin: float = 0.12) -> Region:
    """Return the box around rows of two columns, widened by a fraction ``margin`` on each side.

    >>> region(np.array([[0.0, 0.0], [1.0, 2.0]]), margin=0.5)
    (-0.5, 1.5, -1.0, 3.0)
    """
    low = X.min(axis=0)
    high = X.max(axis=0)
    room = margin * np.where(high > low, high - low, 1.0)
    (left, bottom), (right, top) = low - room, high + room
    return float(left), float(right), float(bottom), float(top)


def mesh(box: Region, size: int = MESH) -> tuple[Array, Array]:
    """Return the x and y coordinates of a mesh over a box, each of shape (size, size)."""
    x, y = np.meshgrid(np.linspace(*box[:2], size), np.linspace(*box[2:], size))
    return x, y


def surfaces(model: KernelPCA, box: Region, size: int = MESH) -> Array:
    """Return the scores of k components over a mesh, an array of shape (k, size, size)."""
    x, y = mesh(box, size)
    scores = model.transform(np.column_stack([x.ravel(), y.ravel()]))
    return scores.T.reshape(-1, *x.shape)


def draw_components(axes: Sequence[Any], model: KernelPCA, box: Region, X: Array) -> None:
    """Draw one component per panel: shades and level lines over the box, and the rows on top.

    White is zero. `LEVELS` lines and their shades reach up to the largest modulus among the scores
    of the rows X, of shape (n, 2). Larger values all have the last shade.
    """
    x, y = mesh(box)
    heights = surfaces(model, box)
    scales = np.abs(model.transform(X)).max(axis=0)
    for ax, surface, scale in zip(axes, heights, scales, strict=False):
        if scale > 0:
            levels = np.linspace(-scale, scale, LEVELS)
            shaded = ax.contourf(x, y, surface, levels, cmap=SHADES, alpha=0.55, extend="both")
            shaded.set_rasterized(True)
            ax.contour(x, y, surface, levels, colors=style.BLACK, linewidths=0.4)
        ax.scatter(*X.T, s=4, color=style.BLACK, linewidths=0, alpha=0.7, rasterized=True)
        ax.set(xlim=box[:2], ylim=box[2:])
        style.no_scale(ax)
    for ax in list(axes)[len(heights) :]:
        ax.set_axis_off()
