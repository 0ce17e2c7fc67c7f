"""Draw what the width of the Gaussian kernel costs, as one map of datasets and widths."""

import numpy as np
import pandas as pd

from kpca.study.decision.sentence import number
from workflow.drawing import style
from workflow.drawing.widths import PCA, losses_by_width

WORST = 40  # hundredths below the best width, at which the scale of colours ends
DARK = 20  # hundredths from which on a number is white
ROW = 0.24  # inches
WORDS = {
    "median": "γ, in multiples of the median heuristic",
    "gamma": "γ of the Gaussian kernel",
    "sigma": "σ of the Gaussian kernel",
}


def finding(losses: pd.DataFrame, parameter: str) -> str:
    """Return between which widths no dataset loses much, with what the others lose."""
    widths = [float(width) for width in losses.columns[1:]]
    worst = {width: float(losses[width].max()) for width in widths}
    best = min(worst, key=lambda width: worst[width])
    unit = {"median": " times the median heuristic"}.get(parameter, "")
    least, largest = widths[0], widths[-1]
    return (
        f"One width nearly suits all datasets: at {best:g}{unit}, at most "
        f"{number(worst[best], 1)} points are lost. At {least:g} it is up to "
        f"{number(worst[least], 1)} points, and at {largest:g} up to "
        f"{number(worst[largest], 1)} points."
    )


@style.script
def draw(scores: pd.DataFrame, datasets: pd.DataFrame, parameter: str) -> style.Figure:
    """Draw how far PCA and each width are below the best width of a dataset, in hundredths."""
    losses = losses_by_width(scores, parameter)
    if losses.empty:
        return style.note("No dataset has labels or a target: there is no score to draw.")
    names = [name for name in datasets["dataset"] if name in losses.index]
    losses = 100 * losses.loc[names].sort_values(PCA, ascending=False, kind="stable")
    height = 0.8 + ROW * len(losses)
    fig, axes = style.figure(width=style.NARROW, height=height)
    ax = axes[0, 0]
    ax.imshow(losses.clip(lower=0), aspect="auto", cmap="Blues", vmin=0, vmax=WORST)
    for (row, column), loss in np.ndenumerate(losses.to_numpy()):
        color = style.INK
        if loss > DARK:
            color = "white"
        if np.isfinite(loss):
            ax.text(column, row, f"{abs(loss):.0f}", ha="center", va="center", color=color)
    ax.axvline(0.5, color="white", linewidth=4)
    ax.set_yticks(range(len(losses)), [style.title(str(name)) for name in losses.index])
    ax.set_xticks(range(losses.shape[1]), ["PCA", *(f"{width:g}" for width in losses.columns[1:])])
    ax.set_xlabel(WORDS[parameter])
    ax.set_title("percentage points, or 0.01 of correlation, below the best γ", loc="left")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    fig.set_label(finding(losses, parameter))
    return fig
