"""Draw the score lost at each width of the Gaussian kernel, as one map of datasets and widths."""

import pandas as pd

from kpca.study.decision.record import number
from workflow.drawing import style
from workflow.drawing.losses import PCA, draw_losses, in_hundredths, losses_by_width

WORDS = {
    "median": "γ, in multiples of the median heuristic",
    "gamma": "γ of the Gaussian kernel",
    "sigma": "σ of the Gaussian kernel",
}


def finding(losses: pd.DataFrame, parameter: str) -> str:
    """Return a sentence: the width with the smallest worst loss, and the losses at both ends."""
    worst = losses.drop(columns=PCA).max()
    least = worst.index[0]
    largest = worst.index[-1]
    unit = {"median": " times the median heuristic"}.get(parameter, "")
    return (
        f"At {worst.idxmin():g}{unit}, at most {number(worst.min(), 1)} points are lost. "
        f"At {least:g} it is up to {number(worst[least], 1)} points, and at {largest:g} up to "
        f"{number(worst[largest], 1)} points."
    )


@style.script
def draw(scores: pd.DataFrame, datasets: pd.DataFrame, parameter: str) -> style.Figure:
    """Draw how far PCA and each width are below the best width of a dataset, in hundredths."""
    losses = losses_by_width(scores, parameter)
    if losses.empty:
        return style.note("No dataset has labels or a target: there is no score to draw.")
    losses = in_hundredths(losses, datasets)
    widths = [f"{width:g}" for width in losses.columns[1:]]
    fig = draw_losses(losses, ["PCA", *widths], "γ")
    fig.axes[0].set_xlabel(WORDS[parameter])
    fig.set_label(finding(losses, parameter))
    return fig
