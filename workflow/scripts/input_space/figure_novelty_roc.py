"""Draw ROC curves of novelty detectors, and the area under them over γ."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.lines import Line2D

from pipeline.drawing import style
from pipeline.drawing.curves import curve
from pipeline.job import run
from workflow.scripts.input_space.looks import DETECTORS

COMPARED = [name for name in DETECTORS if name != "t_squared"]
TITLES = {
    "breast cancer": "breast cancer: benign are ordinary",
    "digits": "digits: each in turn is ordinary",
}


def overlap(areas: pd.DataFrame) -> float:
    """Return n_test/n_train of the ordinary rows, whose splits are re-drawn."""
    return float((areas["n_test"] / areas["n_train"]).mean())


def means(areas: pd.DataFrame) -> pd.DataFrame:
    """Return the mean area over the ordinary classes of each replicate, as ``value``."""
    keys = ["detector", "multiple", "replicate"]
    return areas.groupby(keys)["auc"].mean().rename("value").reset_index()


def draw_curves(ax: Any, curves: pd.DataFrame, areas: pd.DataFrame) -> None:
    """Draw the mean curve of the detectors at the median γ, and write its area."""
    at_median, ratio = means(areas[areas["multiple"] == 1]), overlap(areas)
    for place, name in enumerate(reversed(COMPARED)):
        color = DETECTORS[name]["color"]
        mean = curves[curves["detector"] == name].groupby("false")["true"].mean()
        ax.plot(mean.index, mean, color=color)
        area = curve(at_median[at_median["detector"] == name], "multiple", ratio).iloc[0]
        half = (area["high"] - area["low"]) / 2
        text = f"{area['mean']:.3f} ± {half:.3f}"
        ax.annotate(
            text, (0.97, 0.04 + 0.085 * place), xycoords="axes fraction", color=color, ha="right"
        )
    ax.annotate("area", (0.97, 0.04 + 0.085 * len(COMPARED)), xycoords="axes fraction", ha="right")
    ax.set(xlim=(0, 0.4), ylim=(0.2, 1.01))
    ax.set(xlabel="ordinary rows called novel", ylabel="novel rows found")
    ax.set_box_aspect(1)


def draw_areas(ax: Any, areas: pd.DataFrame, names: Sequence[str]) -> None:
    """Draw the area over the multiple of the median γ; a detector without γ is a line."""
    ratio, values = overlap(areas), means(areas)
    for name in names:
        look = DETECTORS[name]
        points = curve(values[values["detector"] == name], "multiple", ratio)
        if len(points) == 1:
            ax.axhline(points["mean"].iloc[0], color=look["color"], linewidth=1)
            bounds = points["low"].iloc[0], points["high"].iloc[0]
            ax.axhspan(*bounds, color=look["color"], alpha=0.08, linewidth=0)
            continue
        ax.plot(points["multiple"], points["mean"], **look)
        ax.fill_between(
            points["multiple"], points["low"], points["high"], color=look["color"], alpha=0.15
        )
    style.plain_log(ax)
    ax.set(xlabel="multiple of the median γ")


def draw(areas: pd.DataFrame, curves: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw one row a dataset."""
    fig, axes = style.figure(2, 3, height=5.1, width_ratios=[1.15, 1, 0.7])
    for row, (data, title) in zip(axes, TITLES.items(), strict=True):
        of_data = areas[areas["data"] == data]
        draw_curves(row[0], curves[curves["data"] == data], of_data)
        draw_areas(row[1], of_data, COMPARED)
        draw_areas(row[2], of_data, ["residual", "t_squared"])
        row[0].set_title(title, loc="left")
        row[1].set(ylabel="area under the curve", ylim=(0.9, 1.0))
        row[2].set(ylim=(0, 1.02))
    handles = [Line2D([], [], **look) for look in DETECTORS.values()]
    fig.legend(handles=handles, loc="outside upper center", ncols=3)
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
