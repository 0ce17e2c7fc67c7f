"""Level lines of components in the plane of two input variables."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kpca.kernel_pca import KernelPCA
from pipeline.drawing import style

MESH = 101  # points a side
LEVELS = 13
BEYOND = 1  # lines outside the range of the rows, for each inside
SHADES = "RdBu_r"
Region = tuple[float, float, float, float]


def region(X: np.ndarray, margin: float = 0.12) -> Region:
    """Return the box around rows of two columns, widened on every side by a share of its own.

    >>> region(np.array([[0.0, 0.0], [1.0, 2.0]]), margin=0.5)
    (-0.5, 1.5, -1.0, 3.0)
    """
    low, high = X.min(axis=0), X.max(axis=0)
    room = margin * np.where(high > low, high - low, 1.0)
    (left, bottom), (right, top) = low - room, high + room
    return float(left), float(right), float(bottom), float(top)


def mesh(box: Region, size: int = MESH) -> tuple[np.ndarray, np.ndarray]:
    """Return the coordinates of a mesh, each of shape (size, size)."""
    x, y = np.meshgrid(np.linspace(*box[:2], size), np.linspace(*box[2:], size))
    return x, y


def surfaces(model: KernelPCA, box: Region) -> np.ndarray:
    """Return the scores over a mesh, an array of shape (k, MESH, MESH)."""
    x, y = mesh(box)
    scores = model.transform(np.column_stack([x.ravel(), y.ravel()]))
    return scores.T.reshape(-1, *x.shape)


def draw_levels(ax: Any, surface: np.ndarray, box: Region, X: np.ndarray, scale: float) -> None:
    """Shade one component by its value over the mesh of a box, with level lines and rows on top.

    White is zero. Lines are equally far apart, LEVELS of them between −scale and scale, and go
    on beyond, where the shade no longer changes. The scale is the largest modulus among the scores
    of the rows X, of shape (n, 2); 0 draws the rows only.
    """
    x, y = mesh(box)
    if scale > 0:
        shades = np.linspace(-scale, scale, LEVELS)
        step = shades[1] - shades[0]
        most = min(np.ceil(np.abs(surface).max() / step), BEYOND * LEVELS)
        lines = step * np.arange(-most, most + 1)
        shaded = ax.contourf(x, y, surface, levels=shades, cmap=SHADES, alpha=0.55, extend="both")
        shaded.set_rasterized(True)
        ax.contour(x, y, surface, levels=lines, colors=style.BLACK, linewidths=0.4)
    ax.scatter(*X.T, s=4, color=style.BLACK, linewidths=0, alpha=0.7, rasterized=True)
    ax.set(xlim=box[:2], ylim=box[2:])
    style.no_scale(ax)


def draw_components(axes: Sequence[Any], model: KernelPCA, box: Region, X: np.ndarray) -> None:
    """Draw one component a panel."""
    heights, scales = surfaces(model, box), np.abs(model.transform(X)).max(axis=0)
    for ax, surface, scale in zip(axes, heights, scales, strict=False):
        draw_levels(ax, surface, box, X, float(scale))
    for ax in list(axes)[len(heights) :]:
        ax.set_axis_off()
