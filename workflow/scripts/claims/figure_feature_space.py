"""Draw level lines of components in both spaces, and axes that are no images of the plane."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from pipeline.drawing.plane import draw_levels, region, surfaces
from pipeline.job import run
from workflow.scripts.claims.feature_space import affine, features, quadratic
from workflow.scripts.claims.separability import Rows, draw_pair

SHARES = (0.25, 0.5, 0.75)
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
    """Draw the features of the rings, and planes on which a component is constant."""
    F = features(rows[0])
    draw_classes(ax, F, rows[1], depthshade=False)
    low, high = F.min(axis=0) - ROOM, F.max(axis=0) + ROOM
    (w,), (offset,) = (part.T for part in affine(F, scores[:, None]))
    y = np.array([[low[1]], [high[1]]])
    for level in levels(scores):
        # Where the plane meets bottom and top of the box, kept within its sides.
        ends = (level - offset - w[1] * y - w[2] * np.array([high[2], low[2]])) / w[0]
        x = np.clip(ends, low[0], high[0])
        z = (level - offset - w[0] * x - w[1] * y) / w[2]
        ax.plot_surface(x, np.broadcast_to(y, x.shape), z, color=style.GREY, alpha=0.3)
    ax.view_init(**VIEW)
    ax.set_box_aspect(None, zoom=1.2)
    ax.set(xlabel="x₁²", ylabel="√2 x₁x₂", zlabel="x₂²")
    ax.set_title("feature space", y=0.96)
    ax.set(xticklabels=[], yticklabels=[], zticklabels=[])
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.labelpad = -12
    ax.tick_params(length=0)


def draw_level_lines(plane: Any, solid: Any, seed: int) -> None:
    """Draw the component that follows the radius, in the plane and in the feature space."""
    (X, y), _ = draw_pair("rings", seed, 0)
    model = quadratic(X)
    Z, box = model.transform(X), region(X)
    radii = (X**2).sum(axis=1)
    radial = int(np.argmax([abs(np.corrcoef(radii, column)[0, 1]) for column in Z.T]))
    draw_levels(plane, surfaces(model, box)[radial], box, X[:0], np.abs(Z[:, radial]).max())
    draw_classes(plane, X, y)
    plane.set(xlabel="x₁", ylabel="x₂", title=f"plane: component {radial + 1} of (x·y)²")
    plane.set_box_aspect(1)
    draw_planes(solid, (X, y), Z[:, radial])


def draw_axes(left: Axes, right: Axes, axes: pd.DataFrame, rows: pd.DataFrame) -> None:
    """Draw the distance along every axis, and the point of the plane whose image is nearest."""
    right.scatter(rows["x"], rows["y"], s=5, color="#CCCCCC", linewidths=0)
    for kernel, found in axes.groupby("kernel", sort=False):
        look = style.kernel_style(str(kernel)) | {"markersize": 2.5}
        left.plot(found["t"], found["distance"], **look)
        right.plot(found["x"], found["y"], linestyle="", **look)
    for axis, values in (("x", rows["x"]), ("y", rows["y"])):
        margin = 0.3 * np.ptp(values)
        getattr(right, f"set_{axis}lim")(values.min() - margin, values.max() + margin)
    left.set(xlabel="t", ylabel="distance of t·v₁ from the image", ylim=(-0.05, None))
    left.legend(loc="upper right")
    right.set(
        xlabel="x₁", ylabel="x₂", aspect="equal", title="plane: points nearest to t·v₁, rows grey"
    )


def draw(axes: pd.DataFrame, rows: pd.DataFrame, seed: int, paths: Sequence[str]) -> None:
    """Draw level lines above, axes below."""
    fig, panels = style.figure(2, 2, height=5.0, height_ratios=[1.15, 1])
    panels[0, 1].remove()
    solid = fig.add_subplot(panels[0, 0].get_gridspec()[0, 1], projection="3d")
    draw_level_lines(panels[0, 0], solid, seed)
    draw_axes(panels[1, 0], panels[1, 1], axes, rows)
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
