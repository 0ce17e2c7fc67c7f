"""Draw how the variance is spread over the components of fits at the median γ."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from kpca.study.fitting.fitted_models import components_for
from workflow.drawing import display_choice, style
from workflow.drawing.display_choice import Points, read_sweep

# Preferred kernels; others replace missing ones. More than two would hide one another.
SPECTRUM = ("linear", "rbf")
SHOWN = ("rings", "iris", "wine", "digits")  # preferred datasets; others replace missing ones
SHARE = 0.9  # fraction of the variance that is marked
NAMES = {"linear": "PCA"}


def draw_family(ax: Axes, ratio: np.ndarray, kernel: str) -> None:
    """Draw the cumulative explained variance, and mark how many components reach `SHARE`."""
    look = style.kernel_style(kernel)
    name = NAMES.get(kernel, look["label"])
    total = np.cumsum(ratio)
    ax.plot(np.arange(1, len(ratio) + 1), total, color=look["color"], label=name)
    if total[-1] < SHARE - 1e-12:
        return
    enough = components_for(SHARE, ratio)
    height = total[enough - 1]
    ax.plot(enough, height, linestyle="", marker=look["marker"], color=look["color"])
    ax.annotate(str(enough), (enough, height), (0, 4), textcoords="offset points", ha="center")


@style.script
def spectrum(datasets: Sequence[str], fits: Sequence[str], points: Points) -> style.Figure:
    """Draw the explained variance by number of components in replicate 0, one panel per dataset."""
    sweep = {swept.dataset.name: swept for swept in read_sweep(datasets, fits, points)}
    names = display_choice.preferred(sweep, SHOWN, len(SHOWN))
    fig, axes = style.panels(len(names), columns=len(SHOWN), height=1.7, sharey=True)
    for name, ax in zip(names, axes, strict=True):
        swept = sweep[name]
        ax.axhline(SHARE, color=style.GREY, linewidth=0.5, linestyle=":", zorder=0)
        for kernel in display_choice.preferred(swept.grid, SPECTRUM, 2):
            model = swept.model(display_choice.shown_point(swept.grid[kernel], []))
            draw_family(ax, model.explained_variance_ratio_, kernel)
        ax.set(ylim=(0, 1.12), title=style.title(name))
        style.plain_log(ax)
    axes[0].set_yticks([0, 0.5, SHARE, 1])
    handles = style.distinct_handles(axes)
    style.legend_above(fig, handles, columns=len(handles))
    fig.supxlabel("number of components")
    fig.supylabel("explained variance, fraction")
    return fig
