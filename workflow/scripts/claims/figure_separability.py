"""Draw rings before and after kernel PCA, and where planes separate rings and spirals."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import BoundaryNorm

from kpca.linear.pca import PCA
from pipeline.drawing import style
from pipeline.drawing.plane import draw_line, mesh, region
from workflow.scripts.claims import separability
from workflow.scripts.claims.plot_style import draw_classes

MULTIPLES = {"PCA": None, "γ = 1 × median": 1.0, "γ = 3.2 × median": 10**0.5}
"""Of the median γ, for rings."""

SPIRALS = (10.0, 24)
"""Multiple of the median γ, components."""

FRESH = 600
CLASSES = ("outer ring, first spiral", "inner ring, second spiral")
YTICKS = (2, 4, 8, 16, 32, 64)


def draw_counts(ax: Any, planes: pd.DataFrame, name: str, replicates: int) -> Any:
    """Draw in how many replicates the components separate, over γ and their number."""
    rows = planes[(planes["dataset"] == name) & (planes["kernel"] == "rbf")]
    separable = (rows["bound"] >= separability.LEAST).groupby(
        [rows["n_components"], rows["multiple"]]
    )
    counts = separable.sum().unstack()
    x, y = (halfway(values.to_numpy(float)) for values in (counts.columns, counts.index))
    norm = BoundaryNorm(np.arange(-0.5, replicates + 1), 256)
    drawn = ax.pcolormesh(x, y, counts.to_numpy(float), norm=norm, cmap=style.SEQUENTIAL)
    ax.set(xlim=(x[0], x[-1]), yscale="log", ylim=(y[0], y[-1]), box_aspect=1)
    style.plain_log(ax)
    ax.set_yticks(YTICKS, map(str, YTICKS))
    ax.set_yticks([], minor=True)
    ax.set(xlabel="γ / median heuristic", title=f"{name}: where a plane\nseparates the classes")
    return drawn


def halfway(values: np.ndarray) -> np.ndarray:
    """Return the edges of cells around rising values on a logarithmic axis.

    >>> halfway(np.array([1.0, 4.0, 16.0]))
    array([ 0.5,  2. ,  8. , 32. ])
    """
    logs = np.log2(values)
    ends = 2 * logs[[0, -1]] - logs[[1, -2]]
    logs = np.concatenate([ends[:1], logs, ends[1:]])
    return np.exp2((logs[1:] + logs[:-1]) / 2)


def draw_rows(ax: Any, points: np.ndarray, y: np.ndarray) -> None:
    """Scatter the first fresh rows in a panel without scales."""
    draw_classes(ax, points[:FRESH], y[:FRESH], CLASSES)
    ax.margins(0.07)
    style.no_scale(ax)


def draw_spirals(ax: Any, train: separability.Rows, fresh: separability.Rows) -> None:
    """Draw fresh spirals, and the plane between the classes mapped back to them."""
    multiple, m = SPIRALS
    model = separability.gaussian(train[0], multiple, m)
    plane = separability.separating_plane(model.expansion().point_scores, train[1])
    draw_rows(ax, *fresh)
    if plane is not None:
        x, y = mesh(region(fresh[0]), 161)
        scores = model.transform(np.column_stack([x.ravel(), y.ravel()]))
        heights = plane.distance(scores).reshape(x.shape)
        ax.contour(x, y, heights, levels=[0], colors=style.BLACK, linewidths=0.8)
    ax.set(xlabel="x₁", ylabel="x₂")
    ax.set_title(f"spirals, γ = {multiple:g} × median:\n{m} components, mapped back")


@style.script
def draw(planes: pd.DataFrame, seed: int) -> style.Figure:
    """Draw rings before and after, then what was measured and spirals."""
    fig, axes = style.figure(2, 3, height=4.9)
    ((X, y), (fresh, y_fresh)), spirals = (
        separability.draw_pair(name, seed, 0) for name in separability.DATASETS
    )
    for ax, (name, multiple) in zip(axes[0], MULTIPLES.items(), strict=True):
        model = PCA(2).fit(X) if multiple is None else separability.gaussian(X, multiple, 2)
        draw_rows(ax, model.transform(fresh), y_fresh)
        line = separability.separating_plane(model.transform(X), y)
        if line is not None:
            draw_line(ax, line)
        found = "no separating line" if line is None else "separated by a line"
        ax.set(xlabel="component 1", ylabel="component 2", title=f"rings, {name}:\n{found}")
    replicates = int(planes["replicate"].nunique())
    for ax, name in zip(axes[1], separability.DATASETS, strict=False):
        drawn = draw_counts(ax, planes, name, replicates)
    axes[1, 0].set_ylabel("number of components m")
    label = f"replicates of {replicates} that are separable"
    bar: dict[str, Any] = {"location": "bottom", "shrink": 0.7, "aspect": 30}
    fig.colorbar(drawn, ax=axes[1, :2], ticks=range(replicates + 1), label=label, **bar)
    draw_spirals(axes[1, 2], *spirals)
    style.legend_above(fig, axes[0, 0].get_legend_handles_labels()[0], columns=2)
    return fig
