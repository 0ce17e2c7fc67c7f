"""Draw what a higher degree changes for training and for new rows, and examples over the degree."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pipeline.drawing import style
from pipeline.job import run
from workflow.scripts.claims.degree import HIGH, LOW, SIDES
from workflow.scripts.claims.looks import draw_curve
from workflow.scripts.claims.setting import MARGIN

USES = {
    "tuned": "32 components, C by cross-validation",
    "all": "all components, variance 1",
}
SHORT = {"tuned": "32 components", "all": "all components"}
EXAMPLES = (
    ("spirals", "tuned"),
    ("breast_cancer", "tuned"),
    ("moons", "all"),
    ("iris", "all"),
)
OFFSET = 0.15


def draw_changes(ax: Any, rows: pd.DataFrame, names: Sequence[str]) -> None:
    """Draw the change of each dataset with its interval."""
    for side, shift in zip(SIDES, (-OFFSET, OFFSET), strict=True):
        look = {k: style.SPLITS[side][k] for k in ("color", "marker", "label")}
        of_side = rows[rows["split"] == side].set_index("dataset").loc[list(names)]
        y = np.arange(len(names)) + shift
        ax.hlines(y, of_side["low"], of_side["high"], color=look["color"], linewidth=1)
        ax.plot(of_side["mean"], y, linestyle="none", **look)
    ax.axvspan(-MARGIN, MARGIN, color=style.GREY, alpha=0.25, linewidth=0)
    ax.set_yticks(range(len(names)), [style.title(name) for name in names])
    ax.set_ylim(len(names) - 0.4, -0.6)


def draw_example(ax: Any, scores: pd.DataFrame, name: str, use: str) -> None:
    """Draw training and test accuracy of one dataset over the degree."""
    rows = scores[(scores["dataset"] == name) & (scores["use"] == use)]
    for side in SIDES:
        draw_curve(ax, rows[rows["split"] == side], "degree", "value", style.SPLITS[side])
    ax.set_xticks(sorted(rows["degree"].unique()))
    ax.set(xlabel="degree", title=f"{style.title(name)}\n{SHORT[use]}")
    ax.set_ylim(*style.at_least(*ax.get_ylim(), 0.2))


def draw(scores: pd.DataFrame, changes: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw the changes above, four datasets over the degree below."""
    fig, axes = style.figure(2, 4, height=4.8, height_ratios=[1.3, 1])
    grid = axes[0, 0].get_gridspec()
    for ax in axes[0]:
        ax.remove()
    names = list(scores["dataset"].unique())
    left = fig.add_subplot(grid[0, :2])
    panels = [left, fig.add_subplot(grid[0, 2:], sharey=left)]
    for ax, (use, title) in zip(panels, USES.items(), strict=True):
        draw_changes(ax, changes[changes["use"] == use], names)
        ax.set_title(title)
        ax.set_xlabel(f"change of balanced accuracy, degree {LOW} to {HIGH}")
    panels[1].tick_params(labelleft=False)
    shown = [(name, use) for name, use in EXAMPLES if name in names]
    for ax, (name, use) in zip(axes[1], shown, strict=False):
        draw_example(ax, scores, name, use)
    axes[1, 0].set_ylabel("balanced accuracy")
    for ax in axes[1, len(shown) :]:
        ax.set_axis_off()
    fig.legend(*axes[1, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
