"""Draw which γ and number of components each criterion chooses, over the test score."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import LogLocator

from pipeline.drawing import style
from pipeline.job import run
from pipeline.tables.metrics import METRICS
from workflow.scripts.choice.looks import CRITERIA
from workflow.scripts.choice.scored import landscape, shown_methods

COLUMNS = 4
GREYS = LinearSegmentedColormap.from_list("light greys", ["#F4F4F4", "#A0A0A0"])
STEP = 0.09  # between criteria that chose the same γ, in decades, where there is room
FEW = 5  # values of γ that an axis can name


def chosen(label_free: pd.DataFrame) -> pd.DataFrame:
    """Return the median choice over replicates, one row a dataset and criterion."""
    methods = label_free["dataset"].map(shown_methods(label_free))
    rows = label_free[label_free["method"] == methods]
    return rows.groupby(["dataset", "criterion"], as_index=False)[
        ["multiple", "n_components"]
    ].median()


def edges(values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return the borders between values of a logarithmic axis, the outer ones included.

    >>> edges([1, 100]).tolist(), edges([2]).round(3).tolist()
    ([0.1, 10.0, 1000.0], [0.632, 6.325])
    """
    logs = np.log10(np.asarray(values, dtype=float))
    if len(logs) == 1:
        return 10 ** (logs[0] + np.array([-0.5, 0.5]))
    middle = (logs[1:] + logs[:-1]) / 2
    ends = (2 * logs[0] - middle[0], 2 * logs[-1] - middle[-1])
    return 10 ** np.round([ends[0], *middle, ends[1]], 12)


def draw_landscape(ax: Any, rows: pd.DataFrame) -> None:
    """Draw test scores in grey, dark where they are best."""
    table = rows.pivot_table(index="n_components", columns="multiple", values="test")
    ax.pcolormesh(
        edges(table.columns.to_numpy()),
        edges(table.index.to_numpy()),
        table,
        cmap=GREYS,
        rasterized=True,
    )


def beside(multiples: pd.Series, width: float) -> pd.Series:
    """Move the criteria that chose the same γ apart, inside a cell of so many decades.

    >>> beside(pd.Series([1.0, 3.0, 1.0]), 0.2).round(3).tolist()
    [0.912, 3.0, 1.096]
    """
    same = multiples.groupby(multiples)
    place = same.cumcount() - (same.transform("size") - 1) / 2
    step = (0.8 * width / same.transform("size")).clip(upper=STEP)
    return multiples * 10 ** (place * step)


def labels(label_free: pd.DataFrame) -> dict[str, str]:
    """Return what criteria are called: that they look at labels where there are any."""
    used = label_free.groupby("criterion")["uses_labels"].any()
    return {
        name: look["label"] if used.get(name) else look["label"].removesuffix(" (labels)")
        for name, look in CRITERIA.items()
    }


def draw_choices(ax: Any, rows: pd.DataFrame, width: float, names: Mapping[str, str]) -> None:
    """Draw one marker a criterion, side by side where they agree on γ."""
    order = [name for name in CRITERIA if name in set(rows["criterion"])]
    rows = rows.set_index("criterion").loc[order]
    for (name, row), x in zip(rows.iterrows(), beside(rows["multiple"], width), strict=True):
        look = CRITERIA[str(name)]
        bar = name == "hindsight"
        ax.plot(
            x,
            row["n_components"],
            color=look["color"],
            marker=look["marker"],
            markersize=8 if name in ("cv", "hindsight") else 5,
            markeredgecolor=look["color"] if bar else "white",
            markeredgewidth=1.8 if bar else 0.5,
            linestyle="none",
            label=names[str(name)],
        )


def draw(
    label_free: pd.DataFrame,
    choice_measures: pd.DataFrame,
    scores: pd.DataFrame,
    datasets: pd.DataFrame,
    paths: Sequence[str],
) -> None:
    """Draw one panel a dataset, the choices over the test scores of the grid."""
    multiples_of = dict(zip(choice_measures["cell"], choice_measures["multiple"], strict=True))
    sizes = choice_measures.query("measure == 'input'")["n_components"].unique()
    ground = landscape(scores, multiples_of, sizes)
    choices, methods = chosen(label_free), shown_methods(label_free)
    names = [name for name in datasets["dataset"] if name in methods]
    fig, axes = style.panels(
        len(names), columns=COLUMNS, height=1.5, extra=1.1, sharex=True, sharey=True
    )
    multiples = np.sort(ground["multiple"].unique())
    width = float(np.median(np.diff(np.log10(multiples))))
    handles: dict[str, Any] = {}
    for ax, name in zip(axes, names, strict=True):
        here = ground[(ground["dataset"] == name) & (ground["method"] == methods[name])]
        draw_landscape(ax, here)
        draw_choices(ax, choices[choices["dataset"] == name], width, labels(label_free))
        worst, best = here["test"].min(), here["test"].max()
        symbol = METRICS[here["metric"].iloc[0]].symbol
        ax.set_title(f"{style.title(name)}: {symbol} {worst:.2f} … {best:.2f}")
        handles |= dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
    for ax in axes:
        ax.set_yscale("log", base=2)
        ax.yaxis.set_major_locator(LogLocator(base=4))
        ax.yaxis.set_major_formatter("{x:g}")
        ax.minorticks_off()
        style.plain_log(ax)
        if len(multiples) <= FEW:
            ax.set_xticks(multiples, [f"{multiple:g}" for multiple in multiples])
    fig.supxlabel("γ in multiples of the median heuristic", fontsize=8)
    fig.supylabel("number of components m", fontsize=8)
    style.legend_above(fig, [*handles.values()], [*handles], columns=3)
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
