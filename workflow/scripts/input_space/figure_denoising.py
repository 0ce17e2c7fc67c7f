"""Draw the error of denoised digits against the number of components."""

from typing import Any

import pandas as pd

from pipeline.drawing import style
from pipeline.tables.statistics import curve
from workflow.scripts.input_space.denoising import N_TEST, N_TRAIN

LOOKS: dict[str, dict[str, Any]] = {
    "none": {"color": style.GREY, "marker": "x", "label": "noisy"},
    "pca": {"color": style.BLACK, "marker": "o", "label": "PCA"},
    "fixed_point": {"color": style.BLUE, "marker": "s", "label": "kernel PCA, fixed point"},
    "mds": {"color": style.ORANGE, "marker": "^", "label": "kernel PCA, distances"},
    "ridge": {"color": style.GREEN, "marker": "D", "label": "kernel PCA, ridge"},
}
TITLES = {"gaussian": "Gaussian noise", "speckle": "speckle"}


def draw_sizes(ax: Any, rows: pd.DataFrame) -> None:
    """Draw the mean squared error over the number of components, with 95 % bands."""
    of_all = rows.rename(columns={"mse": "value"})
    for method, look in LOOKS.items():
        of_method = of_all[of_all["method"] == method]
        if method == "none":
            level = of_method["value"].mean()
            ax.axhline(level, ls=":", lw=1, color=look["color"], label=look["label"])
            continue
        points = curve(of_method, "n_components", N_TEST / N_TRAIN)
        ax.plot(points["n_components"], points["mean"], **look)
        ax.fill_between(
            points["n_components"], points["low"], points["high"], color=look["color"], alpha=0.15
        )
    ax.set_xscale("log", base=2)
    sizes = sorted(set(of_all["n_components"]) - {0})
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.set_xticks([], minor=True)
    ax.set(xlabel="number of components m", ylabel="mean squared error", ylim=(0, None))


@style.script
def draw(digits: pd.DataFrame) -> style.Figure:
    """Draw one panel a noise."""
    fig, axes = style.figure(1, 2, height=2.7)
    for ax, (noise, title) in zip(axes[0], TITLES.items(), strict=True):
        draw_sizes(ax, digits[digits["noise"] == noise])
        ax.set_title(f"{title} (own scale)")
    style.legend_above(fig, *axes[0, 0].get_legend_handles_labels(), columns=3)
    return fig
