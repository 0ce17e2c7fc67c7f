"""Draw how far components of landmarks are from those of all rows."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.ticker import LogLocator

from pipeline.drawing import style
from pipeline.job import run
from workflow.scripts.own_data.landmarks import NEGLIGIBLE


def enough(angles: pd.DataFrame) -> str:
    """Return in words from which number of landmarks on they do, of one dataset.

    >>> enough(pd.DataFrame({"landmarks": [10, 20, 40], "enough": [True, False, True], "rows": 90}))
    '40 landmarks do for 90 rows'
    """
    tried, total = angles["landmarks"], angles["rows"].iloc[0]
    do = tried[tried > tried[~angles["enough"]].max()] if not angles["enough"].all() else tried
    if do.empty:
        return f"{tried.max()} landmarks are too few for {total} rows"
    return f"{do.min()} landmarks do for {total} rows"


def draw_angles(ax: Any, angles: pd.DataFrame) -> None:
    """Draw the median angle with its range, and the level that is negligible."""
    look = {"color": style.BLUE, "marker": "o", "label": "landmarks in place of all rows"}
    ax.plot(angles["landmarks"], angles["angle"], **look)
    ax.fill_between(
        angles["landmarks"], angles["low"], angles["high"], color=style.BLUE, alpha=0.15, lw=0
    )
    sampling = angles["sampling"].iloc[0]
    line = {"color": style.GREY, "linewidth": 0.8}
    ax.axhline(sampling, label="another sample of the rows", **line)
    ax.axhline(sampling / NEGLIGIBLE, linestyle="--", label="a tenth of that: enough", **line)
    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 3)))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_minor_formatter("")
    ax.set_xscale("log", base=2)
    ax.set_xticks(angles["landmarks"], [f"{m:g}" for m in angles["landmarks"]])
    ax.set_xticks([], minor=True)
    ax.set(xlabel="landmarks", ylabel="angle between the spans (degrees)")


def draw(landmarks: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw one panel a dataset, which says how many landmarks do."""
    if landmarks.empty:
        style.note("There are too few rows to put landmarks in their place.", paths)
        return
    groups = dict(list(landmarks.groupby("dataset", sort=False)))
    fig, axes = style.panels(len(groups), columns=2, height=2.4, extra=0.7)
    for ax, (name, rows) in zip(axes, groups.items(), strict=True):
        draw_angles(ax, rows)
        ax.set_title(f"{style.title(str(name))}: {enough(rows)}")
    style.legend_above(fig, *axes[0].get_legend_handles_labels(), columns=3)
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
