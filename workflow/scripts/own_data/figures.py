"""Draw a user's rows: contributions of features, reproducible components, and novel rows."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from kpca.inspection.reproducibility import COMES_BACK
from kpca.study.decision.importance import are_positions, importance_words
from kpca.study.decision.record import number
from kpca.study.decision.second_sample import FINAL, coming_back
from kpca.study.monitoring.chart import draw_monitoring
from workflow.drawing import style
from workflow.drawing.finding import enumerated
from workflow.scripts.own_data.novelty import EXPLAINED, FALSE_ALARM

MOST = 15  # largest number of features that are drawn, in order of their shares
COMPONENTS = {
    "all": style.look(style.BLACK, "o", "leading components together"),
    "1": style.look(style.BLUE, "s", "first component"),
    "2": style.look(style.ORANGE, "^", "second component"),
}
APART = 0.24  # offset between two components, as a fraction of the distance between two features
LONGEST = 16  # largest number of characters that are shown of a feature's name
NOVEL = style.look(style.VERMILION, "D", "above the limit")
ORDINARY = style.look(style.BLUE, "o", "below the limit")
OTHERS = style.look(style.GREY, "|", "every other row")


def largest(shares: pd.DataFrame) -> pd.Series:
    """Return the `MOST` largest mean shares of features in all components, in falling order."""
    together = shares[shares["component"] == "all"]
    return together.groupby("feature", sort=False)["share"].mean().nlargest(MOST)


def draw_rows(ax: Any, rows: pd.DataFrame) -> None:
    """Draw novelty divided by its limit: a line for each of the first rows, one for all others."""
    limits = rows["threshold"].where(rows["threshold"] > 0)
    rows = rows.assign(ratio=(rows["novelty"] / limits).fillna(0), line=range(len(rows)))
    first = rows[:EXPLAINED]
    others = rows[EXPLAINED:]
    is_novel = first["novel"].astype(bool)
    for drawn, look in ((first[is_novel], NOVEL), (first[~is_novel], ORDINARY)):
        ax.hlines(drawn["line"], 0, drawn["ratio"], color=look["color"], linewidth=0.8)
        ax.plot(drawn["ratio"], drawn["line"], linestyle="none", **look)
    names = []
    for row, feature in zip(first["row"], first["variable_1"], strict=True):
        name = f"row {row}"
        if isinstance(feature, str):  # A kernel matrix has no names of features.
            name += f" ({style.plain(feature, LONGEST)})"
        names.append(name)
    if len(others):
        y = np.full(len(others), len(first))
        ax.plot(others["ratio"], y, linestyle="none", alpha=0.5, **OTHERS)
        names.append(f"{len(others)} other rows")
    ax.axvline(1, color=style.BLACK, linestyle="--", linewidth=0.8)
    style.name_lines(ax, names)
    ax.set(xlim=(0, None), xlabel="reconstruction error / limit")


def own_features(features: pd.DataFrame) -> style.Figure:
    """Draw mean and range of what each feature contributes, one panel per dataset."""
    features = features.astype({"component": str, "feature": str})
    groups = dict(list(features.groupby("dataset", sort=False)))
    leading = {name: largest(rows) for name, rows in groups.items()}
    height = 0.55 + 0.24 * max(map(len, leading.values()))
    fig, axes = style.panels(len(groups), columns=2, height=height, extra=0.6)
    for ax, (name, rows) in zip(axes, groups.items(), strict=True):
        names = leading[name].index
        for turn, (component, look) in enumerate(COMPONENTS.items()):
            of_component = rows[rows["component"] == component]
            if of_component.empty:
                continue
            shares = of_component.groupby("feature")["share"]
            percent = 100 * shares.agg(["mean", "min", "max"]).loc[names]
            y = np.arange(len(names)) + (turn - 1) * APART
            style.draw_intervals(ax, percent, y, look)
        count = rows["feature"].nunique()
        ax.axvline(100 / count, color=style.GREY, linestyle=":", linewidth=0.8)
        labels = [style.plain(feature, longest=24) for feature in names]
        style.name_lines(ax, labels)
        ax.set(xlim=(0, None), xlabel="contribution to the scores (%)")
        title = style.title(name)
        if len(names) < count:
            title += f": {len(names)} of {count} features"
        ax.set_title(title)
    style.legend_of(fig, axes[0], columns=3)
    first, means = next(iter(leading.items()))
    fig.set_label(
        f"{style.plain(means.index[0], LONGEST)} shapes the components of "
        f"{style.title(first)} most: {number(100 * means.iloc[0], 0)} % of the scores."
    )
    return fig


def own_importance(importance: pd.DataFrame, measure: str) -> style.Figure:
    """Draw the importance of columns as bars, or as a curve if their names are positions."""
    label = f"fall, {style.metric_words([measure], measure, difference=True)}"
    ends = ["importance", "low", "high"]
    rows = importance.assign(column=importance["column"].astype(str), **100 * importance[ends])
    if are_positions(rows["column"].tolist()):
        fig, ((ax,),) = style.figure(height=2.2)
        x = rows[["column", "last_column"]].astype(float).mean(axis=1)
        ax.fill_between(x, rows["low"], rows["high"], color=style.BLUE, alpha=0.2, linewidth=0)
        ax.plot(x, rows["importance"], color=style.BLUE)
        ax.axhline(0, color=style.GREY, linewidth=0.8)
        ax.set(xlabel="name of the column", ylabel=label)
    else:
        rows = rows.sort_values("importance", ascending=False, kind="stable").head(MOST)
        fig, ((ax,),) = style.figure(height=0.6 + 0.17 * len(rows))
        places = np.arange(len(rows))
        directions = importance_words(rows, measure)["direction"]
        texts = [style.plain(words.removeprefix("higher values go with ")) for words in directions]
        names = [style.plain(name) for name in rows["column"]]
        style.name_lines(ax, names)
        ax.set_xlabel(label)
        ax.barh(places, rows["importance"], height=0.6, color=style.BLUE)
        ax.hlines(places, rows["low"], rows["high"], color=style.BLACK, linewidth=0.8)
        ax.axvline(0, color=style.GREY, linewidth=0.8)
        right = ax.secondary_yaxis("right")
        right.set_yticks(places, texts)
        right.set_ylabel("higher values go with")
    return fig


def own_novelty(novelty: pd.DataFrame) -> style.Figure:
    """Draw novel rows, one panel per dataset, with the number expected if all are ordinary."""
    groups = dict(list(novelty.groupby("dataset", sort=False)))
    fig, axes = style.panels(len(groups), columns=2, height=2.6)
    for ax, (name, rows) in zip(axes, groups.items(), strict=True):
        draw_rows(ax, rows)
        ax.set_title(
            f"{style.title(name)}: {rows['novel'].sum()} of {len(rows)} rows above the limit\n"
            f"({FALSE_ALARM * len(rows):.2g} expected of ordinary rows)"
        )
    handles = [Line2D([], [], linestyle="none", **look) for look in (NOVEL, ORDINARY, OTHERS)]
    style.legend_above(fig, handles, columns=3)
    fig.set_label(f"{novelty['novel'].sum()} of {len(novelty)} rows are unlike the others.")
    return fig


def own_components(components: pd.DataFrame, decisions: pd.DataFrame) -> style.Figure:
    """Draw how much a second sample would have in common with each model's first j components."""
    final = components[components["setting"] == FINAL]
    groups = dict(list(final.groupby("dataset", sort=False)))
    if not groups:  # The kernel is precomputed or cannot be saved, or rows are too few.
        return style.note("It is not known what a second sample would show.")
    chosen = decisions.set_index("dataset")["n_components"]
    fig, axes = style.panels(len(groups), columns=2, height=2.1)
    counts = []
    for ax, (name, rows) in zip(axes, groups.items(), strict=True):
        curve = rows[["component", "estimate", "at_least", "at_most"]].fillna({"at_most": 1})
        look = style.look(style.BLUE, "o", "estimate")
        style.draw_band(ax, curve, look, alpha=0.2, label="95 % interval")
        ax.axhline(COMES_BACK, color=style.GREY, linewidth=0.8, linestyle=":")
        m = int(chosen[name])
        back = coming_back(rows, m)
        ax.set_title(f"{style.title(name)}: {back} of {m} components surely come back")
        ax.set(xlabel="number of components j", ylabel="part in common", ylim=(0, 1.04))
        counts.append(f"{back} of {m} components of {style.title(name)}")
    style.legend_of(fig, axes[0], columns=2)
    fig.set_label(f"A second sample would surely show {enumerated(counts)}.")
    return fig


