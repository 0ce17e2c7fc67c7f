"""Draw scree and cumulative variance, with the shares of 80 and 90 % and the chosen number."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from pipeline.drawing import style
from pipeline.drawing.display_choice import Swept, of_sweep, preferred, shown_point
from pipeline.fitted_models import components_for

COLUMNS = 3
SHARES = (0.8, 0.9)
DODGE = 1.08
FAMILIES = ("linear", "rbf")  # else the first; more would hide one another


def draw_family(ax: Axes, ratio: np.ndarray, kernel: str, place: int) -> str:
    """Draw ratios as stems and their sum as a line, and return what reaches 80 and 90 %."""
    look = style.kernel_style(kernel)
    color = look["color"]
    k, total = np.arange(1, len(ratio) + 1), np.cumsum(ratio)
    beside = DODGE ** (place - 0.5)
    ax.vlines(k * beside, 0, ratio, color=color, linewidth=1.4, alpha=0.6)
    ax.plot(k, total, color=color, label=look["label"])
    enough = [components_for(share, ratio) for share in SHARES if total[-1] >= share - 1e-12]
    ax.plot(
        enough, total[np.array(enough, dtype=int) - 1], color=color, marker=look["marker"], ls=""
    )
    reached = (f"{100 * s:.0f} %: {k}" for s, k in zip(SHARES, enough, strict=False))
    return f"{look['label']} " + (", ".join(reached) or "below 80 %")


@style.script
@of_sweep
def draw(sweep: Sequence[Swept]) -> style.Figure:
    """Draw one panel a dataset, of replicate 0 at the median γ."""
    fig, axes = style.panels(len(sweep), columns=COLUMNS, height=1.6, sharey=True)
    for ax, swept in zip(axes, sweep, strict=True):
        for share in SHARES:
            ax.axhline(share, color=style.GREY, linewidth=0.5, linestyle=":", zorder=0)
        lines = [style.title(swept.dataset.name)]
        for place, kernel in enumerate(preferred(swept.grid, FAMILIES, 2)):
            model = swept.model(shown_point(swept.grid[kernel], []))
            lines.append(draw_family(ax, model.explained_variance_ratio_, kernel, place))
        ax.set(ylim=(0, 1.04), title="\n".join(lines))
        style.plain_log(ax)
        ax.set_yticks([0, 0.5, *SHARES])
    handles = {h.get_label(): h for ax in axes for h in ax.get_legend_handles_labels()[0]}
    style.legend_above(fig, [*handles.values()], columns=len(handles))
    fig.supxlabel("component, or number of components", fontsize=8)
    fig.supylabel("explained variance ratio", fontsize=8)
    return fig
