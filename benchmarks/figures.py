"""Figures of the benchmarks, drawn from their tables.

python -m benchmarks.figures TABLE_FOLDER FIGURE_FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from kpca.pipeline import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OURS: dict[str, Any] = {"color": style.BLUE, "marker": "o", "label": "kpca"}
THEIRS: dict[str, Any] = {
    "color": style.VERMILION,
    "marker": "s",
    "linestyle": "--",
    "label": "scikit-learn, its fastest exact solver",
}
PARTS = {
    ("kernel", "float32"): (style.SKY, "", "kernel values, float32"),
    ("kernel", "float64"): (style.BLUE, "", "kernel values, float64"),
    ("products", "float32"): (style.YELLOW, "", "products, float32"),
    ("products", "float64"): (style.ORANGE, "", "products, float64"),
    ("solver", ""): (style.GREY, "", "algebra of the solver"),
}


def growth(summary: pd.DataFrame) -> Figure:
    """Draw time and memory against n, with lines that grow as n² and n³."""
    fits = summary[summary["case"].str.match(r"(small|mix10)-")].sort_values("n")
    fig, axes = style.figure(1, 2, height=2.8)
    panels = (("seconds", "time of a fit / s", 1.0), ("peak_bytes", "peak memory / MB", 1e6))
    for ax, (column, label, unit) in zip(axes[0], panels, strict=True):
        theirs = fits.dropna(subset=f"their_{column}")
        ax.plot(fits["n"], fits[column] / unit, **OURS)
        ax.plot(theirs["n"], theirs[f"their_{column}"] / unit, **THEIRS)
        guides(ax, theirs["n"].to_numpy(float), theirs[f"their_{column}"].to_numpy() / unit)
        ax.set(xscale="log", yscale="log", xlabel="number of points n", ylabel=label)
        plain_ticks(ax)
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig


def guides(ax: Axes, n: Any, values: Any) -> None:
    """Lines of slope two and three through the last of their points."""
    span = np.array([n[-1] / 8, n[-1] * 2])
    for power, line in ((2, ":"), (3, "-.")):
        ax.plot(
            span,
            values[-1] * 1.6 * (span / n[-1]) ** power,
            color=style.GREY,
            linestyle=line,
            linewidth=0.8,
            label=f"growth as n{'²³'[power - 2]}",
        )


def speed(summary: pd.DataFrame) -> Figure:
    """Draw how many times faster each case is, with its floor and its target."""
    rows = summary.dropna(subset="times_faster").iloc[::-1].reset_index(drop=True)
    fig, axes = style.figure(height=0.6 + 0.19 * len(rows), width=style.PAGE * 0.75)
    ax, y = axes[0, 0], rows.index
    ax.hlines(y, 1, rows["times_faster"], color=style.BLUE, linewidth=1)
    ax.plot(rows["times_faster"], y, "o", color=style.BLUE, label="measured")
    ax.plot(rows["floor"], y, "|", color=style.BLACK, markersize=8, label="floor")
    ax.plot(rows["target"], y, "D", mfc="none", color=style.GREEN, label="target")
    ax.axvline(1, color=style.GREY, linewidth=0.8)
    ax.set(xscale="log", xlabel="times faster than scikit-learn", yticks=y)
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.set_yticklabels(rows["case"])
    plain_ticks(ax)
    fig.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return fig


def plain_ticks(ax: Axes) -> None:
    """Write 1, 2, 5, 10 … on a logarithmic abscissa, with k for thousands, which leaves room."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: _thousands(x)))
    ax.xaxis.set_minor_locator(NullLocator())


def _thousands(x: float) -> str:
    return f"{x / 1000:g}k" if x >= 1000 else f"{x:g}"


def limit(summary: pd.DataFrame, anatomy: pd.DataFrame) -> Figure:
    """Draw where the time of each fit goes, and the share of the machine's limit it reaches."""
    cases = summary["case"].tolist()[::-1]
    fig, axes = style.figure(1, 2, height=0.8 + 0.19 * len(cases), sharey=True)
    left, right = axes[0]
    stacked(left, anatomy, cases)
    shares = summary.set_index("case").loc[cases, "share_of_limit"]
    right.barh(cases, 100 * shares, color=style.GREEN, height=0.7)
    for position, share in enumerate(shares):
        label = "no kernel values needed" if np.isnan(share) else f"{share:.0%}"
        place = (1 + 100 * np.nan_to_num(share), position)
        right.annotate(label, place, va="center", fontsize=6.5)
    left.set(xlabel="share of the time / %", xlim=(0, 100))
    right.set(xlabel="share of the machine's limit / %", xlim=(0, 105))
    fig.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return fig


def stacked(ax: Axes, anatomy: pd.DataFrame, cases: list[str]) -> None:
    """One bar a case, in parts that add to a hundred."""
    table = anatomy.assign(precision=anatomy["precision"].fillna(""))
    seconds = table.pivot_table("seconds", "case", ["part", "precision"], "sum", fill_value=0)
    shares = 100 * seconds.div(seconds.sum(axis=1), axis=0).loc[cases]
    start = np.zeros(len(cases))
    for part, (color, hatch, label) in PARTS.items():
        if part in shares:
            width = shares[part].to_numpy()
            ax.barh(cases, width, left=start, color=color, hatch=hatch, height=0.7, label=label)
            start += width


def main(tables: str, figures: str) -> None:
    """Draw every figure as SVG and PNG."""
    summary = pd.read_csv(Path(tables) / "summary.csv")
    anatomy = pd.read_csv(Path(tables) / "anatomy.csv", keep_default_na=False)
    drawn = {
        "benchmark_growth": growth(summary),
        "benchmark_speed": speed(summary),
        "benchmark_limit": limit(summary, anatomy),
    }
    for name, fig in drawn.items():
        style.save(fig, [Path(figures) / f"{name}.{kind}" for kind in ("svg", "png")])


if __name__ == "__main__":
    main(*sys.argv[1:])
