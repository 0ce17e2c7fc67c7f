"""Draw Table 1 of Schölkopf, Smola and Müller (1998) and ours: one column per degree."""

from typing import Any

import numpy as np
import pandas as pd

from pipeline.drawing import style
from workflow.scripts.papers.scholkopf1998.table1 import N_TEST, binomial_interval

CELL = r"table 1(?P<plain> without smoothing)? d=(?P<degree>\d+) m=(?P<components>\d+)$"
OURS = {"color": style.BLUE, "label": "ours, interval of one more subset"}
PLAIN = {"color": style.ORANGE, "marker": "^", "linestyle": "--", "label": "ours, not smoothed"}
PUBLISHED = {"color": style.BLACK, "marker": "o", "linestyle": "none"}
MISSED = {"color": style.VERMILION, "marker": "D", "linestyle": "none"}
HITS = {True: ("published, inside", PUBLISHED), False: ("published, outside", MISSED)}
BINOMIAL = {"color": style.GREY, "elinewidth": 0.7, "fmt": "none"}
TICKS = (32, 256, 2048)
LIMITS = (24, 2800)


def cells(table: pd.DataFrame) -> pd.DataFrame:
    """Return the cells of Table 1 with degree, components and whether images were not smoothed."""
    parts = table["cell"].str.extract(CELL)
    found = table.join(parts)[parts["degree"].notna()]
    numbers = {"degree": int, "components": int}
    return found.assign(plain=found["plain"].notna()).astype(numbers | {"inside": bool})


def draw_errors(ax: Any, rows: pd.DataFrame) -> None:
    """Draw test errors over the number of components."""
    smoothed, plain = rows[~rows["plain"]], rows[rows["plain"]]
    draw_ours(ax, smoothed, smoothed["ours"] * 0)
    if len(plain):
        ax.plot(plain["components"], plain["ours"], **PLAIN)
    draw_published(ax, smoothed, smoothed["ours"] * 0)


def draw_differences(ax: Any, rows: pd.DataFrame) -> None:
    """Draw published less our mean, with the binomial interval of the published number."""
    smoothed = rows[~rows["plain"]]
    draw_ours(ax, smoothed, smoothed["ours"])
    published = smoothed["published"]
    bounds = np.array([binomial_interval(value, N_TEST) for value in published]).T
    sides = np.abs(bounds - published.to_numpy())
    difference = published - smoothed["ours"]
    ax.errorbar(smoothed["components"], difference, sides, **BINOMIAL, label="binomial interval")
    draw_published(ax, smoothed, smoothed["ours"])


def draw_ours(ax: Any, rows: pd.DataFrame, zero: pd.Series) -> None:
    """Draw our mean and prediction interval, less some zero line."""
    m = rows["components"]
    ax.plot(m, rows["ours"] - zero, **OURS)
    ax.fill_between(
        m, rows["low"] - zero, rows["high"] - zero, color=OURS["color"], alpha=0.25, linewidth=0
    )


def draw_published(ax: Any, rows: pd.DataFrame, zero: pd.Series) -> None:
    """Draw the printed numbers, those outside our interval in another colour and shape."""
    for inside, (label, look) in HITS.items():
        hit = rows["inside"] == inside
        ax.plot(rows["components"][hit], (rows["published"] - zero)[hit], label=label, **look)


def legend(fig: Any, axes: Any) -> None:
    """Name every look once, above all panels."""
    named: dict[str, Any] = {}
    for ax in axes.flat:
        handles, labels = ax.get_legend_handles_labels()
        named |= {label: handle for handle, label in zip(handles, labels, strict=True)}
    columns = 5 if axes.shape[1] > 4 else 2
    fig.legend(named.values(), named.keys(), loc="outside upper center", ncols=columns)


@style.script
def draw(table: pd.DataFrame) -> style.Figure:
    """Draw errors above, differences below."""
    known = cells(table)
    degrees = sorted(known["degree"].unique())
    width = style.PAGE * max(0.55, len(degrees) / 7)
    fig, axes = style.figure(
        2, len(degrees), width=width, height=4.4, sharey="row", sharex=True, height_ratios=[1.3, 1]
    )
    for column, degree in zip(axes.T, degrees, strict=True):
        rows = known[known["degree"] == degree].sort_values("components")
        draw_errors(column[0], rows)
        draw_differences(column[1], rows)
        column[0].set(title=f"degree {degree}", yscale="log")
        column[1].set_xscale("log", base=2)
        column[1].set_xticks(TICKS, [str(tick) for tick in TICKS])
        column[1].set_xticks([], minor=True)
        column[1].set_xlim(LIMITS)
    errors = [4, 5, 6, 8, 10, 12]
    axes[0, 0].set_yticks(errors, [str(error) for error in errors])
    axes[0, 0].set_yticks([], minor=True)
    axes[0, 0].set_ylabel("test error (%)")
    axes[1, 0].set_ylabel("published − ours (points)")
    fig.supxlabel("components", fontsize=8)
    legend(fig, axes)
    return fig
