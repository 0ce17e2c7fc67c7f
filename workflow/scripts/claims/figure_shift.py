"""Draw what new points shift by when their centring term is left out, and what that costs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from workflow.scripts.claims.looks import draw_losses, offsets
from workflow.scripts.claims.setting import MARGIN

FLOOR = 1e-3
SMALL = 0.1
SHOWN = 300
SIDES = {
    "training": {"alpha": 1.0, "s": 8, "edgecolors": "none"},
    "new, not centred": {"alpha": 0.5, "s": 8, "facecolors": "none", "linewidths": 0.6},
}


def draw_example(ax: Axes, example: pd.DataFrame) -> None:
    """Scatter training points as they are and new ones that lack the centring term."""
    for side, look in SIDES.items():
        of_side = example[example["rows"] == side].head(SHOWN)
        for label, rows in of_side.groupby("label"):
            shape = style.class_style(int(label))
            color = (
                {"edgecolors": shape["color"]}
                if "facecolors" in look
                else {"color": shape["color"]}
            )
            ax.scatter(
                rows["first"],
                rows["second"],
                marker=shape["marker"],
                label=f"{side}, class {label}",
                **(look | color),
            )
    component = int(example["component"].iloc[0])
    ax.set(xlabel="score 1", ylabel=f"score {component}", title="rings, Gaussian kernel")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=1, handletextpad=0.2)


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
    ax.set(yscale="log", xlabel="component", title="shift in standard deviations")
    ax.set_xticks(np.sort(sizes["component"].unique()))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, handletextpad=0.2)


def draw(
    sizes: pd.DataFrame, losses: pd.DataFrame, example: pd.DataFrame, paths: Sequence[str]
) -> None:
    """Draw an example, the sizes of the shift, and the losses of accuracy."""
    fig, axes = style.figure(1, 3, height=3.4, width_ratios=[1, 1.2, 1.1])
    draw_example(axes[0, 0], example)
    draw_sizes(axes[0, 1], sizes)
    draw_losses(axes[0, 2], losses, MARGIN)
    axes[0, 2].set(title="loss if only new points lack it", xlabel="balanced accuracy (points)")
    style.save(fig, paths)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        tables = [pd.read_csv(snakemake.input[name]) for name in ("sizes", "losses", "example")]
        draw(*tables, snakemake.output)
