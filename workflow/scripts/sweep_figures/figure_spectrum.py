"""Draw how the variance is spread over the components of fits at the median γ."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from kpca.study.fitting.fitted_models import components_for
from workflow.drawing import display_choice, style
from workflow.drawing.display_choice import Points, read_sweep

# Preferred kernels; others replace missing ones. More than two would hide one another.
SPECTRUM = ("linear", "rbf")
SHOWN = ("rings", "iris", "wine", "digits")  # preferred datasets; others replace missing ones
SHARE = 0.9  # fraction of the variance that is marked
NAMES = {"linear": "PCA"}


def name_of(kernel: str) -> str:
    """Return the name of a kernel in the legend: the linear one is PCA."""
    return NAMES.get(kernel, style.kernel_style(kernel)["label"])


def draw_family(ax: Axes, ratio: np.ndarray, kernel: str) -> float:
    """Draw the cumulative explained variance, and mark how many components reach `SHARE`.

    The number of these components is returned. It is NaN if all components keep less.
    """
    look = style.kernel_style(kernel)
    total = np.cumsum(ratio)
    ax.plot(np.arange(1, len(ratio) + 1), total, color=look["color"], label=name_of(kernel))
    if total[-1] < SHARE - 1e-12:
        return np.nan
    enough = components_for(SHARE, ratio)
    height = total[enough - 1]
    ax.plot(enough, height, linestyle="", marker=look["marker"], color=look["color"])
    ax.annotate(str(enough), (enough, height), (0, 4), textcoords="offset points", ha="center")
    return enough


def finding(counts: pd.DataFrame) -> str:
    """Return a sentence: on how many datasets the second kernel needs more components.

    ``counts`` has the results of `draw_family`, with datasets in rows and kernels in columns. The
    sentence is empty if there is nothing to compare.
    """
    both = counts.dropna()
    if counts.shape[1] < 2 or both.empty:
        return ""
    first, second = map(str, counts)
    more = (both[second] > both[first]).sum()
    return (
        f"To keep {100 * SHARE:g} % of the variance, the {name_of(second)} kernel needs more "
        f"components than {name_of(first)} on {more} of {len(both)} datasets."
    )


@style.script
def spectrum(datasets: Sequence[str], fits: Sequence[str], points: Points) -> style.Figure:
    """Draw the explained variance by number of components in replicate 0, one panel per dataset."""
    sweep = {swept.dataset.name: swept for swept in read_sweep(datasets, fits, points)}
    names = display_choice.preferred(sweep, SHOWN, len(SHOWN))
    fig, axes = style.panels(len(names), columns=len(SHOWN), height=1.7, sharey=True)
    counts: dict[str, dict[str, float]] = {}
    for name, ax in zip(names, axes, strict=True):
        swept = sweep[name]
        ax.axhline(SHARE, color=style.GREY, linewidth=0.5, linestyle=":", zorder=0)
        counts[name] = {}
        for kernel in display_choice.preferred(swept.grid, SPECTRUM, 2):
            model = swept.model(display_choice.shown_point(swept.grid[kernel], []))
            counts[name][kernel] = draw_family(ax, model.explained_variance_ratio_, kernel)
        ax.set(ylim=(0, 1.12), title=style.title(name))
        style.plain_log(ax)
    axes[0].set_yticks([0, 0.5, SHARE, 1])
    handles = style.distinct_handles(axes)
    style.legend_above(fig, handles, columns=len(handles))
    fig.supxlabel("number of components")
    fig.supylabel("explained variance, fraction")
    fig.set_label(finding(pd.DataFrame(counts).T))
    return fig
