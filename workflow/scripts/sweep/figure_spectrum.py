"""Draw scree and cumulative variance, with the shares of 80 and 90 % and the chosen number."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from pipeline.drawing import style
from pipeline.drawing.display_choice import by_family, points_by_id, shown_point
from pipeline.fitted_models import components_for
from pipeline.store import entry_name, read_entry

COLUMNS = 3
SHARES = (0.8, 0.9)
DODGE = 1.08
FAMILIES = 2  # more would hide one another


def shown_families(families: Sequence[str]) -> list[str]:
    """Return the families that are drawn: the linear and the Gaussian kernel, else the first."""
    preferred = [kernel for kernel in ("linear", "rbf") if kernel in families]
    others = [kernel for kernel in families if kernel not in preferred]
    return [*preferred, *others][:FAMILIES]


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


def variance_ratios(
    fits: Sequence[str], points: Mapping[str, Sequence[dict[str, Any]]]
) -> dict[str, dict[str, np.ndarray]]:
    """Return dataset → kernel → explained-variance ratios of replicate 0 at the median γ."""
    grid = points_by_id(points)
    ratios: dict[str, dict[str, np.ndarray]] = {}
    for dataset, families in by_family(fits).items():
        for kernel in shown_families(list(families)):
            name = entry_name(shown_point(grid[kernel], []), 0)
            entry = read_entry(families[kernel], name)
            ratios.setdefault(dataset, {})[kernel] = entry["explained_variance_ratio_"]
    return ratios


@style.script
def draw(fits: Sequence[str], points: Mapping[str, Sequence[dict[str, Any]]]) -> style.Figure:
    """Draw one panel a dataset."""
    ratios = variance_ratios(fits, points)
    fig, axes = style.panels(len(ratios), columns=COLUMNS, height=1.6, sharey=True)
    for ax, (dataset, families) in zip(axes, ratios.items(), strict=True):
        for share in SHARES:
            ax.axhline(share, color=style.GREY, linewidth=0.5, linestyle=":", zorder=0)
        lines = [
            draw_family(ax, ratio, kernel, place)
            for place, (kernel, ratio) in enumerate(families.items())
        ]
        ax.set(ylim=(0, 1.04), title="\n".join([style.title(dataset), *lines]))
        style.plain_log(ax)
        ax.set_yticks([0, 0.5, *SHARES])
    handles = {h.get_label(): h for ax in axes for h in ax.get_legend_handles_labels()[0]}
    style.legend_above(fig, [*handles.values()], columns=len(handles))
    fig.supxlabel("component, or number of components", fontsize=8)
    fig.supylabel("explained variance ratio", fontsize=8)
    return fig
