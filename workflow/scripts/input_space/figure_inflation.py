"""Draw how inflated training scores are, over γ and component, and what that does to an SVM."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import LogNorm
from matplotlib.lines import Line2D

from pipeline.drawing import style
from pipeline.drawing.curves import curve
from pipeline.tables.metrics import METRICS

SHOWN = (1, 4, 16)
FLOOR = 1e-4
COLORS = (style.BLUE, style.ORANGE, style.VERMILION)
SCALINGS = {"unit": "one scale for all", "whiten": "each to variance 1"}
MEDIAN = "multiple of the median γ"
SIZES = (
    {"color": style.SKY, "marker": "o"},
    {"color": style.ORANGE, "marker": "^"},
    {"color": style.BLACK, "marker": "s"},
)
SHIFT = 1.09  # between neighbouring marks
VERDICTS = {"holds": "full", "undecided": "bottom", "fails": "none"}  # how a mark is filled
MARK = {"linestyle": "none", "markersize": 4.5, "markeredgewidth": 0.8}
POINTS = (-5, -2, 0, 1, 2, 5, 10, 20, 50)


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


def draw_estimates(ax: Any, ratios: pd.DataFrame) -> None:
    """Draw geometric means of what test rows show and of its estimate from training rows."""
    for component, color in zip(SHOWN, COLORS, strict=True):
        rows = ratios[ratios["component"] == component]
        for column, line in (("measured", "-"), ("estimated", "--")):
            logarithms = rows.assign(value=np.log(rows[column].clip(lower=FLOOR)))
            points = curve(logarithms, "multiple", None)
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


def draw_gains(ax: Any, gains: pd.DataFrame) -> None:
    """Draw what the correction adds, in percentage points; filled where it holds."""
    sizes = sorted(gains["n_components"].unique())
    for place, (m, look) in enumerate(zip(sizes, SIZES, strict=False)):
        rows = gains[gains["n_components"] == m]
        x = rows["multiple"] * SHIFT ** (place - (len(sizes) - 1) / 2)  # none hides another
        gain, low, high = (100 * rows[name] for name in ("gain", "low", "high"))
        ax.vlines(x, low, high, color=look["color"], linewidth=0.8)
        ax.plot(x, gain, color=look["color"], linewidth=0.5, alpha=0.5)
        for found, fill in VERDICTS.items():
            marked = (rows["verdict"] == found).to_numpy()
            ax.plot(x[marked], gain[marked], color="white", zorder=3, marker=look["marker"], **MARK)
            ax.plot(x[marked], gain[marked], fillstyle=fill, zorder=3, **look, **MARK)
        ax.plot([], [], label=f"{m} components", **look, **MARK)
    margin = METRICS["balanced_accuracy"].margin
    ax.axhline(100 * margin, color=style.GREY, linewidth=0.6, linestyle=":")
    ax.axhline(0, color=style.GREY, linewidth=0.6)
    style.plain_log(ax)
    ax.set_yscale("symlog", linthresh=2)
    ax.set_yticks(POINTS, [f"{value:+d}" if value else "0" for value in POINTS], minor=False)
    ax.set_yticks([], minor=True)
    ax.set(xlabel=MEDIAN, ylim=(-6, 60))


def draw(ratios: pd.DataFrame, gains: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw the ratios above, below what their correction adds to a linear SVM."""
    fig, axes = style.figure(2, 2, height=4.8)
    draw_map(fig, axes[0, 0], ratios)
    draw_estimates(axes[0, 1], ratios)
    for ax, (scaling, title) in zip(axes[1], SCALINGS.items(), strict=True):
        draw_gains(ax, gains[gains["scaling"] == scaling])
        ax.set_title(f"linear SVM, {title}")
    axes[1, 0].set_ylabel("gain by correction [points]")
    axes[1, 0].legend(loc="upper left")
    handles = [
        Line2D([], [], color=style.GREY, marker="o", fillstyle=fill, label=label, **MARK)
        for label, fill in VERDICTS.items()
    ]
    axes[1, 1].legend(
        handles=handles,
        loc="upper left",
        title="gain beyond a point",
        title_fontsize=7,
        alignment="left",
        ncols=3,
        columnspacing=1.0,
    )
    style.save(fig, paths)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        draw(*(pd.read_csv(snakemake.input[n]) for n in ("ratios", "gains")), snakemake.output)
