"""Draw the rows most unlike the rest."""

from typing import Any

import numpy as np
import pandas as pd

from pipeline.drawing import style
from workflow.scripts.own_data.novelty import EXPLAINED, FALSE_ALARM

LONGEST = 16  # characters of the name of a feature
NOVEL: dict[str, Any] = {"color": style.VERMILION, "marker": "D", "label": "above the limit"}
ORDINARY: dict[str, Any] = {"color": style.BLUE, "marker": "o", "label": "below the limit"}
OTHERS: dict[str, Any] = {"color": style.GREY, "marker": "|", "label": "every other row"}


def draw_rows(ax: Any, rows: pd.DataFrame) -> None:
    """Draw score over limit: a line for each of the first rows, and one for all others."""
    ratio = (rows["score"] / rows["limit"].where(rows["limit"] > 0)).fillna(0).to_numpy()
    novel, places = rows["novel"].to_numpy(dtype=bool), np.arange(len(rows))
    first = places < EXPLAINED
    for here, look in ((first & novel, NOVEL), (first & ~novel, ORDINARY)):
        ax.hlines(places[here], 0, ratio[here], color=look["color"], linewidth=0.8)
        ax.plot(ratio[here], places[here], linestyle="none", **look)
    names = [  # a feature that makes the row novel is not known of a kernel matrix
        f"row {row} ({style.plain(feature, LONGEST)})" if isinstance(feature, str) else f"row {row}"
        for row, feature in zip(rows["row"][first], rows["feature"][first], strict=True)
    ]
    if others := len(rows) - first.sum():
        ax.plot(ratio[~first], np.full(others, len(names)), linestyle="none", alpha=0.5, **OTHERS)
        names.append(f"{others} other rows")
    ax.axvline(1, color=style.BLACK, linestyle="--", linewidth=0.8)
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlim(0, None)
    ax.set_xlabel("reconstruction error / limit")


@style.script
def draw(novelty: pd.DataFrame) -> style.Figure:
    """Draw one panel a dataset, which says how many ordinary rows may be above the limit."""
    groups = dict(list(novelty.groupby("dataset", sort=False)))
    fig, axes = style.panels(len(groups), columns=2, height=2.6)
    for ax, (name, rows) in zip(axes, groups.items(), strict=True):
        draw_rows(ax, rows)
        ax.set_title(
            f"{style.title(str(name))}: {rows['novel'].sum()} of {len(rows)} rows above the limit\n"
            f"({FALSE_ALARM * len(rows):.2g} expected of ordinary rows)"
        )
    looks = (NOVEL, ORDINARY, OTHERS)
    handles = [axes[0].plot([], [], linestyle="none", **look)[0] for look in looks]
    style.legend_above(fig, handles, columns=3)
    return fig
