"""Draw the cost of choosing without labels: test scores minus those of the supervised choice."""

from typing import Any

import pandas as pd

from kpca.study.evidence.comparison import overlaps
from kpca.study.evidence.selection import by_first_method
from kpca.study.evidence.statistics import interval
from kpca.study.scoring.metrics import METRICS
from workflow.drawing import style
from workflow.scripts.choice.scored import METHODS

# From top to bottom.
CRITERIA: dict[str, dict[str, Any]] = {
    "variance": {"color": style.GREY, "marker": "o", "label": "median γ, m by variance"},
    "input_denoising": {"color": style.GREEN, "marker": "^", "label": "input denoising"},
    "relevant_dimension": {"color": style.ORANGE, "marker": "s", "label": "relevant dimension*"},
    "cv": {"color": style.VERMILION, "marker": "*", "label": "cross-validation*"},
    "hindsight": {"color": style.BLACK, "marker": "|", "label": "best in hindsight*"},
}
COLUMNS = 3
LEAST_WIDTH = 8  # percentage points
LEFT_OUT = "cv"  # the zero of every panel


def differences(label_free: pd.DataFrame, datasets: pd.DataFrame) -> pd.DataFrame:
    """Return the mean difference from the supervised choice, if there is one, with its interval."""
    overlap = overlaps(datasets)
    rows = by_first_method(label_free, METHODS).dropna(subset="cv")
    rows = rows.assign(difference=rows["value"] - rows["cv"])
    found = []
    for (name, criterion), group in rows.groupby(["dataset", "criterion"]):
        if len(group) < 2:
            continue
        bounds = interval(group["difference"].to_numpy(), test_over_train=overlap[str(name)])
        metric = group["metric"].iloc[0]
        found.append((name, metric, criterion, group["cv"].mean(), *bounds[:3]))
    columns = ["dataset", "metric", "criterion", "cv", "mean", "low", "high"]
    return pd.DataFrame(found, columns=columns)


@style.script
def draw(label_free: pd.DataFrame, datasets: pd.DataFrame) -> style.Figure:
    """Draw one panel per dataset, the criteria from top to bottom."""
    rows = differences(label_free, datasets)
    if rows.empty:
        return style.note("No dataset has labels or a target: there is no supervised choice.")
    names = [name for name in CRITERIA if name in set(rows["criterion"]) - {LEFT_OUT}]
    shown = [name for name in datasets["dataset"] if name in set(rows["dataset"])]
    common = rows["metric"].mode()[0]
    fig, axes = style.panels(len(shown), columns=COLUMNS, height=1.55, sharey=True)
    for ax, name in zip(axes, shown, strict=True):
        of_dataset = rows[rows["dataset"] == name]
        metric = of_dataset["metric"].iloc[0]
        margin = 100 * METRICS[metric].margin
        ax.axvspan(-margin, margin, color="#E4E4E4", linewidth=0, zorder=0)
        ax.axvline(0, color=style.GREY, linewidth=0.6, zorder=0)
        for row in of_dataset[of_dataset["criterion"].isin(names)].to_dict("records"):
            look, y = CRITERIA[row["criterion"]], names.index(row["criterion"])
            ends = [100 * row["low"], 100 * row["high"]]
            ax.plot(ends, [y, y], color=look["color"], linewidth=0.8)
            mark = {"color": look["color"], "marker": look["marker"], "markersize": 4.5}
            ax.plot(100 * row["mean"], y, **mark)
        ax.set_yticks(range(len(names)), [CRITERIA[name]["label"] for name in names])
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.set_xlim(style.at_least(*ax.get_xlim(), LEAST_WIDTH))
        ax.tick_params(axis="y", length=0)
        ax.locator_params(axis="x", nbins=3)
        ax.xaxis.set_major_formatter("{x:g}")
        ax.set_title(f"{style.panel_title(name, metric, common)}: {of_dataset['cv'].iloc[0]:.3f}")
    words = style.metric_words(rows["metric"], common, difference=True)
    words = f"difference from cross-validation* (* uses labels):\n{words}"
    fig.supxlabel(style.own_scales(words, len(shown)), fontsize=8)
    return fig
