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
    """Return the lines with their labels, from top to bottom: raw features, kernels, choices."""
    names = rows["line"].unique().tolist()
    listed = ["raw", *METHODS, *_CHOICES, *style.KERNELS, *map(_plain, names)]

    def place(name: str) -> tuple[bool, int, str]:
        return name in _CHOICES, listed.index(_plain(name)), name

    return {name: _label(name, rows) for name in sorted(names, key=place)}


def _label(line: str, rows: pd.DataFrame) -> str:
    """Return the label of a line; for raw features it names the methods of its rows."""
    plain = _plain(line)
    methods = rows.loc[rows["line"] == line, "method"]
    labels = dict.fromkeys(METHODS[name].short for name in methods if METHODS[name].line == plain)
    label = f"{' or '.join(labels)}, raw" if any(labels) else line_style(line)["label"]
    return label + line.removeprefix(plain)


def _plain(line: str) -> str:
    """Return the name of a line without its additions after a comma, such as "whitened"."""
    return line.partition(", ")[0]


def in_hundredths(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with gains in hundredths, limited so that no score exceeds 1."""
    gains = rows[["gain", "gain_low", "gain_high"]]
    most = 1 - (rows["mean"] - rows["gain"])
    return rows.assign(**100 * gains.clip(upper=most, axis=0))


def draw(ax: Axes, rows: pd.DataFrame, names: Mapping[str, str], value: str = "mean") -> None:
    """Draw ``value``, mean or gain, of the `lines` of one dataset; ``names`` is their `order`."""
    unit = 1
    low = "low"
    high = "high"
    if value == "gain":
        unit = 100
        low = "gain_low"
        high = "gain_high"
        rows = in_hundredths(rows)
    places = list(names)
    for row in rows.dropna(subset=value).to_dict("records"):
        look, (offset, _) = line_style(row["line"]), CRITERIA[row["criterion"]]
        y = places.index(row["line"]) + offset
        face = "white" if offset else look["color"]
        mark = {"color": look["color"], "marker": look["marker"], "markerfacecolor": face}
        ax.plot([row[low], row[high]], [y, y], color=look["color"], linewidth=0.8)
        ax.plot(row[value], y, markeredgewidth=0.8, **mark)
    ax.set_yticks(range(len(names)), names.values())
    ax.set_ylim(len(names) - 0.3, -0.7)
    chosen = sum(name in _CHOICES for name in names)  # lines of best choices, below the rule
    if 0 < chosen < len(names):
        ax.axhline(len(names) - chosen - 0.5, color=style.GREY, linewidth=0.6)
    ax.set_xlim(style.at_least(*ax.get_xlim(), unit * LEAST_WIDTH))
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", color="#EEEEEE")
    ax.set_axisbelow(True)


def line_style(name: str) -> dict[str, Any]:
    """Return colour and marker of a line, and the label of a kernel or a choice."""
    plain = _plain(name)
    marks = {m.line: {"color": style.GREY, "marker": m.marker} for m in METHODS.values()}
    return {**style.kernel_style(plain), **marks.get(plain, {}), **_CHOICES.get(plain, {})}


def legend_handles() -> list[Any]:
    """Return handles for a legend of the two criteria."""
    look: dict[str, Any] = {"color": style.BLACK, "marker": "o", "linewidth": 0.8}
    return [
        Line2D([], [], markerfacecolor="white" if offset else style.BLACK, label=label, **look)
        for offset, label in CRITERIA.values()
    ]
