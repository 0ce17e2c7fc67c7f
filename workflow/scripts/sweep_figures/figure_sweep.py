"""Draw training, validation and test scores along one parameter of a kernel."""

import pandas as pd

from kpca.study.evidence.comparison import overlaps
from kpca.study.evidence.selection import best_setting, by_first_method, by_main_metric, scores_at
from kpca.study.evidence.statistics import curve
from kpca.study.scoring.methods import ON_SCORES
from workflow.drawing import style
from workflow.drawing.display_choice import Grid, Points, points_by_id

COLUMNS = 3
LEAST_HEIGHT = 0.1
AXES = {"degree": "degree d of the polynomial kernel"}


def sweep(scores: pd.DataFrame, grid: Grid, kernel: str, parameter: str) -> pd.DataFrame:
    """Return one row per dataset, replicate, split and value of the parameter.

    Components, C and the kernel's other parameters have the best validation score at every value.
    """
    values = {cell: point.parameters.get(parameter) for cell, point in grid[kernel].items()}
    values = {cell: value for cell, value in values.items() if value is not None}
    rows = by_main_metric(by_first_method(scores[scores["cell"].isin(values)], ON_SCORES))
    rows = rows.assign(along=rows["cell"].map(values))
    return scores_at(rows, best_setting(rows, ["dataset", "replicate", "along"]))


@style.script
def draw(
    scores: pd.DataFrame, datasets: pd.DataFrame, points: Points, kernel: str, parameter: str
) -> style.Figure:
    """Draw one panel per dataset."""
    swept = sweep(scores, points_by_id(points), kernel, parameter)
    if swept.empty:
        return style.note("No dataset has labels or a target: there is no score to draw.")
    names = [n for n in datasets["dataset"] if n in set(swept["dataset"])]
    fig, axes = style.panels(len(names), columns=COLUMNS, height=1.35, sharex=True)
    overlap, common = overlaps(datasets), swept["metric"].mode()[0]
    for ax, name in zip(axes, names, strict=True):
        of_dataset = swept[swept["dataset"] == name]
        for split, look in style.SPLITS.items():
            line = curve(of_dataset[of_dataset["split"] == split], "along", overlap[name])
            if split == "test":
                band = line["low"].clip(lower=-1), line["high"].clip(upper=1)
                shade = {"color": look["color"], "alpha": 0.15, "linewidth": 0}
                ax.fill_between(line["along"], *band, **shade)
            ax.plot(line["along"], line["mean"], **look)
        ax.set_title(style.panel_title(name, of_dataset["metric"].iloc[0], common))
        low, high = style.at_least(*ax.get_ylim(), LEAST_HEIGHT)
        ax.set_ylim(low, min(high, 1 + 0.04 * (1 - low)))  # no score exceeds 1
        ax.set_xticks(sorted(set(swept["along"])))
    fig.supxlabel(AXES[parameter], fontsize=8)
    words = style.metric_words(swept["metric"], common)
    fig.supylabel(style.own_scales(words, len(names)), fontsize=8)
    style.legend_above(fig, *axes[0].get_legend_handles_labels(), columns=3)
    return fig
