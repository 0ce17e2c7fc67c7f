"""Draw how kernel PCA and predictors on raw features compare with PCA, on test rows."""

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from kpca.study.scoring.methods import CHANCE, METHODS
from kpca.study.scoring.metrics import METRICS
from workflow.drawing import forest, style
from workflow.drawing.finding import enumerated

FEWEST = 4  # A panel is high enough for at least this many lines.
ROW = 0.21  # height of a line in inches
APART = 0.14  # offset of kernel PCA (above) and of raw features (below) from the line of a dataset


def every_method(rows: pd.DataFrame) -> style.Figure:
    """Draw one line per method for the only dataset in ``rows``."""
    lines = forest.order(rows)
    height = 0.85 + 0.125 * max(len(lines), FEWEST)
    fig, ((ax,),) = style.figure(width=style.NARROW, height=height)
    dataset, metric = rows[["dataset", "metric"]].iloc[0]
    style.draw_margin(ax, metric)
    forest.draw(ax, forest.as_gains(rows), lines)
    ax.set_title(style.title(dataset))
    label = style.metric_words([metric], metric, difference=True)
    fig.supxlabel(f"difference from PCA:\n{label}")
    style.legend_above(fig, forest.legend_handles(), columns=2)
    return fig


def every_dataset(rows: pd.DataFrame) -> style.Figure:
    """Draw one line per dataset, the largest gain of kernel PCA first."""
    best = rows[rows["line"] == "best kernel"].set_index("dataset").sort_values("gain")
    order = [*best.index[::-1]]
    fig, ((ax,),) = style.figure(width=style.NARROW, height=1.05 + ROW * len(order))
    common = rows["metric"].mode()[0]
    metrics = best["metric"]
    # One band, as wide as the margin of the metric of each dataset.
    margins = np.array([100 * METRICS[metrics[name]].margin for name in order])
    edges = np.arange(len(order) + 1) - 0.5
    band = {"fill": True, "color": style.BAND, "zorder": 0}
    ax.stairs(margins, edges, baseline=-margins, orientation="horizontal", **band)
    ax.axvline(0, color=style.GREY, linewidth=0.6, zorder=0)
    raw = rows[(rows["kernel"] == "raw") & (rows["criterion"] == "cv")]
    if "best raw" in set(rows["line"]):
        raw = rows[rows["line"] == "best raw"]
    for row in forest.as_gains(pd.concat([best.reset_index(), raw])).to_dict("records"):
        below = {"best kernel": -APART}.get(row["line"], APART)
        forest.draw_row(ax, row, order.index(row["dataset"]) + below)
    titles = [style.panel_title(name, metrics[name], common) for name in order]
    style.name_lines(ax, titles)
    label = style.metric_words(metrics, common, difference=True).replace(" or ", "\nor ")
    ax.set_xlabel(f"difference from PCA:\n{label}")
    names = forest.order(rows)
    handles = [
        Line2D([], [], linewidth=0.8, **forest.line_style(line) | {"label": names[line]})
        for line in dict.fromkeys(["best kernel", *raw["line"]])
    ]
    style.legend_above(fig, handles, columns=3)
    fig.set_label(finding(best))
    return fig


def finding(best: pd.DataFrame) -> str:
    """Return a sentence: on which datasets the best kernel is shown to be better than PCA.

    The sentence is empty if no dataset has a verdict.
    """
    judged = best[best["verdict"] != "no comparison"]
    if judged.empty:
        return ""
    better = judged.index[judged["verdict"] == "better"][::-1]
    named = enumerated(style.title(name) for name in better)
    before = "Kernel PCA is better than PCA"
    if (best["metric"] == "ami").all():
        before = (
            "K-means, tuned with labels, finds the classes better after kernel PCA than after PCA"
        )
    return f"{before} on {len(better)} of {len(judged)} datasets, each judged alone: {named}."


@style.script
def draw(comparisons: pd.DataFrame, clustering: bool) -> style.Figure:
    """Draw differences from PCA: of methods that cluster if ``clustering``, else of all others.

    Several datasets share one axis, with the best kernel and the best method on raw features. For a
    single dataset, every method has a line.
    """
    chosen = [n for n, m in METHODS.items() if (m.gives == "clusters") == clustering]
    methods = [name for name in chosen if name not in CHANCE.values()]
    rows = forest.lines(comparisons, methods).dropna(subset="gain")
    if rows.empty:
        return style.note("No dataset has what these methods need.")
    if rows["dataset"].nunique() == 1:
        return every_method(rows)
    return every_dataset(rows)
