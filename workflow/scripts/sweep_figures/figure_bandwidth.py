"""Draw the score lost at each width of the Gaussian kernel, as one map of datasets and widths."""

import pandas as pd

from workflow.drawing import style
from workflow.drawing.losses import (
    PCA,
    draw_losses,
    in_hundredths,
    largest_loss,
    losses_by_width,
    metrics_of,
)

WORDS = {
    "median": "γ, in multiples of the median heuristic",
    "gamma": "γ of the Gaussian kernel",
    "sigma": "σ of the Gaussian kernel",
}


def finding(losses: pd.DataFrame, metrics: pd.Series, parameter: str) -> str:
    """Return a sentence: the width with the smallest worst loss, and the losses at both ends.

    ``losses`` come from `losses_by_width`, and ``metrics`` from `metrics_of`.
    """
    losses = losses.drop(columns=PCA)
    safest = losses.max().idxmin()
    least = losses.columns[0]
    largest = losses.columns[-1]
    unit = {"median": " times the median heuristic"}.get(parameter, "")
    return (
        f"At {safest:g}{unit}, at most {largest_loss(losses[[safest]], metrics)} are lost. "
        f"At {least:g} it is up to {largest_loss(losses[[least]], metrics)}, and at {largest:g} "
        f"up to {largest_loss(losses[[largest]], metrics)}."
    )


@style.script
def draw(scores: pd.DataFrame, datasets: pd.DataFrame, parameter: str) -> style.Figure:
    """Draw how far PCA and each width are below the best width of a dataset, in hundredths."""
    losses = losses_by_width(scores, parameter)
    if losses.empty:
        return style.note("No dataset has labels or a target: there is no score to draw.")
    widths = [f"{width:g}" for width in losses.columns[1:]]
    fig = draw_losses(in_hundredths(losses, datasets), ["PCA", *widths], "γ")
    fig.axes[0].set_xlabel(WORDS[parameter])
    fig.set_label(finding(losses, metrics_of(scores), parameter))
    return fig
