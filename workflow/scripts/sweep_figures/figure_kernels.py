"""Draw the loss of score by each kernel and number of components, for each dataset, as a map."""

from collections.abc import Sequence

import pandas as pd

from workflow.drawing import style
from workflow.drawing.losses import (
    PCA,
    draw_losses,
    in_hundredths,
    largest_loss,
    losses_by_kernel,
    metrics_of,
)


def finding(losses: pd.DataFrame, metrics: pd.Series) -> str:
    """Return sentences: which kernel has the smallest worst loss, and what few and many m lose.

    ``losses`` come from `losses_by_kernel`, and ``metrics`` from `metrics_of`.
    """
    losses = losses.drop(columns=PCA, errors="ignore")
    kernels = [name for name in losses if isinstance(name, str)]
    sizes = losses.drop(columns=kernels)
    labels = [style.kernel_style(name)["label"] for name in kernels]
    safest_loss = largest_loss(losses[kernels[:1]], metrics)
    text = f"The {labels[0]} kernel loses at most {safest_loss} below the best."
    if len(kernels) > 1:
        text = (
            f"The {labels[0]} kernel loses least: at most {safest_loss}, compared with "
            f"{largest_loss(losses[kernels[-1:]], metrics)} for the {labels[-1]} kernel."
        )
    if sizes.empty:  # Too few rows for any of the numbers of components.
        return text
    few = sizes.columns[0]
    many = sizes.columns[-1]
    text += f" With {many} components at most {largest_loss(sizes[[many]], metrics)} are lost"
    has_many = int(sizes[many].notna().sum())
    if has_many < len(sizes):
        text += f" on {has_many} dataset{'s' * (has_many > 1)}"
    if few != many:
        text += f", and with {few} up to {largest_loss(sizes[[few]], metrics)}"
    return f"{text}."


@style.script
def draw(scores: pd.DataFrame, datasets: pd.DataFrame, sizes: Sequence[int]) -> style.Figure:
    """Draw how far PCA, kernels and numbers of components are below the best, in hundredths."""
    losses = losses_by_kernel(scores, sizes)
    if losses.empty:
        return style.note("No dataset has labels or a target: there is no score to draw.")
    if losses.isna().all(axis=None):
        return style.note("The grid has no kernel other than the linear one: there is no choice.")
    shown = in_hundredths(losses, datasets)
    sized = [name for name in shown if not isinstance(name, str)]
    kernels = [style.kernel_style(name)["label"] for name in shown if name not in sized]
    fig = draw_losses(shown, [*kernels, *(f"m = {size}" for size in sized)], "choice")
    ax = fig.axes[0]
    ax.axvline(len(kernels) - 0.5, color="white", linewidth=4)
    ax.tick_params(axis="x", rotation=30)
    fig.set_label(finding(losses, metrics_of(scores)))
    return fig
