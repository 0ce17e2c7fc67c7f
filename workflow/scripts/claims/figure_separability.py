"""Draw rings before and after kernel PCA, and where planes separate rings and spirals."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import BoundaryNorm

from kpca.linear.pca import PCA
from pipeline.drawing import style
from pipeline.drawing.plane import draw_line, mesh, region
from workflow.scripts.claims.separability import (
    DATASETS,
    LEAST,
    Rows,
    draw_pair,
    gaussian,
    separating_plane,
)

MULTIPLES = (None, 1.0, 10**0.5)
"""Of the median γ, for rings; None is PCA."""

SPIRALS = (10.0, 24)
"""Multiple of the median γ, components."""

FRESH = 600
CLASSES = ("outer ring, first spiral", "inner ring, second spiral")
YTICKS = (2, 4, 8, 16, 32, 64)


def draw_counts(ax: Any, planes: pd.DataFrame, name: str, replicates: int) -> Any:
    """Draw in how many replicates the components separate, over γ and their number."""
    rows = planes[(planes["dataset"] == name) & (planes["kernel"] == "rbf")]
    rows = rows.assign(separable=rows["bound"] >= LEAST)
    counts = rows.pivot_table(
        index="n_components", columns="multiple", values="separable", aggfunc="sum"
    )
    x, y = (halfway(values.to_numpy(float)) for values in (counts.columns, counts.index))
    norm = BoundaryNorm(np.arange(-0.5, replicates + 1), 256)
    drawn = ax.pcolormesh(x, y, counts.to_numpy(float), norm=norm, cmap=style.SEQUENTIAL)
    ax.set(xlim=(x[0], x[-1]), yscale="log", ylim=(y[0], y[-1]), box_aspect=1)
    style.plain_log(ax)
    ax.set_yticks(YTICKS, map(str, YTICKS))
    ax.set_yticks([], minor=True)
    ax.set(xlabel="γ / median heuristic", ylabel="number of components m")
    ax.set_title(f"{name}: where a plane\nseparates the classes")
    return drawn


def halfway(values: np.ndarray) -> np.ndarray:
    """Return the edges of cells around rising values on a logarithmic axis.

    >>> halfway(np.array([1.0, 4.0, 16.0]))
    array([ 0.5,  2. ,  8. , 32. ])
    """
    logs = np.log2(values)
    inner = (logs[1:] + logs[:-1]) / 2
    ends = 2 * logs[[0, -1]] - inner[[0, -1]]
    return np.exp2(np.array([ends[0], *inner, ends[1]]))


def draw_scores(ax: Any, train: Rows, fresh: Rows, multiple: float | None) -> None:
    """Draw two components of fresh rings, of PCA or at a multiple of γ, and a line between them."""
    model = PCA(2).fit(train[0]) if multiple is None else gaussian(train[0], multiple, 2)
    draw_rows(ax, model.transform(fresh[0][:FRESH]), fresh[1][:FRESH])
    line = separating_plane(model.transform(train[0]), train[1])
    if line is not None:
        draw_line(ax, line)
    found = "no separating line" if line is None else "separated by a line"
    ax.set(xlabel="component 1", ylabel="component 2")
    name = "PCA" if multiple is None else f"γ = {multiple:.2g} × median"
    ax.set_title(f"rings, {name}:\n{found}")


def draw_boundary(ax: Any, train: Rows, fresh: Rows, multiple: float, m: int) -> None:
    """Draw fresh spirals, and the plane between the classes mapped back to them."""
    model = gaussian(train[0], multiple, m)
    plane = separating_plane(model.expansion().point_scores, train[1])
    draw_rows(ax, fresh[0][:FRESH], fresh[1][:FRESH])
    if plane is not None:
        x, y = mesh(region(fresh[0]), 161)
        scores = model.transform(np.column_stack([x.ravel(), y.ravel()]))
        heights = plane.distance(scores).reshape(x.shape)
        ax.contour(x, y, heights, levels=[0], colors=style.BLACK, linewidths=0.8)
    ax.set(xlabel="x₁", ylabel="x₂")
    ax.set_title(f"spirals, γ = {multiple:g} × median:\n{m} components, mapped back")


def draw_rows(ax: Any, points: np.ndarray, y: np.ndarray) -> None:
    """Scatter the classes in a square panel."""
    for c in (0, 1):
        look = style.class_style(c)
        ax.scatter(*points[y == c].T, s=4, linewidths=0, alpha=0.7, **look)
    ax.margins(0.07)
    style.no_scale(ax)


@style.script
def draw(planes: pd.DataFrame, seed: int) -> style.Figure:
    """Draw rings before and after, then what was measured and spirals."""
    fig, axes = style.figure(2, 3, height=4.9)
    rings, spirals = (draw_pair(name, seed, 0) for name in DATASETS)
    for ax, multiple in zip(axes[0], MULTIPLES, strict=True):
        draw_scores(ax, *rings, multiple)
    replicates = int(planes["replicate"].nunique())
    for ax, name in zip(axes[1], DATASETS, strict=False):
        drawn = draw_counts(ax, planes, name, replicates)
    label = f"replicates of {replicates} that are separable"
    bar: dict[str, Any] = {"location": "bottom", "shrink": 0.7, "aspect": 30}
    fig.colorbar(drawn, ax=axes[1, :2], ticks=range(replicates + 1), label=label, **bar)
    draw_boundary(axes[1, 2], *spirals, *SPIRALS)
    axes[1, 1].set_ylabel("")
    classes = [axes[0, 0].plot([], [], linestyle="", **style.class_style(c))[0] for c in (0, 1)]
    style.legend_above(fig, classes, CLASSES, columns=2)
    return fig
