"""Write measurements as a table and a figure.

    python -m benchmarks.figures speed FOLDER MEASUREMENT.json …
    python -m benchmarks.figures scaling FOLDER TABLE.csv …

``speed`` shows how many times faster every case is than scikit-learn, with floor and target.
``scaling`` shows time, memory and error against the number of points, with exponents of growth.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from benchmarks.cases import CASES
from benchmarks.contenders import OURS
from benchmarks.data import points
from workflow.drawing import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOOKS: dict[str, dict[str, Any]] = {
    "exact": {"fmt": "o-", "color": style.BLUE, "label": "kpca, exact"},
    "nystrom": {"fmt": "D-", "color": style.SKY, "label": "kpca, Nyström"},
    "their_exact": {"fmt": "s--", "color": style.VERMILION, "label": "scikit-learn, ARPACK"},
    "their_nystrom": {"fmt": "^--", "color": style.ORANGE, "label": "scikit-learn, Nyström"},
}
PANELS = {
    "seconds": ("time of a fit / s", 1.0),
    "peak_bytes": ("peak memory above the data / MB", 1e6),
    "error": ("largest residual over λ₁", 1.0),
}
SOURCES_LIMIT = 1e4  # largest number of points for which the literature advises kernel PCA
GROWING = 2000  # Times of fewer points show overheads rather than growth.


def summary_row(found: dict[str, Any]) -> dict[str, Any]:
    """Return a case's row of the table: the fit, both packages' results, and their ratios."""
    case = CASES[found["case"]]
    ours = found["trials"][OURS]
    theirs = next((name for name in found["seconds"] if name != OURS), None)
    seconds = found["seconds"]
    peaks = found["peak_bytes"]
    row = {
        "case": case.name,
        **{name: getattr(case, name) for name in ("step", "data", "n", "k", "kernel")},
        "d": points(case.data, 1).shape[1],
        "threads": found["threads"],
        "solver": ours["solver"].split(":")[0],
        "seconds": seconds[OURS],
        "residual": ours["residual"],
        "peak_bytes": peaks[OURS],
        "theirs": theirs,
        "floor": case.floor,
        "target": case.target,
    }
    if theirs is None:
        return row
    return row | {
        "their_seconds": seconds[theirs],
        "their_residual": found["trials"][theirs]["residual"],
        "their_peak_bytes": peaks[theirs],
        "times_faster": seconds[theirs] / seconds[OURS],
        "times_smaller": peaks[theirs] / max(peaks[OURS], 1),
    }


def draw_speed(summary: pd.DataFrame) -> Figure:
    """Draw how many times faster than scikit-learn each case is, with its floor and its target."""
    rows = summary.dropna(subset="times_faster").iloc[::-1].reset_index(drop=True)
    fig, axes = style.figure(height=0.6 + 0.19 * len(rows), width=style.PAGE * 0.75)
    ax = axes[0, 0]
    y = rows.index
    ax.hlines(y, 1, rows["times_faster"], color=style.BLUE, linewidth=1)
    ax.plot(rows["times_faster"], y, "o", color=style.BLUE, label="measured")
    ax.plot(rows["floor"], y, "|", color=style.BLACK, markersize=8, label="floor")
    ax.plot(rows["target"], y, "D", mfc="none", color=style.GREEN, label="target")
    ax.axvline(1, color=style.GREY, linewidth=0.8)
    ax.set(xscale="log", xlabel="times faster than scikit-learn", ylim=(-0.6, len(rows) - 0.4))
    ax.set_yticks(y, rows["case"])
    ax.set_xticks(ticks := [1, 2, 5, 10, 20, 50], [str(tick) for tick in ticks])
    ax.set_xticks([], minor=True)
    fig.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return fig


def exponents(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row per contender: the slopes of log time and of log memory against log n."""
    rows = []
    for name, part in table[table["n"] >= GROWING].groupby("contender", sort=False):
        row: dict[str, Any] = {"contender": name}
        for column in ("seconds", "peak_bytes"):
            logarithms = np.log(part[["n", column]].dropna())
            fitted = len(logarithms) > 1
            row[column] = (
                np.polyfit(logarithms["n"], logarithms[column], 1)[0] if fitted else np.nan
            )
        rows.append(row)
    return pd.DataFrame(rows)


def draw_scaling(table: pd.DataFrame) -> Figure:
    """Draw time, memory and error against the number of points, in one panel each."""
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


def main(what: str, folder: str, *files: str) -> None:
    """Write a table and its figure, "speed" or "scaling", into a folder."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    if what == "speed":
        measurements = [json.loads(Path(file).read_text(encoding="utf-8")) for file in files]
        measurements.sort(key=lambda measurement: list(CASES).index(measurement["case"]))
        summary = pd.DataFrame([summary_row(measurement) for measurement in measurements])
        summary.to_csv(target / "summary.csv", index=False, float_format="%.6g")
        fig = draw_speed(summary)
        name = "benchmark_speed"
    else:
        table = pd.concat([pd.read_csv(path) for path in files])
        exponents(table).to_csv(target / "exponents.csv", index=False, float_format="%.3g")
        fig = draw_scaling(table)
        name = "scaling"
    style.save(fig, [target / f"{name}.{kind}" for kind in ("svg", "png")])


if __name__ == "__main__":
    main(*sys.argv[1:])
