"""Draw the loss of score by each kernel and number of components, for each dataset, as a map."""

from collections.abc import Sequence

import pandas as pd

from kpca.study.decision.record import number
from workflow.drawing import style
from workflow.drawing.losses import PCA, draw_losses, in_hundredths, losses_by_kernel


def finding(losses: pd.DataFrame) -> str:
    """Return sentences: which kernel has the smallest worst loss, and what few and many m lose."""
    worst = losses.drop(columns=PCA, errors="ignore").max()
    by_kernel = worst[[isinstance(name, str) for name in worst.index]]
    by_size = worst.drop(by_kernel.index)
    labels = [style.kernel_style(name)["label"] for name in by_kernel.index]
    few = by_size.index[0]
    many = by_size.index[-1]
    best = number(by_kernel.min(), 1)
    most_lost = number(by_size[many], 1)
    kernels = f"The {labels[0]} kernel loses at most {best} points below the best."
    if len(labels) > 1:
        worst_kernel = f"{number(by_kernel.max(), 1)} of the {labels[-1]} kernel"
        kernels = (
            f"The {labels[0]} kernel loses least: at most {best} points below the best, compared "
            f"with {worst_kernel}."
        )
    sizes = f"With {many} components at most {most_lost} points are lost"
    if few != many:
        sizes += f", and with {few} up to {number(by_size[few], 1)}"
    return f"{kernels} {sizes}."


@style.script
def draw(scores: pd.DataFrame, datasets: pd.DataFrame, sizes: Sequence[int]) -> style.Figure:
    """Draw how far PCA, kernels and numbers of components are below the best, in hundredths."""
    losses = losses_by_kernel(scores, sizes)
    if losses.empty:
        return style.note("No dataset has labels or a target: there is no score to draw.")
    if losses.isna().all(axis=None):
        return style.note("The grid has no kernel other than the linear one: there is no choice.")
    losses = in_hundredths(losses, datasets)
    sized = [name for name in losses if not isinstance(name, str)]
    kernels = [style.kernel_style(name)["label"] for name in losses if name not in sized]
    fig = draw_losses(losses, [*kernels, *(f"m = {size}" for size in sized)], "choice")
    ax = fig.axes[0]
    ax.axvline(len(kernels) - 0.5, color="white", linewidth=4)
    ax.tick_params(axis="x", rotation=30)
    fig.set_label(finding(losses))
    return fig
