"""Draw what is lost if the centring term of new points is left out."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from workflow.scripts.claims.plot_style import LOST, RINGS, draw_intervals, offsets, whole_row

FLOOR = 1e-3
SMALL = 0.1
SHOWN = 150  # rows of a class


def draw_example(ax: Axes, example: pd.DataFrame) -> None:
    """Scatter training points as they are, full, and new ones that lack the term, hollow."""
    for (side, label), rows in example.groupby(["rows", "label"], sort=False):
        c = int(str(label))
        look = style.class_style(c)
        color = look.pop("color")
        look |= {"facecolors": color if side == "training" else "none", "edgecolors": color}
        rows = rows.head(SHOWN)
        look |= {"s": 8, "linewidths": 0.6, "label": f"{RINGS[c]}, {side}"}
        ax.scatter(rows["first"], rows["second"], **look)
    component = int(example["component"].iloc[0])
    ax.set(xlabel="score 1", ylabel=f"score {component}", title="rings, Gaussian kernel")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), handletextpad=0.2)


def draw_sizes(ax: Axes, sizes: pd.DataFrame) -> None:
    """Draw the shift of every component, a mark a dataset, and their median."""
    places = offsets(list(sizes["kernel"].unique()))
    for kernel, rows in sizes.groupby("kernel", sort=False):
        look = style.kernel_style(str(kernel))
        shown = rows[rows["mean"] > FLOOR]
        x = shown["component"] + places[str(kernel)]
        ax.plot(x, shown["mean"], linestyle="", alpha=0.7, **look)
        medians = shown.groupby("component")["mean"].median()
        at = medians.index.to_numpy() + places[str(kernel)]
        ax.hlines(medians, at - 0.09, at + 0.09, color=style.BLACK, linewidth=1.2)
    ax.axhline(SMALL, color=style.GREY, linestyle=":", linewidth=0.8)
    ax.set(yscale="log", xlabel="component", ylabel="shift (standard deviations)")
    ax.set(title="seven datasets; bars: medians")
    ax.set_xticks(np.sort(sizes["component"].unique()))


@style.script
def draw(sizes: pd.DataFrame, losses: pd.DataFrame, example: pd.DataFrame) -> style.Figure:
    """Draw an example and the size of the shift above, and losses of accuracy below."""
    fig, axes = style.figure(2, 2, height=5.6, width_ratios=[1, 1.25])
    draw_example(axes[0, 0], example)
    draw_sizes(axes[0, 1], sizes)
    below = whole_row(axes, 1)
    draw_intervals(below, losses[losses["treatment"] == "new"])
    below.set_xlabel(LOST)
    fig.legend(*axes[0, 1].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return fig
