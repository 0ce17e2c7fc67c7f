"""Time, memory and error against the number of points, with fitted exponents of growth.

python -m benchmarks.scaling_figure FOLDER TABLE.csv …

The figure is written as FOLDER/scaling.svg and .png, the exponents as FOLDER/exponents.csv.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pipeline.drawing import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOOKS: dict[str, dict[str, Any]] = {
    "exact": {"fmt": "o-", "color": style.BLUE, "label": "kpca, exact"},
    "nystrom": {"fmt": "D-", "color": style.SKY, "label": "kpca, Nyström"},
    "their_exact": {
        "fmt": "s--",
        "color": style.VERMILION,
        "label": "scikit-learn, exact (ARPACK)",
    },
    "their_nystrom": {
        "fmt": "^--",
        "color": style.ORANGE,
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
        {"contender": name} | {column: growth(part, column) for column in ("seconds", "peak_bytes")}
        for name, part in table.groupby("contender", sort=False)
    ]
    return pd.DataFrame(rows)


def draw(table: pd.DataFrame) -> Figure:
    """Draw a panel each for time, memory and error."""
    fig, axes = style.figure(1, 3, height=3.0)
    slopes = exponents(table).set_index("contender")
    for ax, (column, (label, unit)) in zip(axes[0], PANELS.items(), strict=True):
        for contender, part in table.groupby("contender", sort=False):
            look = dict(LOOKS[str(contender)])
            time, memory = slopes.T[contender]
            look["label"] += f": time as $n^{{{time:.1f}}}$, memory as $n^{{{memory:.1f}}}$"
            ax.plot(part["n"], part[column] / unit, look.pop("fmt"), **look)
        ax.axvline(SOURCES_LIMIT, color=style.GREY, linewidth=0.8, linestyle=":")
        ax.set(xscale="log", yscale="log", xlabel="number of points n", ylabel=label)
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return fig


def main(folder: str, *tables: str) -> None:
    """Draw the figure and write the exponents."""
    table = pd.concat([pd.read_csv(path) for path in tables])
    exponents(table).to_csv(Path(folder) / "exponents.csv", index=False, float_format="%.3g")
    style.save(draw(table), [Path(folder) / f"scaling.{kind}" for kind in ("svg", "png")])


if __name__ == "__main__":
    main(*sys.argv[1:])
