"""Draw rings before and after kernel PCA, and where planes separate rings and spirals."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import BoundaryNorm

from kpca.linear.pca import PCA
from pipeline.drawing import style
from pipeline.drawing.plane import draw_line, mesh, region
from pipeline.job import run
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


def draw_counts(ax: Any, planes: pd.DataFrame, name: str, replicates: int) -> Any:
    """Draw in how many replicates the components separate, over γ and their number."""
    rows = planes[(planes["dataset"] == name) & (planes["kernel"] == "rbf")]
    rows = rows.assign(separable=rows["bound"] >= LEAST)
    counts = rows.pivot_table(
        index="n_components", columns="multiple", values="separable", aggfunc="sum"
    )
    edges = np.arange(-0.5, replicates + 1)
    norm = BoundaryNorm(edges, 256)
    drawn = ax.pcolormesh(counts.to_numpy(float), norm=norm, cmap=style.SEQUENTIAL)
    ticks = [i for i, m in enumerate(counts.columns) if abs(np.log10(m) % 1) < 1e-2]
    ax.set_xticks(np.array(ticks) + 0.5, [f"{counts.columns[i]:g}" for i in ticks])
    ax.set_yticks(np.arange(len(counts)) + 0.5, [str(m) for m in counts.index])
    ax.set(xlabel="multiple of the median γ", ylabel="components", title=name)
    return drawn


def draw_scores(ax: Any, train: Rows, fresh: Rows, multiple: float | None) -> None:
    """Draw two components of fresh rings, of PCA or at a multiple of γ, and a line between them."""
    model = PCA(2).fit(train[0]) if multiple is None else gaussian(train[0], multiple, 2)
    draw_rows(ax, model.transform(fresh[0][:FRESH]), fresh[1][:FRESH])
    line = separating_plane(model.transform(train[0]), train[1])
    if line is not None:
        draw_line(ax, line)
    found = "no separating line" if line is None else "separated by a line"
    ax.set(xlabel="component 1", ylabel="component 2")
    name = "PCA" if multiple is None else f"γ = {multiple:.2g}/med"
    ax.set_title(f"rings, {name}:\n{found}")


def draw_boundary(ax: Any, train: Rows, fresh: Rows, multiple: float, m: int) -> None:
    """Draw fresh spirals, and the plane between the classes carried back to them."""
    model = gaussian(train[0], multiple, m)
    plane = separating_plane(model.expansion().point_scores, train[1])
    draw_rows(ax, fresh[0][:FRESH], fresh[1][:FRESH])
    if plane is not None:
        x, y = mesh(region(fresh[0]), 161)
        scores = model.transform(np.column_stack([x.ravel(), y.ravel()]))
        heights = plane.distance(scores).reshape(x.shape)
        ax.contour(x, y, heights, levels=[0], colors=style.BLACK, linewidths=0.8)
    ax.set(xlabel="x₁", ylabel="x₂")
    ax.set_title(f"spirals, γ = {multiple:g}/med:\n{m} components, carried back")


def draw_rows(ax: Any, points: np.ndarray, y: np.ndarray) -> None:
    """Scatter the classes in a square panel."""
    for c in (0, 1):
        look = style.class_style(c)
        ax.scatter(*points[y == c].T, s=4, linewidths=0, alpha=0.7, **look)
    ax.margins(0.07)
    style.no_scale(ax)


def draw(planes: pd.DataFrame, seed: int, paths: Sequence[str]) -> None:
    """Draw rings before and after, then what was measured and spirals."""
    fig, axes = style.figure(2, 3, height=4.8)
    rings, spirals = (draw_pair(name, seed, 0) for name in DATASETS)
    for ax, multiple in zip(axes[0], MULTIPLES, strict=True):
        draw_scores(ax, *rings, multiple)
    replicates = int(planes["replicate"].nunique())
    for ax, name in zip(axes[1], DATASETS, strict=False):
        drawn = draw_counts(ax, planes, name, replicates)
    label = f"separable in … of {replicates}"
    fig.colorbar(drawn, ax=axes[1, 1], ticks=range(replicates + 1), label=label)
    draw_boundary(axes[1, 2], *spirals, *SPIRALS)
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
