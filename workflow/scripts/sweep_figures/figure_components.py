"""Draw the scores of kernel PCA and PCA against the number of components."""

import pandas as pd
from matplotlib.axes import Axes

from kpca.study.evidence.selection import KERNEL_PCA, ONLY_PCA, RAW_FEATURES
from workflow.drawing import style
from workflow.drawing.finding import enumerated

LINES = {
    KERNEL_PCA: style.look(style.VERMILION, "s", "kernel PCA, components"),
    ONLY_PCA: style.look(style.BLACK, "o", "PCA, components"),
}
COLUMNS = 3
LEAST_HEIGHT = 0.1


def draw_scores(ax: Axes, rows: pd.DataFrame, ranking: pd.DataFrame) -> None:
    """Draw the rows of a dataset: lines with intervals, and a band for raw features."""
    for raw in ranking[ranking["model"] == RAW_FEATURES].to_dict("records"):
        ax.axhspan(raw["low"], raw["high"], color=style.GREY, alpha=0.2, linewidth=0)
        mean = ax.axhline(raw["mean"], color=style.GREY, linestyle="--", linewidth=1)
        mean.set_label("raw features, best predictor")
    for model, look in LINES.items():
        line = rows[rows["model"] == model]
        away = [line["mean"] - line["low"], line["high"] - line["mean"]]
        ax.errorbar(line["n_components"], line["mean"], yerr=away, elinewidth=0.8, **look)
    style.listed_log(ax, sorted(rows["n_components"].unique()), base=2)
    low, high = style.at_least(*ax.get_ylim(), LEAST_HEIGHT)
    ax.set_ylim(low, min(high, 1 + 0.04 * (1 - low)))  # no score exceeds 1


def finding(drawn: pd.DataFrame) -> str:
    """Return a sentence: on which datasets kernel PCA beats PCA with at most as many components.

    The sentence is empty if there is nothing to compare.
    """
    compared = drawn.dropna(subset="gain")
    if compared.empty:
        return ""
    better = compared.loc[compared["gain_low"] > 0, "dataset"].unique()
    named = enumerated(map(style.title, better))
    return (
        "Kernel PCA improves on PCA with at most as many components on "
        f"{len(better)} of {compared['dataset'].nunique()} datasets: {named}."
    )


@style.script
def draw(by_components: pd.DataFrame, ranking: pd.DataFrame) -> style.Figure:
    """Draw one panel per dataset that has a label or a target."""
    drawn = by_components[by_components["metric"] != "trustworthiness"]
    metrics = drawn.drop_duplicates("dataset").set_index("dataset")["metric"]
    if metrics.empty:
        return style.note("No kernel was scored other than the linear one: there is no curve.")
    common = metrics.mode()[0]
    fig, axes = style.panels(len(metrics), columns=COLUMNS, height=1.5)
    for ax, (name, metric) in zip(axes, metrics.items(), strict=True):
        draw_scores(ax, *(rows[rows["dataset"] == name] for rows in (drawn, ranking)))
        ax.set_title(style.panel_title(name, metric, common))
    fig.supxlabel("number of components m")
    label = style.metric_words(metrics, common)
    if len(metrics) > 1:
        label += "\n(each panel: own scale)"
    fig.supylabel(label)
    style.legend_of(fig, axes[0], columns=3)
    fig.set_label(finding(drawn))
    return fig
