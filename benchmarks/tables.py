"""One table of every measured case, and its figure: how many times faster, floor and target.

python -m benchmarks.tables OUTPUT_FOLDER MEASUREMENT.json …
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from benchmarks.cases import CASES, named
from benchmarks.contenders import OURS
from benchmarks.data import points
from pipeline.drawing import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Measurement = dict[str, Any]


def summary_row(found: Measurement) -> dict[str, Any]:
    """One row a case: what was fitted, ours, theirs, and how they compare."""
    case, ours = named(found["case"]), found["trials"][OURS]
    theirs = next((name for name in found["seconds"] if name != OURS), None)
    seconds, peaks = found["seconds"], found["peak_bytes"]
    # None of the counted work, as with explicit features, has no share.
    share = found["least_seconds"] / seconds[OURS] or None
    row = {
        "case": case.name,
        "step": case.step,
        "data": case.data,
        "n": case.n,
        "d": points(case.data, 1).shape[1],
        "k": case.k,
        "kernel": case.kernel,
        "threads": found["threads"],
        "solver": ours["solver"].split(":")[0],
        "seconds": seconds[OURS],
        "best_seconds": min(found["runs"][OURS])[0],
        "residual": ours["residual"],
        "peak_bytes": peaks[OURS],
        "share_of_limit": share,
        "theirs": theirs,
        "floor": case.floor,
        "target": case.target,
    }
    if theirs is None:
        return row
    return row | {
        "their_seconds": seconds[theirs],
        "their_best_seconds": min(found["runs"][theirs])[0],
        "their_residual": found["trials"][theirs]["residual"],
        "their_peak_bytes": peaks[theirs],
        "times_faster": seconds[theirs] / seconds[OURS],
        "times_smaller": peaks[theirs] / max(peaks[OURS], 1),
    }


def draw(summary: pd.DataFrame) -> Figure:
    """Draw how many times faster each case is, with its floor and its target."""
    rows = summary.dropna(subset="times_faster").iloc[::-1].reset_index(drop=True)
    fig, axes = style.figure(height=0.6 + 0.19 * len(rows), width=style.PAGE * 0.75)
    ax, y = axes[0, 0], rows.index
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


def main(folder: str, *files: str) -> None:
    """Write table and figure into a folder."""
    measurements = [json.loads(Path(file).read_text()) for file in files]
    measurements.sort(key=lambda found: CASES.index(named(found["case"])))
    summary = pd.DataFrame([summary_row(found) for found in measurements])
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    summary.to_csv(place / "summary.csv", index=False, float_format="%.6g")
    style.save(draw(summary), [place / f"benchmark_speed.{kind}" for kind in ("svg", "png")])


if __name__ == "__main__":
    main(*sys.argv[1:])
