"""Draw level lines of a component in both spaces, and the distance of axes from the plane."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from pipeline.drawing import style
from pipeline.drawing.plane import mesh, region, surfaces
from workflow.scripts.claims.feature_space import affine, features, quadratic
from workflow.scripts.claims.plot_style import RINGS, draw_classes, whole_row
from workflow.scripts.claims.separability import draw_pair

# Planes and lines by name: where in the range of the component they are drawn.
SHARES = {"a": 0.25, "b": 0.5, "c": 0.75}
ROOM = 0.1


def draw_planes(ax: Any, F: np.ndarray, scores: np.ndarray, levels: dict[float, str]) -> None:
    """Draw the named planes in the space of the features F on which a component is constant."""
    low, high = F.min(axis=0) - ROOM, F.max(axis=0) + ROOM
    (w,), (offset,) = (part.T for part in affine(F, scores[:, None]))
    y = np.array([[low[1]], [high[1]]])
    for level, name in levels.items():
        # Where the plane meets bottom and top of the box, kept within its sides.
        ends = (level - offset - w[1] * y - w[2] * np.array([high[2], low[2]])) / w[0]
        x = np.clip(ends, low[0], high[0])
        z = (level - offset - w[0] * x - w[1] * y) / w[2]
        ax.plot_surface(x, np.broadcast_to(y, x.shape), z, color=style.GREY, alpha=0.3)
        ax.text(x[1, 0], high[1], z[1, 0] + ROOM / 2, name, weight="bold", ha="center")
    ax.view_init(elev=14, azim=-72)
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
    scores = Z[:, radial]
    levels = {scores.min() + share * np.ptp(scores): name for name, share in SHARES.items()}
    look = {"colors": style.GREY, "linestyles": "solid"}
    drawn = plane.contour(*mesh(box), surfaces(model, box)[radial], [*levels], **look)
    for text in plane.clabel(drawn, fmt=levels, fontsize=8, colors=style.INK):
        text.set(weight="bold", rotation=0)
    plane.set(xlabel="x₁", ylabel="x₂", title=f"plane, component {radial + 1} of (x·y)²")
    plane.set_box_aspect(1)
    draw_classes(plane, X, y, RINGS)
    draw_classes(solid, features(X), y, RINGS, depthshade=False)
    draw_planes(solid, features(X), scores, levels)


@style.script
def draw(axes: pd.DataFrame, seed: int) -> style.Figure:
    """Draw level lines above, the distance along axes below."""
    fig, panels = style.figure(2, 2, height=4.9, height_ratios=[1.6, 1], width_ratios=[1, 1.3])
    below = whole_row(panels, 1)
    plane, flat = panels[0]
    flat.remove()
    solid = fig.add_subplot(flat.get_subplotspec(), projection="3d")
    draw_level_lines(plane, solid, seed)
    for kernel, found in axes.groupby("kernel", sort=False):
        look = style.kernel_style(str(kernel)) | {"markersize": 2.5}
        below.plot(found["t"], found["distance"], **look)
    below.set(
        xlabel="t, position on axis 1", ylabel="distance of t·v₁ from\nthe image of the plane"
    )
    below.legend(loc="upper right")
    style.legend_above(fig, plane.get_legend_handles_labels()[0], columns=2)
    return fig
