"""Draw how many components a share of the variance asks for, and what taking them costs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.pipeline import style
from kpca.pipeline.studies.claims.drawn import (
    by_kernel,
    dataset_axis,
    draw_cells,
    draw_intervals,
)
from kpca.pipeline.studies.claims.shares import CHOSEN

MARGIN = 0.01
DARKEST = 20.0  # percentage points
TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
LOOKS: tuple[dict[str, Any], ...] = (
    {"color": style.ORANGE, "marker": "s", "markerfacecolor": "white", "offset": -0.15},
    {"color": style.VERMILION, "marker": "o", "offset": 0.15},
)
"""Of the smallest and the largest share."""


def draw_picks(ax: Any, picks: pd.DataFrame, kernels: Sequence[str]) -> None:
    """Draw a bar from the smallest to the largest share, one a dataset and kernel.

    Numbers are medians over replicates; the line is that of equality.
    """
    unit = ["kernel", "dataset", "share"]
    medians = picks.groupby(unit)[["cross_validated", "rule"]].median()
    ends = np.array([0.8, max(4.0, 1.3 * float(medians.max().max()))])
    ax.fill_between(ends, ends / 2, ends * 2, color="#EEEEEE", linewidth=0)
    ax.plot(ends, ends, color=style.GREY, linewidth=0.6)
    for place, kernel in enumerate(kernels):
        look = style.kernel_style(kernel)
        beside = 1.05 ** (place - (len(kernels) - 1) / 2)
        bars = medians.loc[kernel].groupby("dataset")
        x = bars["cross_validated"].first() * beside
        low, high = bars["rule"].first(), bars["rule"].last()
        ax.vlines(x, low, high, color=look["color"], linewidth=0.8)
        ax.plot(x, high, linestyle="none", **look)
    ax.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    ticks = [tick for tick in TICKS if tick <= ends[1]]
    ax.set_xticks(ticks, map(str, ticks))
    ax.set_yticks(ticks, map(str, ticks))
    ax.minorticks_off()
    low, high = picks["share"].min(), picks["share"].max()
    ax.set(xlabel="k by cross-validation", ylabel=f"k of {low:.0%} to {high:.0%} of the variance")


def draw(picks: pd.DataFrame, costs: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw the numbers of components to the left, costs in the middle and to the right."""
    if picks.empty:
        style.note("No dataset has labels: there is no cross-validated k.", paths)
        return
    fig, axes = style.figure(1, 3, height=3.0, width_ratios=[1.1, 1.2, 0.8])
    shares = sorted(costs["share"].unique())
    largest = costs[(costs["kernel"] != CHOSEN) & (costs["share"] == shares[-1])]
    table = 100 * by_kernel(largest, "mean")
    draw_picks(axes[0, 0], picks, list(table.columns))
    draw_cells(axes[0, 1], table, ".1f", (0, DARKEST))
    axes[0, 1].set_title(f"loss by {shares[-1]:.0%}, percentage points")
    draw_chosen(axes[0, 2], costs[costs["kernel"] == CHOSEN], list(table.index))
    handles = axes[0, 0].get_legend_handles_labels()
    fig.legend(*handles, loc="outside upper center", ncols=len(table.columns))
    style.save(fig, paths)


def draw_chosen(ax: Any, costs: pd.DataFrame, names: Sequence[str]) -> None:
    """Draw the loss of the smallest and of the largest share under the chosen kernel."""
    shares = sorted(costs["share"].unique())
    for look, share in zip(LOOKS, (shares[0], shares[-1]), strict=True):
        rows = costs[costs["share"] == share]
        percent = rows.assign(**{c: 100 * rows[c] for c in ("mean", "low", "high")})
        draw_intervals(ax, percent, names, label=f"{share:.0%}", **look)
    dataset_axis(ax, names, (-100 * MARGIN, 100 * MARGIN))
    ax.set(title=f"loss, {CHOSEN}", xlabel="percentage points")
    ax.legend(loc="center right", handletextpad=0.2, borderaxespad=0.2)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        tables = [pd.read_csv(snakemake.input[name]) for name in ("picks", "costs")]
        draw(*tables, paths=snakemake.output)
