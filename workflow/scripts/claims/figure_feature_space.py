"""Draw level lines of a component in both spaces, and the distance of axes from the plane."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from pipeline.drawing import style
from pipeline.drawing.plane import mesh, region, surfaces
from workflow.scripts.claims.feature_space import affine, features, quadratic
from workflow.scripts.claims.separability import Rows, draw_pair

SHARES = (0.25, 0.5, 0.75)
NAMES = ("a", "b", "c")
ROOM = 0.1
VIEW = {"elev": 14, "azim": -72}


def levels(scores: np.ndarray) -> list[float]:
    """Return the values of a component at which planes and lines are drawn."""
    low, high = scores.min(), scores.max()
    return [float(low + share * (high - low)) for share in SHARES]


def draw_classes(ax: Any, points: np.ndarray, y: np.ndarray, **options: Any) -> None:
    """Scatter both rings in two dimensions or three."""
    for c in (0, 1):
        look = style.class_style(c)
        ax.scatter(*points[y == c].T, s=5, linewidths=0, alpha=0.9, **look, **options)


def draw_planes(ax: Any, rows: Rows, scores: np.ndarray) -> None:
    """Draw the features of the rings, and named planes on which a component is constant."""
    F = features(rows[0])
    draw_classes(ax, F, rows[1], depthshade=False)
    low, high = F.min(axis=0) - ROOM, F.max(axis=0) + ROOM
    (w,), (offset,) = (part.T for part in affine(F, scores[:, None]))
    y = np.array([[low[1]], [high[1]]])
    for name, level in zip(NAMES, levels(scores), strict=True):
        # Where the plane meets bottom and top of the box, kept within its sides.
        ends = (level - offset - w[1] * y - w[2] * np.array([high[2], low[2]])) / w[0]
        x = np.clip(ends, low[0], high[0])
        z = (level - offset - w[0] * x - w[1] * y) / w[2]
        ax.plot_surface(x, np.broadcast_to(y, x.shape), z, color=style.GREY, alpha=0.3)
        ax.text(x[1, 0], high[1], z[1, 0] + ROOM / 2, name, weight="bold", ha="center")
    ax.view_init(**VIEW)
    ax.set_box_aspect(None, zoom=1.05)
    ax.set(xlabel="x₁²", ylabel="√2 x₁x₂", zlabel="x₂²", title="feature space")
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.labelpad = -6
        axis.set_major_locator(MaxNLocator(3))
        axis.set_tick_params(pad=-3)


def draw_level_lines(plane: Any, solid: Any, seed: int) -> None:
    """Draw the component that follows the radius, in the plane and in the feature space."""
    (X, y), _ = draw_pair("rings", seed, 0)
    model = quadratic(X)
    Z, box = model.transform(X), region(X)
    radii = (X**2).sum(axis=1)
    radial = int(np.argmax([abs(np.corrcoef(radii, column)[0, 1]) for column in Z.T]))
    values = levels(Z[:, radial])
    drawn = plane.contour(
        *mesh(box), surfaces(model, box)[radial], values, colors=style.GREY, linestyles="solid"
    )
    draw_classes(plane, X, y)
    named = dict(zip(values, NAMES, strict=True))
    for text in plane.clabel(drawn, fmt=named, fontsize=8, colors=style.INK):
        text.set(weight="bold", rotation=0)
    plane.set(xlabel="x₁", ylabel="x₂", title=f"plane, component {radial + 1} of (x·y)²")
    plane.set_box_aspect(1)
    draw_planes(solid, (X, y), Z[:, radial])


@style.script
def draw(axes: pd.DataFrame, seed: int) -> style.Figure:
    """Draw level lines above, the distance along axes below."""
    fig, panels = style.figure(2, 2, height=4.9, height_ratios=[1.6, 1], width_ratios=[1, 1.3])
    grid = panels[0, 0].get_gridspec()
    for ax in panels.flat[1:]:
        ax.remove()
    solid, below = fig.add_subplot(grid[0, 1], projection="3d"), fig.add_subplot(grid[1, :])
    draw_level_lines(panels[0, 0], solid, seed)
    for kernel, found in axes.groupby("kernel", sort=False):
        look = style.kernel_style(str(kernel)) | {"markersize": 2.5}
        below.plot(found["t"], found["distance"], **look)
    below.set(
        xlabel="t, position on axis 1", ylabel="distance of t·v₁ from\nthe image of the plane"
    )
    below.legend(loc="upper right")
    handles = [panels[0, 0].plot([], [], linestyle="", **style.class_style(c))[0] for c in (0, 1)]
    style.legend_above(fig, handles, ["outer ring", "inner ring"], columns=2)
    return fig
