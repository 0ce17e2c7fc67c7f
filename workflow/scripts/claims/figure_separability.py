"""Draw rings before and after kernel PCA, and where planes separate rings and spirals."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import BoundaryNorm

from kpca.linear.pca import PCA
from pipeline.drawing import style
from pipeline.drawing.plane import draw_line
from workflow.scripts.claims import separability
from workflow.scripts.claims.plot_style import RINGS, draw_classes

MULTIPLES = {"PCA": None, "γ = 1 × median": 1.0, "γ = 3.2 × median": 10**0.5}
FRESH = 600


def draw_counts(ax: Any, planes: pd.DataFrame, name: str, replicates: int) -> Any:
    """Draw in how many replicates the components separate, over γ and their number."""
    rows = planes[(planes["dataset"] == name) & (planes["kernel"] == "rbf")]
    rows = rows.assign(separable=rows["bound"] >= separability.LEAST)
    counts = rows.groupby(["n_components", "multiple"])["separable"].sum().unstack()
    norm = BoundaryNorm(np.arange(-0.5, replicates + 1), 256)
    drawn = ax.imshow(counts, norm=norm, cmap=style.SEQUENTIAL, origin="lower", aspect="auto")
    every = range(0, counts.shape[1], 2)
    ax.set_xticks(every, [f"{counts.columns[i]:g}" for i in every])
    ax.set_yticks(range(len(counts)), counts.index)
    ax.set(xlabel="γ / median heuristic", title=f"{name}: where a plane\nseparates the classes")
    return drawn


@style.script
def draw(planes: pd.DataFrame, seed: int) -> style.Figure:
    """Draw rings before and after, then where planes separate rings and spirals."""
    fig, axes = style.figure(2, 3, height=4.6)
    (X, y), (fresh, y_fresh) = separability.draw_pair("rings", seed, 0)
    for ax, (name, multiple) in zip(axes[0], MULTIPLES.items(), strict=True):
        model = PCA(2).fit(X) if multiple is None else separability.gaussian(X, multiple, 2)
        draw_classes(ax, model.transform(fresh)[:FRESH], y_fresh[:FRESH], RINGS)
        ax.margins(0.07)
        style.no_scale(ax)
        line = separability.separating_plane(model.transform(X), y)
        if line is not None:
            draw_line(ax, line)
        found = "no separating line" if line is None else "separated by a line"
        ax.set(xlabel="component 1", ylabel="component 2", title=f"rings, {name}:\n{found}")
    replicates = int(planes["replicate"].nunique())
    for ax, name in zip(axes[1], separability.DATASETS, strict=False):
        drawn = draw_counts(ax, planes, name, replicates)
    axes[1, 0].set_ylabel("number of components m")
    axes[1, 2].set_axis_off()
    bar = axes[1, 2].inset_axes((0.1, 0, 0.1, 1))
    label = f"replicates of {replicates}\nthat are separable"
    fig.colorbar(drawn, cax=bar, ticks=range(replicates + 1), label=label)
    style.legend_above(fig, axes[0, 0].get_legend_handles_labels()[0], columns=2)
    return fig
