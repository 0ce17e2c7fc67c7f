"""Draw what the width of the Gaussian kernel does: linear PCA at one end, few rows at the other."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca import KernelPCA
from pipeline.datasets.generators import moons
from pipeline.drawing import style
from pipeline.drawing.contours import draw_components, region
from pipeline.drawing.curves import curve
from pipeline.seeds import rng_for
from workflow.scripts.claims.limits import DATASETS, median_width

LOOKS = {
    "rings": {"color": style.BLUE, "marker": "o"},
    "swiss_roll": {"color": style.ORANGE, "marker": "s"},
    "wine": {"color": style.VERMILION, "marker": "^"},
    "digits": {"color": style.GREEN, "marker": "D"},
}
WIDTHS = (0.1, 0.3, 1, 3, 100)
ROWS = 200
MEDIAN = "σ / median σ"


def draw_angle(ax: Any, rows: pd.DataFrame, look: dict[str, Any], label: str) -> None:
    """Draw the geometric mean of the angle over σ, and the law that it tends to."""
    for column, options in (("angle", look | {"label": label}), ("limit", {"color": style.GREY})):
        means = np.exp(np.log(rows[column]).groupby(rows["width"]).mean())
        line = "none" if column == "angle" else "--"
        ax.plot(means.index, means, **({"linewidth": 0.8, "linestyle": line} | options))
    ax.set(yscale="log", ylim=(1e-5, 4), ylabel="angle to PCA's plane (rad)")


def draw_measure(ax: Any, rows: pd.DataFrame, column: str, look: dict[str, Any]) -> None:
    """Draw the mean of a measure of locality over σ, with its interval."""
    overlap = None if rows["overlap"].isna().all() else float(rows["overlap"].iloc[0])
    values = rows[column] / (rows["n"] if column == "rows" else 1)
    points = curve(rows.assign(value=values), "width", overlap)
    ax.plot(points["width"], points["mean"], **look)
    band = {"color": look["color"], "alpha": 0.15, "linewidth": 0}
    ax.fill_between(points["width"], points["low"].clip(lower=0), points["high"], **band)


def draw_examples(axes: Sequence[Any], seed: int) -> None:
    """Draw level lines of the first component for widths from small to large, and of PCA."""
    X = moons(ROWS, rng_for(seed, "limits", "moons")).X
    unit, box = median_width(X), region(X)
    for ax, width in zip(axes, WIDTHS, strict=False):
        model = KernelPCA(1, kernel="rbf", gamma=0.5 / (width * unit) ** 2).fit(X)
        draw_components([ax], model, box, X)
        ax.set_title(f"σ = {width:g} med")
    draw_components([axes[-1]], KernelPCA(1, kernel="linear").fit(X), box, X)
    axes[-1].set_title("linear PCA")


def draw(widths: pd.DataFrame, seed: int, paths: Sequence[str]) -> None:
    """Draw what was measured above, examples below."""
    fig, axes = style.figure(2, 6, height=3.9, height_ratios=[2, 1])
    grid = axes[0, 0].get_gridspec()
    for ax in axes[0]:
        ax.remove()
    panels = [fig.add_subplot(grid[0, 2 * i : 2 * i + 2]) for i in range(3)]
    for name in DATASETS:
        rows, look = widths[widths["dataset"] == name], LOOKS[name]
        draw_angle(panels[0], rows, look, style.title(name))
        draw_measure(panels[1], rows, "rows", look)
        draw_measure(panels[2], rows, "spread", look)
    panels[0].plot([], [], color=style.GREY, linewidth=0.8, linestyle="--", label="limit c/σ²")
    titles = ("first two components", "first five components", "first five components")
    for ax, title in zip(panels, titles, strict=True):
        style.plain_log(ax)
        ax.set(xlabel=MEDIAN, title=title)
    panels[1].set(ylabel="share of rows that carry them", ylim=(0, None))
    panels[2].set(ylabel="radius of these rows / of all rows", ylim=(0, None))
    draw_examples(axes[1], seed)
    fig.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    style.save(fig, paths)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        table = pd.read_csv(snakemake.input["widths"])
        draw(table, snakemake.params.seed, snakemake.output)
