"""Draw the ceiling of lines on rings, and where planes separate rings and spirals."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import BoundaryNorm

from pipeline.datasets.generators import linear_ceiling
from pipeline.drawing import style
from pipeline.drawing.boundary import draw_line
from pipeline.drawing.contours import mesh, region
from pipeline.drawing.curves import curve
from workflow.scripts.claims.planes import separating_plane
from workflow.scripts.claims.separable import DATASETS, LEAST, Rows, draw_pair, gaussian

SHOWN = {"rings": (1.0, 10**0.5), "spirals": (10.0, 24)}
FRESH = 600


def draw_ceiling(ax: Any, lines: pd.DataFrame) -> None:
    """Draw the best line's accuracy over the ratio of the radii, and the formula."""
    ratios = np.linspace(0, 1, 101)
    ceiling = [linear_ceiling(ratio) for ratio in ratios]
    ax.plot(ratios, ceiling, color=style.GREY, label="½(1 + arccos(ρ)/π)")
    points = curve(lines.rename(columns={"accuracy": "value"}), "ratio", None)
    errors = points["mean"] - points["low"], points["high"] - points["mean"]
    ax.errorbar(
        points["ratio"],
        points["mean"],
        yerr=errors,
        fmt="s",
        color=style.VERMILION,
        capsize=2,
        label="best line, fresh points",
    )
    ax.axhline(0.5, color=style.GREY, linewidth=0.6, linestyle=":")
    ax.set(xlabel="ratio ρ of the radii", ylabel="accuracy", title="rings before kernel PCA")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 0.1))


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


def draw_scores(ax: Any, train: Rows, fresh: Rows, multiple: float) -> None:
    """Draw two components of fresh rings, and the line between the classes if there is one."""
    model = gaussian(train[0], multiple, 2)
    draw_rows(ax, model.transform(fresh[0][:FRESH]), fresh[1][:FRESH])
    line = separating_plane(model._training_scores(), train[1])
    if line is not None:
        draw_line(ax, line)
    found = "no separating line" if line is None else "separated by a line"
    ax.set(xlabel="component 1", ylabel="component 2")
    ax.set_title(f"rings, γ = {multiple:.2g}/med:\n{found}")


def draw_boundary(ax: Any, train: Rows, fresh: Rows, multiple: float, m: int) -> None:
    """Draw fresh spirals, and the plane between the classes carried back to them."""
    model = gaussian(train[0], multiple, m)
    plane = separating_plane(model._training_scores(), train[1])
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
    style.no_ticks(ax)
    style.frame(ax)


def draw(planes: pd.DataFrame, lines: pd.DataFrame, seed: int, paths: Sequence[str]) -> None:
    """Draw what was measured above, examples below."""
    fig, axes = style.figure(2, 3, height=4.8)
    replicates = int(planes["replicate"].nunique())
    draw_ceiling(axes[0, 0], lines)
    for ax, name in zip(axes[0, 1:], DATASETS, strict=True):
        drawn = draw_counts(ax, planes, name, replicates)
    label = f"separable in … of {replicates} replicates"
    fig.colorbar(drawn, ax=axes[0, 1:], ticks=range(replicates + 1), label=label)
    rings, spirals = (draw_pair(name, seed, 0) for name in DATASETS)
    for ax, multiple in zip(axes[1], SHOWN["rings"], strict=False):
        draw_scores(ax, *rings, multiple)
    multiple, m = SHOWN["spirals"]
    draw_boundary(axes[1, 2], *spirals, multiple, int(m))
    style.save(fig, paths)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        tables = [pd.read_csv(snakemake.input[name]) for name in ("planes", "lines")]
        draw(*tables, snakemake.params.seed, snakemake.output)
