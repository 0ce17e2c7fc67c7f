"""Draw where every published number lies within our interval, one row per table."""

from typing import Any

import numpy as np
import pandas as pd

from pipeline.drawing import style

LEAST, MOST = 1.5, 6.0  # half-widths that are drawn; what lies beyond stands at the edge
BINS, STEP = 150, 0.085
PAPERS = {"scholkopf1998": "Schölkopf et al. 1998", "zou2006": "Zou et al. 2006"}
KINDS = {
    "inside": {"color": style.BLUE, "marker": "o"},
    "not reproduced": {"color": style.VERMILION, "marker": "D"},
    "not counted": {"facecolors": "none", "edgecolors": style.GREY, "marker": "o"},
}


def positions(cells: pd.DataFrame) -> np.ndarray:
    """Return (published − ours) / half-width, the half on the side of the published number.

    ±1 are the bounds of our interval. An interval of no width is 0 where it is hit.
    """
    difference = (cells["published"] - cells["ours"]).to_numpy(dtype=float)
    above, below = cells["high"] - cells["ours"], cells["ours"] - cells["low"]
    half = np.where(difference >= 0, above, below).astype(float)
    places = np.sign(difference) * MOST
    np.divide(difference, half, out=places, where=half > 0)
    return np.clip(places, -MOST, MOST)


def heights(x: np.ndarray, limit: float) -> np.ndarray:
    """Return a height for each point such that points of one bin are stacked around 0."""
    bins = np.round(x / (2 * limit / BINS))
    y = np.zeros(len(x))
    for b in np.unique(bins):
        of_bin = bins == b
        count = int(of_bin.sum())
        y[of_bin] = STEP * (np.arange(count) - (count - 1) / 2)
    return np.clip(y, -0.42, 0.42)


def kinds(cells: pd.DataFrame) -> pd.Series:
    """Return which of `KINDS` each cell is."""
    counted = cells["inside"].map({True: "inside", False: "not reproduced"})
    return counted.where(cells["counted"], "not counted")


def draw_row(ax: Any, height: int, cells: pd.DataFrame, limit: float) -> None:
    """Draw the cells of one table."""
    x = cells["position"].to_numpy()
    y = height + heights(x, limit)
    for kind, look in KINDS.items():
        of_kind = (kinds(cells) == kind).to_numpy()
        ax.scatter(x[of_kind], y[of_kind], s=9, linewidths=0.6, **look)


@style.script
def draw(overview: pd.DataFrame, cells: pd.DataFrame) -> style.Figure:
    """Draw one row per table with numbers that count; a note names how many tables have none."""
    compared = overview[overview["cells"].gt(0) & overview["inside"].notna()]
    left_out, overview = len(overview) - len(compared), compared.reset_index(drop=True)
    if overview.empty:
        return style.note("No table of a paper was run: there is nothing to compare.")
    fig, axes = style.figure(height=1.2 + 0.38 * len(overview))
    ax = axes[0, 0]
    shown = cells[cells["run"] & cells["published"].notna()]
    shown = shown.assign(position=positions(shown))
    limit = max(LEAST, float(shown["position"].abs().max()))
    ax.axvspan(-1, 1, color=style.SKY, alpha=0.2, linewidth=0)
    for height, line in overview.iterrows():
        same = (shown["paper"] == line["paper"]) & (shown["table"] == line["table"])
        draw_row(ax, int(str(height)), shown[same], limit)
        ax.annotate(
            f"{line['inside']:.0f} of {line['cells']:.0f}",
            (1.01, height),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=7,
        )
    names = [
        f"{PAPERS.get(paper, paper)}\n{table}"
        for paper, table in overview[["paper", "table"]].to_numpy()
    ]
    ax.set_yticks(range(len(names)), names)
    ax.set(xlim=(-1.04 * limit, 1.04 * limit), ylim=(len(names) - 0.5, -0.5))
    note = f"\n{left_out} tables not shown: not run, or no numbers" if left_out else ""
    ax.set_xlabel(f"(published − ours) / half-width of our interval{note}")
    for kind, look in KINDS.items():
        ax.scatter([], [], s=9, linewidths=0.6, label=kind, **look)
    fig.legend(loc="outside upper center", ncols=len(KINDS))
    return fig
