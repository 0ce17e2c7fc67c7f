"""Forest plots: one line per method, its mean and interval, tuned with labels and without."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from pipeline.drawing import style

CRITERIA = {
    "cv": (0.0, "tuned by cross-validation"),
    "label_free": (0.4, "no labels: median γ, m by explained variance"),
}
"""Selection → how far below its line it is drawn, and its label; the second one is hollow."""

LEAST_WIDTH = 0.08

_LOOKS: dict[str, dict[str, Any]] = {
    "logistic_regression": {"color": style.GREY, "marker": "x", "label": "logistic or ridge, raw"},
    "rbf_svm": {"color": style.GREY, "marker": "+", "label": "Gaussian SVM, raw"},
    "random_forest": {"color": style.GREY, "marker": "^", "label": "random forest, raw"},
    "spectral": {"color": style.GREY, "marker": "d", "label": "spectral clustering"},
    "best kernel": {"color": style.BLACK, "marker": "D", "label": "best kernel by CV"},
}
"""Method on raw features, or the last line → colour, marker and label."""

_SAME_LINE = {
    "ridge": "logistic_regression",
    "svr": "rbf_svm",
    "random_forest_regressor": "random_forest",
}
"""Method for a numeric target → method for classes on whose line it stands."""


def lines(comparisons: pd.DataFrame, methods: Sequence[str]) -> pd.DataFrame:
    """Return what a forest plot shows of `compare`, with the ``line`` on which each row stands.

    They are those of some downstream methods, such as linear_svm; trustworthiness stands in for
    them if a dataset has no other. The linear kernel is left out: it equals PCA.
    """
    rows = comparisons[comparisons["main"] & comparisons["method"].isin(methods)]
    rows = rows[(rows["baseline"] == "pca") & ~rows["kernel"].isin(["linear", "best raw"])]
    unsupervised = rows["method"] == "embedding"
    rows = rows[~unsupervised | ~rows["dataset"].isin(rows.loc[~unsupervised, "dataset"])]
    over = rows["criterion"] == "cv_over_kernels"
    rows = rows.assign(criterion=rows["criterion"].mask(over, "cv"))
    method = rows["method"].replace(_SAME_LINE)
    line = rows["kernel"].where(~method.isin(_LOOKS), method)
    whitened = rows["method"].str.endswith("_whitened")
    return rows.assign(line=line.mask(whitened, line + ", whitened"))


def order(rows: pd.DataFrame) -> list[str]:
    """Return the lines from top to bottom: baselines, kernels, what is the user's own."""
    names = rows["line"].unique().tolist()
    listed = ["raw", *_LOOKS, *style.KERNELS, *map(_plain, names)]

    def place(name: str) -> tuple[bool, int, str]:
        return _plain(name) == "best kernel", listed.index(_plain(name)), name

    return sorted(names, key=place)


def _plain(line: str) -> str:
    """Return the name of a line without what was done to the scores."""
    return line.partition(", ")[0]


def draw(ax: Axes, rows: pd.DataFrame, names: Sequence[str], value: str = "mean") -> None:
    """Draw ``value``, mean or gain, of the `lines` of one dataset, in the `order` of their names.

    Gains are in hundredths of the metric, percentage points of an accuracy, and their intervals end
    where the score would exceed 1. The ordinate of the axes is taken over.
    """
    unit = 1
    if value == "gain":
        unit = 100
        most = 1 - (rows["mean"] - rows["gain"])
        rows = rows.assign(gain_high=rows["gain_high"].clip(upper=most))
        rows = rows.assign(**{name: 100 * rows[name] for name in ("gain", "gain_low", "gain_high")})
    low, high = ("low", "high") if value == "mean" else ("gain_low", "gain_high")
    for row in rows.dropna(subset=value).to_dict("records"):
        look, (offset, _) = line_style(row["line"]), CRITERIA[row["criterion"]]
        y = names.index(row["line"]) + offset
        face = "white" if offset else look["color"]
        mark = {"color": look["color"], "marker": look["marker"], "markerfacecolor": face}
        ax.plot([row[low], row[high]], [y, y], color=look["color"], linewidth=0.8)
        ax.plot(row[value], y, markeredgewidth=0.8, **mark)
    ax.set_yticks(range(len(names)), [line_style(name)["label"] for name in names])
    ax.set_ylim(len(names) - 0.3, -0.7)
    if names[0] != "best kernel" == names[-1]:  # chosen among the kernels above the rule
        ax.axhline(len(names) - 1.5, color=style.GREY, linewidth=0.6)
    ax.set_xlim(style.at_least(*ax.get_xlim(), unit * LEAST_WIDTH))
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", color="#EEEEEE")
    ax.set_axisbelow(True)


def line_style(name: str) -> dict[str, Any]:
    """Return colour, marker and label of a line."""
    plain = _plain(name)
    look = _LOOKS.get(plain) or style.kernel_style(plain)
    return look | {"label": look["label"] + name.removeprefix(plain)}


def legend_handles() -> list[Any]:
    """Return what the legend of the two selections is made of."""
    look: dict[str, Any] = {"color": style.BLACK, "marker": "o", "linewidth": 0.8}
    return [
        Line2D([], [], markerfacecolor="white" if offset else style.BLACK, label=label, **look)
        for offset, label in CRITERIA.values()
    ]
