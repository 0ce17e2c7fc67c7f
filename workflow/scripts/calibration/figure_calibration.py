"""Draw the coverage of intervals by size of the true effect, and how reliable probabilities are."""

from typing import Any

import numpy as np
import pandas as pd

from workflow.drawing import style
from workflow.drawing.finding import between
from workflow.scripts.calibration.effects import COMPARED, EFFECTS

COMPARISONS = {
    "score": style.look(style.BLACK, "o", "score of kernel PCA"),
    "recommended": style.look(style.GREEN, "v", "recommended score"),
    "raw": style.look(style.ORANGE, "s", "difference from raw features"),
    "pca": style.look(style.BLUE, "D", "difference from PCA"),
}
TARGET = 92
STEP = 0.18
BARS = {"linestyle": "", "elinewidth": 0.8}


def draw_coverage(ax: Any, effects: pd.DataFrame) -> None:
    """Draw the coverage in each class of true differences, with two standard errors."""
    for turn, comparison in enumerate(COMPARISONS):
        rows = effects[effects["comparison"] == comparison]
        y = rows["effect"].map([*EFFECTS].index) + STEP * (turn - 1.5)
        bars = 100 * _bars(rows["coverage"], rows["coverage_error"])
        look = BARS | COMPARISONS[comparison]
        ax.errorbar(100 * rows["coverage"], y, xerr=bars, **look)
    ax.axvline(TARGET, color=style.GREY, linewidth=0.8, linestyle="--")
    ax.set_yticks(range(len(EFFECTS)), list(EFFECTS))
    ax.set(xlabel="95 % CIs that contain the truth, %", ylabel="true difference")
    ax.invert_yaxis()


def draw_reliability(ax: Any, reliability: pd.DataFrame) -> None:
    """Draw how often kernel PCA is truly better, against the reported probability."""
    ax.plot([0, 1], [0, 1], color=style.GREY, linewidth=0.8, linestyle="--")
    for comparison in COMPARED:
        rows = reliability[reliability["comparison"] == comparison]
        bars = _bars(rows["true"], rows["error"])
        ax.errorbar(rows["said"], rows["true"], yerr=bars, **BARS | COMPARISONS[comparison])
    ax.set(xlabel="probability that is reported", ylabel="fraction that is true")
    ax.set_aspect("equal")


def _bars(fractions: pd.Series, errors: pd.Series) -> np.ndarray:
    """Return error bars of two standard errors on either side of fractions, within [0, 1]."""
    return np.minimum(2 * errors, [fractions, 1 - fractions])


@style.script
def draw(effects: pd.DataFrame, reliability: pd.DataFrame) -> style.Figure:
    """Draw two panels: coverage by size of the true difference, and reliability."""
    fig, ((coverage, reliabilities),) = style.figure(1, 2, height=2.9, width_ratios=(1.3, 1))
    draw_coverage(coverage, effects)
    draw_reliability(reliabilities, reliability)
    drawn = effects[effects["comparison"].isin(COMPARISONS)]
    fig.set_label(
        f"95 % CIs contain the truth in {between(drawn['coverage'].dropna(), 1)} % of simulated "
        "datasets, by size of the true difference."
    )
    sets = effects.loc[effects["comparison"] == "score", "sets"].sum()
    fig.suptitle(f"{sets} simulated datasets")
    fig.legend(*coverage.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return fig
