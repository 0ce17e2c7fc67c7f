"""Draw how well embeddings keep neighbours and distances, and agree on bootstrap samples."""

import numpy as np
import pandas as pd

from workflow.drawing import style

TITLES = {
    "training": "neighbours kept:\ntrustworthiness",
    "distances": "distances kept:\ncorrelation",
    "bootstraps": "repeats on a\nbootstrap: agreement",
}


def finding(embeddings: pd.DataFrame) -> str:
    """Return a sentence that names the method with the largest mean of each measure."""
    means = embeddings.groupby(["measure", "method"], sort=False)["mean"].mean()
    best = {measure: means[measure].idxmax() for measure in TITLES}
    return (
        f"{best['training']} keeps neighbours best, and {best['distances']} distances; "
        f"{best['bootstraps']} repeats best on a bootstrap of the rows."
    )


@style.script
def draw(embeddings: pd.DataFrame) -> style.Figure:
    """Draw a panel per measure, with a line per method and a colour per dataset."""
    if embeddings.empty:
        return style.note("No dataset has two columns.")
    methods = list(dict.fromkeys(embeddings["method"]))
    datasets = list(dict.fromkeys(embeddings["dataset"]))
    groups = dict(list(embeddings.groupby(["measure", "dataset"])))
    height = 0.9 + len(methods) * min(0.11 * (1 + len(datasets)), 0.6)
    fig, axes = style.figure(1, len(TITLES), height=height, sharey=True)
    for ax, (measure, title) in zip(axes.flat, TITLES.items(), strict=True):
        for turn, dataset in enumerate(datasets):
            rows = groups[measure, dataset].set_index("method").loc[methods]
            y = np.arange(len(methods)) + 0.7 * ((turn + 0.5) / len(datasets) - 0.5)
            look = style.class_style(turn) | {"label": style.title(dataset)}
            style.draw_intervals(ax, rows[["mean", "low", "high"]], y, look)
        for column, method in enumerate(methods):
            if rows["mean"].isna()[method]:
                ax.text(0.5, column, "not measured", fontsize=7, ha="center", va="center")
        ax.set_title(title)
        ax.set_xlim(min(-0.05, ax.get_xlim()[0]), 1.1)
    style.name_lines(axes[0, 0], methods)
    style.legend_of(fig, axes[0, 0], columns=4)
    fig.set_label(finding(embeddings))
    return fig