def own_monitoring(novelty: pd.DataFrame, monitored: Mapping[str, str]) -> style.Figure:
    """Draw both novelty statistics of each dataset against its time, one above the other."""
    fig, axes = style.figure(2 * len(monitored), height=3.6 * len(monitored))
    for pair, (name, label) in zip(axes.reshape(-1, 2), monitored.items(), strict=True):
        rows = novelty[novelty["dataset"].astype(str) == name]
        times = pd.to_numeric(rows["time"], errors="coerce")
        if times.isna().any():
            times = pd.to_datetime(rows["time"])
        named = rows["variable_1"].map(partial(style.plain, longest=LONGEST), na_action="ignore")
        rows = rows.assign(time=times, variable_1=named).sort_values("time")
        draw_monitoring(rows, pair, time=rows["time"])
        pair[0].set_title(style.title(name))
        pair[1].set_xlabel(style.plain(label))
    return fig


@style.script
def figures(
    novelty: pd.DataFrame,
    components: pd.DataFrame,
    decisions: pd.DataFrame,
    monitored: Mapping[str, str],
    **tables: pd.DataFrame,
) -> dict[str, style.Figure]:
    """Return the figures of the study by name; two of them need a table in ``tables``."""
    drawn = {
        "own_novelty": own_novelty(novelty),
        "own_components": own_components(components, decisions),
    }
    if "features" in tables:
        drawn["own_features"] = own_features(tables["features"])
    if "importance" in tables:
        measure = str(decisions["measure"].iloc[0])
        drawn["own_importance"] = own_importance(tables["importance"], measure)
    if monitored:
        drawn["own_monitoring"] = own_monitoring(novelty, monitored)
    return drawn
