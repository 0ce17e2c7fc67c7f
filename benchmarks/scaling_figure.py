"""Time, memory and error against the number of points, with fitted exponents of growth.

python -m benchmarks.scaling_figure FIGURE EXPONENTS.csv TABLE.csv …

The figure is written as FIGURE.svg and FIGURE.png.
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

LOOKS: dict[str, dict[str, Any]] = {
    "exact": {"color": style.BLUE, "marker": "o", "label": "kpca, exact"},
    "nystrom": {"color": style.SKY, "marker": "D", "label": "kpca, Nyström"},
    "their_exact": {
        "color": style.VERMILION,
        "marker": "s",
        "linestyle": "--",
        "label": "scikit-learn, exact (ARPACK)",
    },
    "their_nystrom": {
        "color": style.ORANGE,
        "marker": "^",
        "linestyle": "--",
        "label": "scikit-learn, Nyström features and PCA",
    },
}
PANELS = {
    "seconds": ("time of a fit / s", 1.0),
    "peak_bytes": ("peak memory above the data / MB", 1e6),
    "error": ("largest residual over λ₁", 1.0),
}
SOURCES_LIMIT = 1e4  # up to where the sources advise kernel PCA
GROWING = 2000  # fewer points say more about overheads than about growth


def growth(rows: pd.DataFrame, column: str) -> float:
    """Slope of a straight line through log(column) against log(n), from 2 000 points on."""
    large = rows[rows["n"] >= GROWING].dropna(subset=column)
    if len(large) < 2:
        return float("nan")
    return float(np.polyfit(np.log(large["n"]), np.log(large[column]), 1)[0])


def exponents(table: pd.DataFrame) -> pd.DataFrame:
    """One row a contender: the exponents of time and memory."""
    rows = [
        {
            "contender": name,
            **{column: growth(part, column) for column in ("seconds", "peak_bytes")},
        }
        for name, part in table.groupby("contender", sort=False)
    ]
    return pd.DataFrame(rows)


def draw(table: pd.DataFrame) -> Figure:
    """Draw a panel each for time, memory and error."""
    fig, axes = style.figure(1, 3, height=3.0)
    slopes = exponents(table).set_index("contender")
    for ax, (column, (label, unit)) in zip(axes[0], PANELS.items(), strict=True):
        for contender, part in table.groupby("contender", sort=False):
            look = LOOKS[str(contender)]
            named = look | {"label": legend(look, **slopes.T[contender])}
            ax.plot(part["n"], part[column] / unit, **named)
        ax.set(xscale="log", yscale="log", xlabel="number of points n", ylabel=label)
        mark_limit(ax)
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return fig


def legend(look: dict[str, Any], seconds: float, peak_bytes: float) -> str:
    """Name a contender, with the exponents of its growth where they are known."""
    if np.isnan(seconds):
        return str(look["label"])
    return f"{look['label']}: time as $n^{{{seconds:.1f}}}$, memory as $n^{{{peak_bytes:.1f}}}$"


def mark_limit(ax: Axes) -> None:
    """Draw the line below which the sources place kernel PCA."""
    low, high = ax.get_xlim()
    ax.set_xlim(low, max(high, 1.5 * SOURCES_LIMIT))
    ax.axvline(SOURCES_LIMIT, color=style.GREY, linewidth=0.8, linestyle=":")
    ax.annotate(
        "n < 10⁴ ",
        (SOURCES_LIMIT, 0.01),
        xycoords=("data", "axes fraction"),
        ha="right",
        fontsize=6.5,
        color=style.GREY,
    )


def main(figure: str, exponent_table: str, *tables: str) -> None:
    """Draw the figure and write the exponents."""
    table = pd.concat([pd.read_csv(path) for path in tables])
    exponents(table).to_csv(exponent_table, index=False, float_format="%.3g")
    style.save(draw(table), [Path(f"{figure}.{kind}") for kind in ("svg", "png")])


if __name__ == "__main__":
    main(*sys.argv[1:])
