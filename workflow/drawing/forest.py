"""Forest plots: one line per method with mean and interval, tuned with and without labels."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from kpca.study.evidence.selection import by_first_method
from kpca.study.scoring.methods import METHODS
from workflow.drawing import style

# Criterion → its offset below the line, and its label. Marks with an offset are hollow.
CRITERIA = {
    "cv": (0.0, "tuned by cross-validation"),
    "label_free": (0.4, "no labels: median γ, m by explained variance"),
}
LEAST_WIDTH = 0.08

# Line of a best choice → its colour, marker and label.
_CHOICES = {
    "best raw": style.look(style.GREY, "D", "best raw by CV"),
    "best kernel": style.look(style.BLACK, "D", "best kernel by CV"),
}
_RAW = {m.line: {"color": style.GREY, "marker": m.marker} for m in METHODS.values()}


def lines(comparisons: pd.DataFrame, methods: Sequence[str]) -> pd.DataFrame:
    """Return the rows of `compare` that a forest plot shows, with the ``line`` of each row.

    Trustworthiness is shown if a dataset has none of the methods. The linear kernel is left out. If
    several methods use the scores, lines of the first are named after the kernel only, and lines of
    the others after kernel and method.
    """
    rows = comparisons[comparisons["main"] & comparisons["method"].isin(methods)]
    rows = rows[(rows["baseline"] == "pca") & (rows["kernel"] != "linear")]
    unsupervised = rows["method"] == "embedding"
    rows = rows[~unsupervised | ~rows["dataset"].isin(rows.loc[~unsupervised, "dataset"])]
    rows = rows.reset_index(drop=True)
    over = rows["criterion"].isin(["cv_over_kernels", "cv_over_raw"])
    rows = rows.assign(criterion=rows["criterion"].mask(over, "cv"))
    raw = rows["method"].map({name: method.line for name, method in METHODS.items()})
    line = rows["kernel"].mask(rows["kernel"] == "raw", raw)
    whitened = rows["method"].str.endswith("_whitened")
    line = line.mask(whitened, line + ", whitened")
    on_scores = rows[~rows["kernel"].isin(["raw", "best raw"]) & ~whitened]
    others = on_scores.index.difference(by_first_method(on_scores, methods).index)
    line[others] += ", " + rows["method"][others].map(lambda name: METHODS[name].short)
    return rows.assign(line=line)


def order(rows: pd.DataFrame) -> dict[str, str]:
    """Return line → label, from top to bottom: raw features, kernels, and best choices."""
    names = rows["line"].unique().tolist()
    listed = ["raw", *METHODS, *_CHOICES, *style.KERNELS, *map(_plain, names)]

    def place(name: str) -> tuple[bool, int, str]:
        return name in _CHOICES, listed.index(_plain(name)), name

    return {name: _label(name, rows) for name in sorted(names, key=place)}


def _label(line: str, rows: pd.DataFrame) -> str:
    """Return the label of a line; the label of raw features names the methods of their rows."""
    plain = _plain(line)
    methods = rows.loc[rows["line"] == line, "method"]
    labels = dict.fromkeys(METHODS[name].short for name in methods if METHODS[name].line == plain)
    label = f"{' or '.join(labels)}, raw" if any(labels) else line_style(line)["label"]
    return label + line.removeprefix(plain)


def _plain(line: str) -> str:
    """Return the name of a line without its additions after a comma, such as "whitened"."""
    return line.partition(", ")[0]


def as_gains(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows whose columns mean, low and high are gains in hundredths.

    Gains are cut off so that no score exceeds 1.
    """
    gains = rows[["gain", "gain_low", "gain_high"]].set_axis(["mean", "low", "high"], axis=1)
    most = 1 - (rows["mean"] - rows["gain"])
    return rows.assign(**100 * gains.clip(upper=most, axis=0))


def draw_row(ax: Axes, row: Mapping[Any, Any], y: float, *, is_hollow: bool = False) -> None:
    """Draw the mean and interval of a table row at height y, in the style of its `line`."""
    look = line_style(row["line"])
    color = look["color"]
    ax.plot([row["low"], row["high"]], [y, y], color=color, linewidth=0.8)
    (mark,) = ax.plot(row["mean"], y, color=color, marker=look["marker"], markeredgewidth=0.8)
    if is_hollow:
        mark.set_markerfacecolor("white")


def draw(ax: Axes, rows: pd.DataFrame, names: Mapping[str, str]) -> None:
    """Draw the gains in hundredths of one dataset's `lines`; ``names`` is their `order`."""
    places = list(names)
    for row in rows.dropna(subset="mean").to_dict("records"):
        offset, _ = CRITERIA[row["criterion"]]
        draw_row(ax, row, places.index(row["line"]) + offset, is_hollow=offset > 0)
    style.name_lines(ax, names.values())
    chosen = sum(name in _CHOICES for name in names)  # number of lines of best choices
    if 0 < chosen < len(names):
        ax.axhline(len(names) - chosen - 0.5, color=style.GREY, linewidth=0.6)
    ax.set_xlim(style.at_least(*ax.get_xlim(), 100 * LEAST_WIDTH))
    ax.grid(axis="y", color="#EEEEEE")


def line_style(name: str) -> dict[str, Any]:
    """Return colour and marker of a line, and the label of a kernel or a best choice."""
    plain = _plain(name)
    return style.kernel_style(plain) | _RAW.get(plain, {}) | _CHOICES.get(plain, {})


def legend_handles() -> list[Any]:
    """Return handles for a legend of `CRITERIA`."""
    handles = []
    for offset, label in CRITERIA.values():
        handles.append(Line2D([], [], color=style.BLACK, marker="o", linewidth=0.8, label=label))
        if offset:
            handles[-1].set_markerfacecolor("white")
    return handles
