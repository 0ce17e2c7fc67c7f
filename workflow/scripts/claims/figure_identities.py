"""Draw the deviation of every identity with the bound of its rule, and gains in accuracy."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from workflow.scripts.claims.claim import judged
from workflow.scripts.claims.plot_style import VERDICTS, draw_intervals

FLOOR = 1e-17  # what rounding can leave is drawn down to here
RIGHT = 1e3
BAND = "#DCE9F3"
LINE = 0.145  # inches


def places(groups: pd.Series) -> tuple[list[int], dict[int, str]]:
    """Return the line of every row, and the headings by their line, an empty one before each.

    >>> places(pd.Series(["a", "a", "b"]))
    ([1, 2, 5], {0: 'a', 4: 'b'})
    """
    lines: list[int] = []
    headings: dict[int, str] = {}
    for i, group in enumerate(groups):
        if i == 0 or group != groups.iloc[i - 1]:
            headings[lines[-1] + 2 if lines else 0] = group
            lines.append(max(headings) + 1)
        else:
            lines.append(lines[-1] + 1)
    return lines, headings


def deviations(statements: pd.DataFrame, cases: pd.DataFrame) -> pd.DataFrame:
    """Return how far each identity was off, and how far it may be, in the order of statements.

    A row for each statement with a group, its worst case: columns group, label, deviation and bound
    (from the column origin of the statements), side, verdict.
    """
    table = judged(statements, cases).sort_values("room", kind="stable")
    table = table.drop_duplicates("claim").set_index("claim")
    marked = statements.dropna(subset="group")["claim"]
    rows = table.loc[marked]
    return rows.assign(
        deviation=(rows["measured"] - rows["origin"]).abs(),
        bound=(rows["threshold"] - rows["origin"]).abs(),
    )[["group", "label", "deviation", "bound", "side", "verdict"]]


def draw_deviations(ax: Axes, table: pd.DataFrame) -> None:
    """Draw one line per identity: a band where its rule lets it lie, and a mark where it lies."""
    lines, headings = places(table["group"])
    for y, row in zip(lines, table.to_dict("records"), strict=True):
        inside = (row["bound"], RIGHT) if row["side"] == "above" else (FLOOR / 3, row["bound"])
        ax.barh(y, inside[1] - inside[0], left=inside[0], height=0.8, color=BAND, zorder=0)
        ax.plot(max(row["deviation"], FLOOR), y, linestyle="", **VERDICTS[row["verdict"]])
    ax.set_xscale("log")
    ax.set(xlim=(FLOOR / 3, RIGHT), ylim=(max(lines) + 0.7, -0.7))
    ax.set_xticks(10.0 ** np.arange(-16, 3, 4))
    ax.set_xticks([], minor=True)
    ax.set_yticks(lines, table["label"])
    ax.tick_params(axis="y", length=0)
    for y, text in headings.items():
        ax.annotate(
            text,
            (0, y),
            xycoords=("axes fraction", "data"),
            fontsize=7.5,
            weight="bold",
            va="center",
        )
    ax.set(xlabel="measured deviation, no unit (at $10^{-17}$: or less)")


@style.script
def draw(statements: pd.DataFrame, gains: pd.DataFrame, **topics: pd.DataFrame) -> style.Figure:
    """Draw identities above, what standardisation gains below."""
    table = deviations(statements, pd.concat(topics.values()))
    lines = max(places(table["group"])[0]) + 2
    ratios = [lines, len(gains) + 1]
    fig, axes = style.figure(2, 1, height=1.3 + LINE * sum(ratios), height_ratios=ratios)
    draw_deviations(axes[0, 0], table)
    seen = [name for name in VERDICTS if (table["verdict"] == name).any()]
    handles = [
        axes[0, 0].plot([], [], linestyle="", label=f"statement {name}", **VERDICTS[name])[0]
        for name in seen
    ]
    handles.append(axes[0, 0].barh(np.nan, 1, color=BAND, label="where the rule asks it to lie"))
    style.legend_above(fig, handles, columns=4)
    draw_intervals(axes[1, 0], gains.assign(dataset="wine"))
    axes[1, 0].set(title="standardised", xlabel="gain of balanced accuracy (percentage points)")
    axes[1, 0].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return fig
