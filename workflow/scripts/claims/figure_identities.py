"""Draw how far every identity was off beside the bound of its rule, and gains in accuracy."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style

FLOOR = 1e-17  # what rounding can leave is drawn down to here
RIGHT = 1e3
MARGIN = 0.01
BAND = "#DCE9F3"
LINE = 0.145  # inches
LOOKS = {
    "holds": {"color": style.BLUE, "marker": "o", "label": "holds"},
    "undecided": {"color": style.GREY, "marker": "s", "fillstyle": "none", "label": "undecided"},
    "fails": {"color": style.VERMILION, "marker": "X", "markersize": 5, "label": "fails"},
}
TABLES = ("deviations", "gains")


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


def draw_deviations(ax: Axes, table: pd.DataFrame) -> None:
    """Draw a line an identity: a band where its rule lets it lie, and a mark where it lies."""
    lines, headings = places(table["group"])
    for y, row in zip(lines, table.to_dict("records"), strict=True):
        inside = (row["bound"], RIGHT) if row["side"] == "above" else (FLOOR / 3, row["bound"])
        ax.barh(y, inside[1] - inside[0], left=inside[0], height=0.8, color=BAND, zorder=0)
        ax.plot(max(row["deviation"], FLOOR), y, linestyle="", **LOOKS[row["verdict"]])
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
    ax.set(xlabel="measured deviation or size (at $10^{-17}$: that or less)")


def draw_gains(ax: Axes, gains: pd.DataFrame) -> None:
    """Draw mean and interval of every gain, in percentage points, a line a dataset and kernel."""
    names = []
    for y, row in enumerate(gains.to_dict("records")):
        look = style.kernel_style(row["kernel"])
        ax.hlines(y, 100 * row["low"], 100 * row["high"], color=look["color"], linewidth=0.8)
        ax.plot(100 * row["mean"], y, linestyle="", **look)
        names.append(f"{row['dataset']}, {look['label']}")
    ax.axvline(0, color=style.GREY, linewidth=0.6)
    ax.axvline(100 * MARGIN, color=style.GREY, linestyle=":", linewidth=0.8)
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.set(title=f"inputs {gains['treatment'].iloc[0]}")


def draw(deviations: pd.DataFrame, gains: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw identities on the left, what is done to the inputs on the right."""
    lines = max(places(deviations["group"])[0]) + 2
    treatments = [rows for _, rows in gains.groupby("treatment")]
    ratios = {"width_ratios": [1.5, 1], "height_ratios": [len(rows) for rows in treatments]}
    fig, axes = style.figure(2, 2, height=0.6 + LINE * lines, sharex="col", gridspec_kw=ratios)
    for ax in axes[:, 0]:
        ax.remove()
    left = fig.add_subplot(axes[0, 0].get_gridspec()[:, 0])
    draw_deviations(left, deviations)
    seen = [look for verdict, look in LOOKS.items() if (deviations["verdict"] == verdict).any()]
    handles = [left.plot([], [], linestyle="", **look)[0] for look in seen]
    handles.append(left.barh(np.nan, 1, color=BAND, label="where the rule asks it to lie"))
    style.legend_above(fig, handles, columns=4)
    for ax, rows in zip(axes[:, 1], treatments, strict=True):
        draw_gains(ax, rows)
    axes[1, 1].set_xlabel("gain of balanced\naccuracy (points)")
    style.save(fig, paths)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        draw(*(pd.read_csv(snakemake.input[name]) for name in TABLES), snakemake.output)
