"""Draw how inflated training scores are, over γ and component, and what that does to an SVM."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import LogNorm

from kpca.pipeline import style
from kpca.pipeline.curves import curve

SHOWN = (1, 4, 16)
FLOOR = 1e-4
COLORS = (style.BLUE, style.ORANGE, style.VERMILION)
SCORES = {
    "train": {"color": style.BLUE, "linestyle": "--", "marker": "o", "label": "training rows"},
    "plain": {"color": style.VERMILION, "marker": "s", "label": "test rows"},
    "corrected": {"color": style.GREEN, "marker": "^", "label": "test rows, corrected"},
}
SCALINGS = {"unit": "one scale for all", "whiten": "every component to variance 1"}
MEDIAN = "multiple of the median γ"


def draw_map(fig: Any, ax: Any, ratios: pd.DataFrame) -> None:
    """Draw the measured ratio over γ and component in colour."""
    means = ratios.pivot_table(index="component", columns="multiple", values="measured")
    edges = np.arange(len(means.columns) + 1) - 0.5
    norm = LogNorm(1e-2, 1)
    drawn = ax.pcolormesh(
        edges, np.arange(len(means) + 1) + 0.5, means, norm=norm, cmap=style.SEQUENTIAL
    )
    ax.set_xticks(range(len(means.columns)), [f"{m:g}" for m in means.columns])
    ax.invert_yaxis()
    ax.set(xlabel=MEDIAN, ylabel="component", title="variance of test / training scores")
    fig.colorbar(drawn, ax=ax, extend="both", ticks=[0.01, 0.1, 1], format="%g")


def draw_estimates(ax: Any, ratios: pd.DataFrame, overlap: float) -> None:
    """Draw geometric means of what test rows show and of its estimate from training rows."""
    for component, color in zip(SHOWN, COLORS, strict=True):
        rows = ratios[ratios["component"] == component]
        for column, line in (("measured", "-"), ("estimated", "--")):
            logarithms = rows.assign(value=np.log(rows[column].clip(lower=FLOOR)))
            points = curve(logarithms, "multiple", overlap)
            mean, low, high = (np.exp(points[name]) for name in ("mean", "low", "high"))
            label = f"component {component}" if column == "measured" else None
            ax.plot(points["multiple"], mean, color=color, linestyle=line, label=label)
            if column == "measured":
                ax.fill_between(points["multiple"], low, high, color=color, alpha=0.15)
    ax.plot([], [], color=style.GREY, linestyle="--", label="estimated by folds")
    ax.axhline(1, color=style.GREY, linewidth=0.6)
    ax.set_yscale("log")
    style.plain_log(ax)
    ax.set_yticks([0.01, 0.1, 1], ["0.01", "0.1", "1"])
    ax.set(xlabel=MEDIAN, title="measured and estimated", ylim=(2e-3, 2))
    ax.legend(loc="lower left")


def draw_accuracy(ax: Any, accuracy: pd.DataFrame, overlap: float) -> None:
    """Draw the accuracy of a linear SVM on training rows, test rows, and corrected test rows."""
    for name, look in SCORES.items():
        rows = accuracy[accuracy["scores"] == name].rename(columns={"accuracy": "value"})
        points = curve(rows, "multiple", overlap)
        ax.plot(points["multiple"], points["mean"], **look)
        ax.fill_between(
            points["multiple"], points["low"], points["high"], color=look["color"], alpha=0.15
        )
    style.plain_log(ax)
    ax.set(xlabel=MEDIAN, ylim=(0, 1.03))


def draw(
    ratios: pd.DataFrame, accuracy: pd.DataFrame, overlap: float, paths: Sequence[str]
) -> None:
    """Draw the ratios above, the SVM below."""
    fig, axes = style.figure(2, 2, height=4.8)
    draw_map(fig, axes[0, 0], ratios)
    draw_estimates(axes[0, 1], ratios, overlap)
    for ax, (scaling, title) in zip(axes[1], SCALINGS.items(), strict=True):
        draw_accuracy(ax, accuracy[accuracy["scaling"] == scaling], overlap)
        ax.set_title(f"linear SVM, {title}")
    axes[1, 0].set_ylabel("accuracy")
    axes[1, 0].legend(loc="lower left")
    style.save(fig, paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        tables = [pd.read_csv(snakemake.input[name]) for name in ("ratios", "accuracy")]
        sizes = snakemake.params.arguments
        draw(*tables, sizes["n_test"] / sizes["n_train"], snakemake.output)
