"""Draw level lines of components in both spaces, and axes that are no images of the plane."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from pipeline.drawing.contours import draw_levels, region, surfaces
from workflow.scripts.claims.feature_space import affine, features, quadratic
from workflow.scripts.claims.separable import Rows, draw_pair

SHARES = (0.25, 0.5, 0.75)
ROOM = 0.1
VIEW = {"elev": 14, "azim": -72}
TABLES = ("paths", "rows")


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


def draw_scores(ax: Any, Z: np.ndarray, y: np.ndarray, along: int, across: int) -> None:
    """Draw two components with the level lines of one of them."""
    draw_classes(ax, Z[:, [along, across]], y)
    for level in levels(Z[:, across]):
        ax.axhline(level, color=style.GREY, linewidth=1)
    ax.set(xlabel=f"component {along + 1}", ylabel=f"component {across + 1}")
    ax.set_title("the same, edge-on")
    ax.set_box_aspect(1)
    style.no_ticks(ax)
    style.frame(ax)


def draw_level_lines(axes: Sequence[Any], solid: Any, seed: int) -> None:
    """Draw two components in the plane, then the one that follows the radius in feature space."""
    (X, y), _ = draw_pair("rings", seed, 0)
    model = quadratic(X)
    Z, box = model.transform(X), region(X)
    radii = (X**2).sum(axis=1)
    radial = int(np.argmax([abs(np.corrcoef(radii, column)[0, 1]) for column in Z.T]))
    other = 0 if radial else 1
    heights = surfaces(model, box)
    for ax, j in zip(axes[:2], (other, radial), strict=True):
        draw_levels(ax, heights[j], box, X[:0], float(np.abs(Z[:, j]).max()))
        draw_classes(ax, X, y)
        ax.set(xlabel="x₁", ylabel="x₂", title=f"plane: component {j + 1}")
        ax.set_box_aspect(1)
    draw_planes(solid, (X, y), Z[:, radial])
    draw_scores(axes[2], Z, y, other, radial)


def draw_axes(left: Axes, right: Axes, paths: pd.DataFrame, rows: pd.DataFrame) -> None:
    """Draw the distance along every axis, and the point of the plane whose image is nearest."""
    right.scatter(rows["x"], rows["y"], s=5, color="#CCCCCC", linewidths=0)
    for kernel, found in paths.groupby("kernel", sort=False):
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


def draw(paths: pd.DataFrame, rows: pd.DataFrame, seed: int, files: Sequence[str]) -> None:
    """Draw level lines above, axes below."""
    fig, axes = style.figure(
        2, 4, height=4.2, width_ratios=[1, 1, 1.45, 1], height_ratios=[0.85, 1]
    )
    for ax in (axes[0, 2], *axes[1]):
        ax.remove()
    grid = axes[0, 0].get_gridspec()
    solid = fig.add_subplot(grid[0, 2], projection="3d")
    draw_level_lines([axes[0, 0], axes[0, 1], axes[0, 3]], solid, seed)
    draw_axes(fig.add_subplot(grid[1, :2]), fig.add_subplot(grid[1, 2:]), paths, rows)
    style.save(fig, files)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        tables = [pd.read_csv(snakemake.input[name]) for name in TABLES]
        draw(*tables, snakemake.params.seed, snakemake.output)
