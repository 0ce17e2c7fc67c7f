"""Draw what the width of the Gaussian kernel costs, as one map of datasets and widths."""

import pandas as pd

from kpca.study.decision.record import number
from workflow.drawing import style
from workflow.drawing.losses import PCA, draw_losses, losses_by_width

WORDS = {
    "median": "γ, in multiples of the median heuristic",
    "gamma": "γ of the Gaussian kernel",
    "sigma": "σ of the Gaussian kernel",
}


def finding(losses: pd.DataFrame, parameter: str) -> str:
    """Return at which width no dataset loses much, with what the least and the largest lose."""
    widths = [float(width) for width in losses.columns.drop(PCA)]
    worst = {width: float(losses[width].max()) for width in widths}
    best = min(worst, key=lambda width: worst[width])
    least, largest = widths[0], widths[-1]
    unit = {"median": " times the median heuristic"}.get(parameter, "")
    return (
        f"At {best:g}{unit}, at most {number(worst[best], 1)} points are lost. At {least:g} it is "
        f"up to {number(worst[least], 1)} points, and at {largest:g} up to "
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
    widths = [f"{width:g}" for width in losses.columns[1:]]
    fig = draw_losses(losses.set_axis(["PCA", *widths], axis=1), [1], style.NARROW)
    fig.axes[0].set_xlabel(WORDS[parameter])
    fig.axes[0].set_title("percentage points, or 0.01 of correlation, below the best γ", loc="left")
    fig.set_label(finding(losses, parameter))
    return fig
