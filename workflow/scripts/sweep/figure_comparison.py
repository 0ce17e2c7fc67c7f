"""Draw how methods compare with PCA on every dataset: paired differences on test rows."""

import pandas as pd

from kpca.study.scoring.methods import CHANCE, METHODS
from kpca.study.scoring.metrics import METRICS
from workflow.drawing import forest, style

COLUMNS = 3
FEWEST = 4  # lines that a panel has room for


@style.script
def draw(comparisons: pd.DataFrame, datasets: pd.DataFrame, clustering: bool) -> style.Figure:
    """Draw the gain of every method that clusters, or of every other, one panel per dataset."""
    chosen = [n for n, m in METHODS.items() if (m.gives == "clusters") == clustering]
    methods = [name for name in chosen if name not in CHANCE.values()]
    rows = forest.lines(comparisons, methods).dropna(subset="gain")
    if rows.empty:
        return style.note("No dataset has what these methods need.")
    shown = [name for name in datasets["dataset"] if name in set(rows["dataset"])]
    names = forest.order(rows)
    fig, axes = style.panels(
        len(shown), columns=COLUMNS, height=0.4 + 0.125 * max(len(names), FEWEST), sharey=True
    )
    common = rows["metric"].mode()[0]
    for ax, name in zip(axes, shown, strict=True):
        of_dataset = rows[rows["dataset"] == name]
        metric = of_dataset["metric"].iloc[0]
        margin = 100 * METRICS[metric].margin
        ax.axvspan(-margin, margin, color="#E4E4E4", linewidth=0, zorder=0)
        ax.axvline(0, color=style.GREY, linewidth=0.6, zorder=0)
        forest.draw(ax, of_dataset, names, "gain")
        ax.set_title(style.panel_title(name, metric, common))
        ax.locator_params(axis="x", nbins=3)
    words = style.metric_words(rows["metric"], common, difference=True)
    words = style.own_scales(f"difference from PCA:\n{words}", len(shown))
    fig.supxlabel(words, fontsize=8)
    style.legend_above(fig, forest.legend_handles(), columns=2)
    return fig
