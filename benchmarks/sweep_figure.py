"""Draw where the time of the sweep goes, beside the plain script.

python -m benchmarks.sweep_figure FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from kpca.pipeline import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = {
    "imports": style.GREY,
    "kernel PCA": style.BLUE,
    "support vector machines": style.ORANGE,
    "k-means": style.GREEN,
    "spectral clustering": style.SKY,
    "metrics": style.PURPLE,
    "other": style.YELLOW,
}
RULES = {"fit": "fits", "evaluate": "evaluation", "evaluate_baselines": "baselines"}


def draw(anatomy: pd.DataFrame, times: pd.DataFrame) -> Figure:
    """Draw the parts of each kind of job, and both wall-clock times."""
    fig, axes = style.figure(1, 2, height=2.6)
    left, right = axes[0]
    parts(left, anatomy.pivot_table("seconds", "rule", "part", "sum", fill_value=0))
    both(right, times.set_index("what"))
    fig.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig


def parts(ax: Axes, seconds: pd.DataFrame) -> None:
    """One bar a kind of job, stacked by what takes the time."""
    rows = [rule for rule in RULES if rule in seconds.index]
    start = np.zeros(len(rows))
    for part, color in COLORS.items():
        if part in seconds:
            width = seconds.loc[rows, part].to_numpy()
            ax.barh([RULES[r] for r in rows], width, left=start, color=color, label=part)
            start += width
    ax.invert_yaxis()
    ax.set(xlabel="processor time in jobs / s")


def both(ax: Axes, times: pd.DataFrame) -> None:
    """Draw wall-clock and processor time of both, with their ratios."""
    names = {"sweep": style.BLUE, "plain script": style.VERMILION}
    for offset, (name, color) in zip((-0.2, 0.2), names.items(), strict=True):
        for position, kind in enumerate(("wall", "processor")):
            seconds = float(times[kind].to_dict()[name])
            ax.barh(position + offset, seconds, color=color, height=0.36)
            label = f" {name}, {seconds:.0f} s"
            ax.annotate(label, (seconds, position + offset), va="center", fontsize=6.5)
    ratios = times.loc["times faster"]
    ax.set_yticks(
        [0, 1], [f"wall-clock\n×{ratios['wall']:.2g}", f"processor\n×{ratios['processor']:.2g}"]
    )
    ax.invert_yaxis()
    ax.set(xlabel="time / s", xlim=(0, 1.5 * times.loc[list(names)].to_numpy().max()))


def main(folder: str) -> None:
    """Draw the figure as SVG and PNG beside its tables."""
    place = Path(folder)
    fig = draw(pd.read_csv(place / "anatomy.csv"), pd.read_csv(place / "times.csv"))
    style.save(fig, [place / f"benchmark_sweep.{kind}" for kind in ("svg", "png")])


if __name__ == "__main__":
    main(*sys.argv[1:])
