"""Draw where every published number lies within our interval, one row per table."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style

LEAST, MOST = 1.5, 6.0  # half-widths that are drawn; what lies beyond stands at the edge
BINS, STEP = 150, 0.085
KINDS: dict[str, dict[str, Any]] = {
    "inside": {"color": style.BLUE, "marker": "o"},
    "not reproduced": {"color": style.VERMILION, "marker": "D"},
    "not counted": {"facecolors": "none", "edgecolors": style.GREY, "marker": "o"},
}


def positions(cells: pd.DataFrame) -> np.ndarray:
    """Return (published − ours) / half-width on the side of the published number, ±1 the bounds."""
    difference = (cells["published"] - cells["ours"]).to_numpy(dtype=float)
    above, below = cells["high"] - cells["ours"], cells["ours"] - cells["low"]
    half = np.where(difference >= 0, above, below).astype(float)
    places = np.sign(difference) * MOST
    np.divide(difference, half, out=places, where=half > 0)
    return np.clip(places, -MOST, MOST)


def heights(x: np.ndarray, limit: float) -> np.ndarray:
    """Return a height for each point such that points of one bin are stacked around 0."""
    points = pd.Series(x).groupby(np.round(x / (2 * limit / BINS)))
    y = STEP * (points.cumcount() - (points.transform("size") - 1) / 2)
    return y.clip(-0.42, 0.42).to_numpy()


def draw_row(ax: Axes, height: int, cells: pd.DataFrame, limit: float) -> None:
    """Draw the cells of one table, and to their right how many are reproduced."""
    x = cells["position"].to_numpy()
    y = height + heights(x, limit)
    counted = cells["inside"].map({True: "inside", False: "not reproduced"})
    kinds = counted.where(cells["counted"], "not counted")
    for kind, look in KINDS.items():
        of_kind = (kinds == kind).to_numpy()
        ax.scatter(x[of_kind], y[of_kind], s=9, linewidths=0.6, **look)
    of = cells[cells["counted"]] if cells["counted"].any() else cells  # all, if none counts
    text = f"{int(of['inside'].astype(bool).sum())} of {len(of)}"
    text = text if cells["counted"].any() else f"({text})"
    place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "va": "center"}
    ax.annotate(text, (1.01, height), fontsize=7, **place)


@style.script
def draw(cells: pd.DataFrame) -> style.Figure:
    """Draw one row per table of which numbers were run."""
    shown = cells[cells["run"] & cells["published"].notna()]
    shown = shown.assign(position=positions(shown))
    tables = dict(tuple(shown.groupby(["paper", "table"], sort=False)))
    fig, axes = style.figure(height=0.9 + 0.38 * len(tables))
    ax = axes[0, 0]
    limit = max(LEAST, float(shown["position"].abs().max()))
    ax.axvspan(-1, 1, color=style.SKY, alpha=0.2, linewidth=0)
    for height, of_table in enumerate(tables.values()):
        draw_row(ax, height, of_table, limit)
    ax.set_yticks(range(len(tables)), [f"{paper},\n{table}" for paper, table in tables])
    ax.set(xlim=(-1.04 * limit, 1.04 * limit), ylim=(len(tables) - 0.5, -0.5))
    ax.set_xlabel("(published − ours) / half-width of our interval")
    for kind, look in KINDS.items():
        ax.scatter([], [], s=9, linewidths=0.6, label=kind, **look)
    fig.legend(loc="outside upper center", ncols=len(KINDS))
    return fig
