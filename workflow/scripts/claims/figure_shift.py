"""Draw what is lost where the centring of new points is left out, and that of all points."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from pipeline.job import run
from pipeline.tables.metrics import METRICS
from workflow.scripts.claims.looks import draw_losses, offsets

FLOOR = 1e-3
SMALL = 0.1
SHOWN = 300
SIDES: dict[str, dict[str, Any]] = {
    "training": {"alpha": 1.0, "edgecolors": "none"},
    "new, not centred": {"alpha": 0.5, "linewidths": 0.6},
}
TITLES = {
    "new": "new points only, 5 components",
    "uncentred_few": "all points, 2 components",
    "uncentred": "all points, 5 components",
}


def draw_example(ax: Axes, example: pd.DataFrame) -> None:
    """Scatter training points as they are, full, and new ones that lack the term, hollow."""
    for side, look in SIDES.items():
        of_side = example[example["rows"] == side].head(SHOWN)
        for label, rows in of_side.groupby("label"):
            shape = style.class_style(int(str(label)))
            name = f"{side}, class {label}"
            color = shape["color"]
            points = ax.scatter(rows["first"], rows["second"], s=8, label=name, **(look | shape))
            if side != "training":
                points.set(facecolors="none", edgecolors=color)
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


def draw_cosines(ax: Axes, cosines: pd.DataFrame, datasets: list[str]) -> None:
    """Draw |cos| of the angle between the first axis and the mean, with its value in each cell."""
    kernels = list(cosines["kernel"].unique())
    table = cosines.pivot_table(index="dataset", columns="kernel", values="mean")
    table = table.reindex(index=datasets, columns=kernels)
    ax.imshow(table, cmap=style.SEQUENTIAL, vmin=0, vmax=1, aspect="auto")
    for i, dataset in enumerate(datasets):
        for j, kernel in enumerate(kernels):
            value = table.loc[dataset, kernel]
            text, color = ("–", style.BLACK) if pd.isna(value) else (f"{value:.3f}", style.BLACK)
            color = "white" if value < 0.6 else color
            ax.annotate(text, (j, i), ha="center", va="center", color=color, fontsize=6.5)
    labels = [style.kernel_style(kernel)["label"] for kernel in kernels]
    ax.set_xticks(range(len(kernels)), labels, rotation=30, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(datasets)), [style.title(name) for name in datasets])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title("|cos| of axis 1 and the mean")


def draw(
    sizes: pd.DataFrame,
    cosines: pd.DataFrame,
    losses: pd.DataFrame,
    example: pd.DataFrame,
    paths: Sequence[str],
) -> None:
    """Draw the shift of new points above with the mean direction, losses of accuracy below."""
    fig, axes = style.figure(2, 3, height=6.4, width_ratios=[1.1, 1.1, 1])
    draw_example(axes[0, 0], example)
    draw_sizes(axes[0, 1], sizes)
    draw_cosines(axes[0, 2], cosines, list(losses["dataset"].unique()))
    for ax, (treatment, title) in zip(axes[1], TITLES.items(), strict=True):
        draw_losses(
            ax, losses[losses["treatment"] == treatment], METRICS["balanced_accuracy"].margin
        )
        ax.set_title(title)
    for ax in axes[1, 1:]:
        ax.tick_params(labelleft=False)
    axes[1, 1].set_xlabel("balanced accuracy lost without centring (points)")
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
