"""Draw how often intervals contain the truth, and how often verdicts are false."""

from typing import Any

import numpy as np
import pandas as pd

from pipeline.drawing import style
from workflow.scripts.calibration.populations import TITLES

COMPARISONS = {
    "score": {"color": style.BLACK, "marker": "o", "label": "score"},
    "chance": {"color": style.GREY, "marker": "v", "label": "difference from chance"},
    "raw": {"color": style.ORANGE, "marker": "s", "label": "difference from raw features"},
    "pca": {"color": style.BLUE, "marker": "D", "label": "difference from PCA"},
}
FALSE = ["false_better", "false_worse", "false_enough"]
COVERED, MOST_FALSE = 95, 2.5
STEP = 0.18


def draw_points(ax: Any, table: pd.DataFrame, values: pd.Series, errors: pd.Series | None) -> None:
    """Draw a value for each cell and comparison, in per cent, with two standard errors in 0–100."""
    for turn, (comparison, look) in enumerate(COMPARISONS.items()):
        here = (table["comparison"] == comparison) & values.notna()
        y = table["place"][here] + STEP * (turn - 1.5)
        percent, bars = 100 * values[here], None
        if errors is not None:
            width = 200 * errors[here]
            bars = [np.minimum(width, percent), np.minimum(width, 100 - percent)]
        options = {"linestyle": "", "elinewidth": 0.6, "markersize": 3} | look
        ax.errorbar(percent, y, xerr=bars, **options)


@style.script
def draw(calibration: pd.DataFrame, small: bool) -> style.Figure:
    """Draw one line per population and number of rows: two panels of coverage, two of verdicts."""
    cells = calibration[["population", "rows"]].drop_duplicates(ignore_index=True)
    table = calibration.merge(cells.assign(place=cells.index), on=["population", "rows"])
    kinds = [table["draws"].iloc[0], table["draws"].iloc[-1]]
    height = 1.2 + 0.24 * max(len(cells), 4)
    fig, axes = style.figure(1, 2 * len(kinds), height=height, sharey=True)
    for number, draws in enumerate(kinds):
        here = table[table["draws"] == draws]
        coverage, verdicts = axes[0, number], axes[0, number + len(kinds)]
        title = "\n".join(draws.rsplit(" ", 1))
        draw_points(coverage, here, here["coverage"], here["coverage_error"])
        coverage.axvline(COVERED, color=style.GREY, linewidth=0.8, linestyle="--")
        coverage.set(title=title, xlabel="coverage, %", xlim=(min(80, coverage.get_xlim()[0]), 104))
        draw_points(verdicts, here, here[FALSE].max(axis=1), None)
        verdicts.axvline(MOST_FALSE, color=style.GREY, linewidth=0.8, linestyle="--")
        verdicts.set(title=title, xlabel="false\nverdicts, %", xlim=(-1, None))
    for alike in (axes[0, : len(kinds)], axes[0, len(kinds) :]):  # one scale
        low, high = zip(*(ax.get_xlim() for ax in alike), strict=True)
        for ax in alike:
            ax.set_xlim(min(low), max(high))
    names = [f"{TITLES[name]}, {rows} rows" for name, rows in cells.to_numpy()]
    axes[0, 0].set_yticks(np.arange(len(names)), names)
    axes[0, 0].set_ylim(len(names) - 0.5, -0.5)
    sets = f"{'Small version: ' * small}{table['sets'].min()} sets per cell"
    fig.suptitle(sets)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=len(COMPARISONS))
    return fig
