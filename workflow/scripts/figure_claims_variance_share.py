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
from kpca.pipeline.studies.claims.variance_share import CHOSEN

MARGIN = 0.01
DARKEST = 20.0  # percentage points


def draw_picks(ax: Any, picks: pd.DataFrame, kernels: Sequence[str], share: float) -> None:
    """Draw one point a dataset and kernel, medians over replicates, about the line of equality."""
    medians = picks.groupby(["kernel", "dataset"], sort=False)[["cross_validated", "rule"]].median()
    ends = np.array([1, max(4.0, 1.3 * float(medians.max().max()))])
    ax.fill_between(ends, ends / 2, ends * 2, color="#EEEEEE", linewidth=0)
    ax.plot(ends, ends, color=style.GREY, linewidth=0.6)
    for kernel in kernels:
        look = style.kernel_style(kernel) | {"linestyle": "none", "alpha": 0.9}
        rows = medians.loc[kernel]
        ax.plot(rows["cross_validated"], rows["rule"], **look)
    ax.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    ticks = [t for t in (1, 2, 5, 10, 20, 50, 100, 200) if t <= ends[1]]
    ax.set_xticks(ticks, map(str, ticks))
    ax.set_yticks(ticks, map(str, ticks))
    ax.minorticks_off()
    ax.set(xlabel="k by cross-validation", ylabel=f"k of {share:.0%} of the variance")


def draw(picks: pd.DataFrame, costs: pd.DataFrame, share: float, paths: Sequence[str]) -> None:
    """Draw the numbers of components to the left, costs in the middle and to the right."""
    if picks.empty:
        style.note("No dataset has labels: there is no cross-validated k.", paths)
        return
    fig, axes = style.figure(1, 3, height=3.0, width_ratios=[1.1, 1.2, 0.8])
    table = 100 * by_kernel(costs[costs["kernel"] != CHOSEN], "mean")
    draw_picks(axes[0, 0], picks, list(table.columns), share)
    draw_cells(axes[0, 1], table, ".1f", (0, DARKEST))
    axes[0, 1].set_title("loss, percentage points")
    names = list(table.index)
    chosen = costs[costs["kernel"] == CHOSEN]
    percent = chosen.assign(**{c: 100 * chosen[c] for c in ("mean", "low", "high")})
    draw_intervals(axes[0, 2], percent, names, color=style.VERMILION, marker="o")
    dataset_axis(axes[0, 2], names, (-100 * MARGIN, 100 * MARGIN))
    axes[0, 2].set(title=f"loss, {CHOSEN}", xlabel="percentage points")
    handles = axes[0, 0].get_legend_handles_labels()
    fig.legend(*handles, loc="outside upper center", ncols=len(table.columns))
    style.save(fig, paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        tables = [pd.read_csv(snakemake.input[name]) for name in ("picks", "costs")]
        draw(*tables, **snakemake.params.arguments, paths=snakemake.output)
