"""How claims look in every figure: verdicts, classes, losses of accuracy, curves with intervals."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from pipeline.tables.metrics import METRICS
from pipeline.tables.statistics import curve

VERDICTS: dict[str, dict[str, Any]] = {
    "holds": {"color": style.BLUE, "marker": "s"},
    "inconclusive": {"color": style.GREY, "marker": "o", "fillstyle": "none"},
    "fails": {"color": style.VERMILION, "marker": "X"},
    "fails as expected": {"color": style.BLACK, "marker": "x"},
}
RINGS = ("outer ring", "inner ring")
LOST = "balanced accuracy lost (percentage points)"
SPREAD = 0.17  # between the lines of two kernels


def whole_row(axes: np.ndarray, row: int) -> Any:
    """Leave the first panel of a row, which takes the place of all of them, and return it."""
    first, *others = axes[row]
    for ax in others:
        ax.remove()
    first.set_subplotspec(first.get_gridspec()[row, :])
    return first


def draw_classes(
    ax: Any, points: np.ndarray, y: np.ndarray, names: Sequence[str], **options: Any
) -> None:
    """Scatter the rows of each class, in two dimensions or three, and name it for the legend."""
    for c, name in enumerate(names):
        look = style.class_style(c)
        ax.scatter(*points[y == c].T, s=5, linewidths=0, alpha=0.8, **(look | options))
        ax.plot([], [], linestyle="", label=name, **look)


def offsets(kernels: list[str]) -> dict[str, float]:
    """Return where the line of each kernel stands about that of its dataset.

    >>> offsets(["linear", "poly", "rbf"])
    {'linear': -0.17, 'poly': 0.0, 'rbf': 0.17}
    """
    middle = (len(kernels) - 1) / 2
    return {kernel: SPREAD * (i - middle) for i, kernel in enumerate(kernels)}


def draw_intervals(ax: Axes, table: pd.DataFrame, *, accuracies: bool = True) -> None:
    """Draw one line per kernel under every dataset: mean and interval.

    The table has the columns dataset, kernel, mean, low, high. Differences of accuracies are drawn
    in percentage points, with a dotted line at the margin from which on they count.
    """
    unit = 100 if accuracies else 1
    datasets = list(table["dataset"].unique())
    places = offsets(list(table["kernel"].unique()))
    for kernel, rows in table.groupby("kernel", sort=False):
        look = style.kernel_style(str(kernel))
        y = rows["dataset"].map(datasets.index) + places[str(kernel)]
        ax.hlines(y, unit * rows["low"], unit * rows["high"], color=look["color"], linewidth=0.8)
        ax.plot(unit * rows["mean"], y, linestyle="", **look)
    if accuracies:
        margin = unit * METRICS["balanced_accuracy"].margin
        ax.axvline(0, color=style.GREY, linewidth=0.6)
        ax.axvline(margin, color=style.GREY, linewidth=0.8, linestyle=":")
    ax.set_yticks(range(len(datasets)), [style.title(name) for name in datasets])
    ax.set_ylim(len(datasets) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    for edge in range(1, len(datasets)):
        ax.axhline(edge - 0.5, color="#EEEEEE", linewidth=0.6, zorder=0)


def draw_curve(
    ax: Axes, rows: pd.DataFrame, along: str, look: dict[str, Any], *, most: float = 1.0
) -> None:
    """Draw the mean over a parameter, with its interval within 0 … most as a band.

    ``rows`` holds one row per replicate and value of the column ``along``, with the column value;
    overlap, if there is such a column, is that of `setting.units`.
    """
    overlap = rows["overlap"].iloc[0] if "overlap" in rows else None
    points = curve(rows, along, None if pd.isna(overlap) else float(overlap))
    ax.plot(points[along], points["mean"], **look)
    low, high = points["low"].clip(lower=0), points["high"].clip(upper=most)
    ax.fill_between(points[along], low, high, color=look["color"], alpha=0.15, linewidth=0)
