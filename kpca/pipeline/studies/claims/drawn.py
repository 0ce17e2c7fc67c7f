"""How the claims about the sweep are drawn: intervals of datasets, and numbers in cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from kpca.pipeline import style
from kpca.pipeline.studies.claims.ranks import LEAST_DATASETS, signed_rank_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BELOW = 0.5  # of the line of all datasets, under the last one
BAND = "#E4E4E4"
DARK = 0.6  # of a colour scale: numbers on darker cells are white


def draw_intervals(
    ax: Axes, rows: pd.DataFrame, names: Sequence[str], *, offset: float = 0.0, **look: Any
) -> None:
    """Draw mean and interval of every dataset, and below those over all datasets.

    Parameters
    ----------
    ax : Axes
    rows : DataFrame
        Columns dataset, mean, low, high.
    names : sequence of str
        Datasets from top to bottom; six or more get the line of all.
    offset : float
        Of this series about the lines of the datasets.
    **look
        Colour, marker and label.
    """
    known = rows.set_index("dataset").reindex([n for n in names if n in set(rows["dataset"])])
    lines = [
        (float(names.index(str(name))), row["mean"], row["low"], row["high"])
        for name, row in known.iterrows()
    ]
    if len(known) >= LEAST_DATASETS:
        lines.append((len(names) + BELOW, *signed_rank_interval(known["mean"].to_numpy())))
    for y, mean, low, high in lines:
        ax.plot([low, high], [y + offset] * 2, color=look["color"], linewidth=0.9)
        ax.plot(mean, y + offset, linestyle="none", **look)
        look = {key: value for key, value in look.items() if key != "label"}


def dataset_axis(ax: Axes, names: Sequence[str], band: tuple[float, float]) -> None:
    """Name the lines of the datasets, and shade what does not matter.

    Parameters
    ----------
    ax : Axes
    names : sequence of str
        As for `draw_intervals`.
    band : (float, float)
        From where to where differences do not matter.
    """
    ax.axvspan(*band, color=BAND, linewidth=0, zorder=0)
    ax.axvline(0, color=style.GREY, linewidth=0.6, zorder=0)
    places = [float(place) for place in range(len(names))]
    labels = [style.title(name) for name in names]
    if len(names) >= LEAST_DATASETS:
        ax.axhline(len(names) - 0.5 + BELOW / 2, color=style.GREY, linewidth=0.6)
        places, labels = [*places, len(names) + BELOW], [*labels, "all"]
    ax.set_yticks(places, labels)
    ax.set_ylim(places[-1] + 0.6, -0.6)
    ax.tick_params(axis="y", length=0)


def by_kernel(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a table with a row a dataset and a column a kernel, in the order of all figures."""
    table = rows.pivot_table(index="dataset", columns="kernel", values=column, sort=False)
    known = [name for name in style.KERNELS if name in table.columns]
    return table[[*known, *(name for name in table.columns if name not in known)]]


def draw_cells(ax: Axes, table: pd.DataFrame, written: str, limits: tuple[float, float]) -> None:
    """Draw the numbers of `by_kernel`, the larger the darker.

    Parameters
    ----------
    ax : Axes
    table : DataFrame
        NaN stays blank.
    written : str
        Format of a number, such as ``".0f"``.
    limits : (float, float)
        Of the colours.
    """
    values = table.to_numpy(dtype=float)
    ax.pcolormesh(values, cmap="Blues", vmin=limits[0], vmax=limits[1])
    shade = (values - limits[0]) / (limits[1] - limits[0])
    for (i, j), value in np.ndenumerate(values):
        if np.isfinite(value):
            color = "white" if shade[i, j] > DARK else style.BLACK
            text = f"{value:{written}}"
            text = text.lstrip("-") if float(text) == 0 else text.replace("-", "−")
            ax.text(j + 0.5, i + 0.5, text, ha="center", va="center", color=color, fontsize=7)
    labels = [style.kernel_style(name)["label"] for name in table.columns]
    ax.set_xticks(np.arange(len(labels)) + 0.5, labels, rotation=40, ha="right")
    ax.set_yticks(np.arange(len(table)) + 0.5, [style.title(name) for name in table.index])
    ax.set_ylim(len(table), 0)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
