"""Draw how often probabilities and intervals are right, by size of the true effect."""

from typing import Any

import numpy as np
import pandas as pd

from workflow.drawing import style
from workflow.scripts.calibration.effects import EFFECTS

COMPARISONS = {
    "score": style.look(style.BLACK, "o", "score of kernel PCA"),
    "recommended": style.look(style.GREEN, "v", "recommended score"),
    "raw": style.look(style.ORANGE, "s", "difference from raw features"),
    "pca": style.look(style.BLUE, "D", "difference from PCA"),
}
TARGET = 92
STEP = 0.18


def draw_coverage(ax: Any, effects: pd.DataFrame) -> None:
    """Draw the coverage in each class of true differences, with two standard errors."""
    for turn, (comparison, look) in enumerate(COMPARISONS.items()):
        here = effects[effects["comparison"] == comparison].set_index("effect")
        here = here.reindex(list(EFFECTS))
        y = np.arange(len(here)) + STEP * (turn - 1.5)
        bars = 100 * _bars(here["coverage"], here["coverage_error"])
        ax.errorbar(100 * here["coverage"], y, xerr=bars, linestyle="", elinewidth=0.8, **look)
    ax.axvline(TARGET, color=style.GREY, linewidth=0.8, linestyle="--")
    ax.set_yticks(range(len(EFFECTS)), list(EFFECTS))
    ax.set(xlabel="95 % CIs that contain the truth, %", ylabel="true difference")
    ax.set_ylim(len(EFFECTS) - 0.5, -0.5)


def draw_reliability(ax: Any, reliability: pd.DataFrame) -> None:
    """Draw how often kernel PCA is truly better, by the probability of it."""
    ax.plot([0, 1], [0, 1], color=style.GREY, linewidth=0.8, linestyle="--")
    for comparison in ("raw", "pca"):
        here = reliability[reliability["comparison"] == comparison]
        bars = _bars(here["true"], here["error"])
        look = COMPARISONS[comparison]
        ax.errorbar(here["said"], here["true"], yerr=bars, linestyle="", elinewidth=0.8, **look)
    ax.set(xlabel="probability that is reported", ylabel="fraction that is true")
    ax.set_aspect("equal")


def _bars(fractions: pd.Series, errors: pd.Series) -> np.ndarray:
    """Return two standard errors to either side of fractions, up to 0 and 1."""
    return np.minimum(2 * errors, [fractions, 1 - fractions])


@style.script
def draw(effects: pd.DataFrame, reliability: pd.DataFrame) -> style.Figure:
    """Draw two panels: coverage by size of the true difference, and reliability."""
    fig, axes = style.figure(1, 2, height=2.9, width_ratios=(1.3, 1))
    draw_coverage(axes[0, 0], effects)
    draw_reliability(axes[0, 1], reliability)
    sets = effects.loc[effects["comparison"] == "score", "sets"].sum()
    fig.suptitle(f"{sets} simulated datasets")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=2)
    return fig
