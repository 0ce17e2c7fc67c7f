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


def deviations(statements: pd.DataFrame, cases: pd.DataFrame) -> pd.DataFrame:
    """Return how far each identity was off, and how far it may be, in the order of statements.

    A row for each statement with a group, its worst case: the columns of `judged`, deviation and
    bound (from the column origin of the statements), and line, the place of its row in the figure.
    Each group begins with an empty line and one for its heading.
    """
    table = judged(statements, cases).sort_values("room", kind="stable")
    table = table.drop_duplicates("claim").set_index("claim")
    rows = table.loc[statements.dropna(subset="group")["claim"]]
    groups = (rows["group"] != rows["group"].shift()).cumsum()
    return rows.assign(
        deviation=(rows["measured"] - rows["origin"]).abs(),
        bound=(rows["threshold"] - rows["origin"]).abs(),
        line=np.arange(len(rows)) + 2 * groups - 1,
    )


def draw_deviations(ax: Axes, table: pd.DataFrame) -> None:
    """Draw one line per identity: a band where its rule lets it lie, and a mark where it lies."""
    for row in table.to_dict("records"):
        inside = (row["bound"], RIGHT) if row["side"] == "above" else (FLOOR / 3, row["bound"])
        ax.barh(row["line"], inside[1] - inside[0], left=inside[0], color=BAND, zorder=0)
        look = {"linestyle": "", **VERDICTS[row["verdict"]]}
        ax.plot(max(row["deviation"], FLOOR), row["line"], **look)
    for text, rows in table.groupby("group", sort=False):
        y, look = rows["line"].min() - 1, {"weight": "bold", "va": "center"}
        ax.text(0, y, str(text), transform=ax.get_yaxis_transform(), fontsize=7.5, **look)
    ax.set(xscale="log", xlim=(FLOOR / 3, RIGHT), ylim=(table["line"].max() + 0.7, -0.7))
    ax.set_xticks(10.0 ** np.arange(-16, 3, 4))
    ax.set_xticks([], minor=True)
    ax.set_yticks(table["line"], table["label"])
    ax.tick_params(axis="y", length=0)
    ax.set(xlabel="measured deviation, no unit (at $10^{-17}$: or less)")
    for name in VERDICTS:
        if (table["verdict"] == name).any():
            ax.plot([], [], linestyle="", label=f"statement {name}", **VERDICTS[name])
    ax.barh(np.nan, 1, color=BAND, label="where the rule asks it to lie")


@style.script
def draw(statements: pd.DataFrame, gains: pd.DataFrame, **topics: pd.DataFrame) -> style.Figure:
    """Draw identities above, what standardisation gains below."""
    table = deviations(statements, pd.concat(topics.values()))
    ratios = [table["line"].max() + 2, len(gains) + 1]
    fig, axes = style.figure(2, 1, height=1.3 + LINE * sum(ratios), height_ratios=ratios)
    above, below = axes[:, 0]
    draw_deviations(above, table)
    style.legend_above(fig, above.get_legend_handles_labels()[0], columns=4)
    draw_intervals(below, gains.assign(dataset="wine"))
    below.set(title="standardised", xlabel="gain of balanced accuracy (percentage points)")
    below.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return fig
