"""Draw the explained variance of fits, and what a second sample shows of the final model."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from kpca.inspection.reproducibility import COMES_BACK
from kpca.study.decision.second_sample import FINAL, coming_back
from kpca.study.fitting.fitted_models import components_for
from workflow.drawing import display_choice, style
from workflow.drawing.display_choice import Points, read_sweep

SPECTRUM = ("linear", "rbf")  # else the first; more would hide one another
PAIRED = 4  # panels of a row, two per dataset
BAND: dict[str, Any] = {"color": style.BLUE, "alpha": 0.2, "linewidth": 0}
BAND |= {"label": "95 % interval for a second sample"}
SHARES = (0.8, 0.9)
DODGE = 1.08


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


def draw_coming_back(ax: Axes, components: pd.DataFrame, m: int) -> None:
    """Draw what a second sample shows of the first j components, and what comes back of m."""
    final = components[components["setting"] == FINAL]
    if final.empty:  # of a precomputed kernel, or of one that cannot be saved
        ax.set(title="not known", xlim=(1, 10))
        return
    j = final["component"]
    ax.fill_between(j, final["at_least"], final["at_most"].fillna(1), **BAND)
    ax.plot(j, final["half"], color=style.GREY, linestyle="--", label="between halves")
    ax.plot(j, final["estimate"], color=style.BLUE, marker="o", markersize=3, label="estimate")
    ax.axhline(COMES_BACK, color=style.GREY, linewidth=0.5, linestyle=":", zorder=0)
    if count := coming_back(components, m):
        ax.axvline(count, color=style.VERMILION, linewidth=1.0, label="last that comes back")
    ax.set_title(f"final model:\n{count} of {m} back")


@style.script
def spectrum(
    datasets: Sequence[str],
    fits: Sequence[str],
    points: Points,
    components: pd.DataFrame,
    decisions: pd.DataFrame,
) -> style.Figure:
    """Draw two panels per dataset: scree with cumulative variance, and what comes back.

    The first is of replicate 0 at the median γ, with the shares of 80 and 90 %. The second is of
    the final model.
    """
    sweep = read_sweep(datasets, fits, points)
    fig, axes = style.panels(2 * len(sweep), columns=PAIRED, height=1.6, sharey=True)
    chosen = decisions.set_index(decisions["dataset"].astype(str))["n_components"]
    for swept, ax, beside in zip(sweep, axes[::2], axes[1::2], strict=True):
        name = swept.dataset.name
        for share in SHARES:
            ax.axhline(share, color=style.GREY, linewidth=0.5, linestyle=":", zorder=0)
        lines = [style.title(name)]
        for place, kernel in enumerate(display_choice.preferred(swept.grid, SPECTRUM, 2)):
            model = swept.model(display_choice.shown_point(swept.grid[kernel], []))
            lines.append(draw_family(ax, model.explained_variance_ratio_, kernel, place))
        ax.set(ylim=(0, 1.04), title="\n".join(lines))
        mine = components[components["dataset"].astype(str) == name]
        draw_coming_back(beside, mine, int(chosen[name]))
        for panel in (ax, beside):
            style.plain_log(panel)
        ax.set_yticks([0, 0.5, *SHARES])
    handles = {h.get_label(): h for ax in axes for h in ax.get_legend_handles_labels()[0]}
    style.legend_above(fig, [*handles.values()], columns=len(handles))
    fig.supxlabel("component, or number of components", fontsize=8)
    fig.supylabel("variance ratio, or part", fontsize=8)
    return fig
