"""Draw training and test accuracy over the degree of the polynomial kernel."""

import pandas as pd

from pipeline.drawing import style
from workflow.scripts.claims.plot_style import draw_curve

USES = {"tuned": "32 components,\nC by cross-validation", "all": "all components,\nvariance 1"}


@style.script
def draw(scores: pd.DataFrame) -> style.Figure:
    """Draw one row per use and one column per dataset, all on one scale of accuracy."""
    names = list(scores["dataset"].unique())
    fig, axes = style.figure(len(USES), len(names), height=3.2, sharex=True, sharey=True)
    for key, rows in scores.groupby(["use", "dataset", "split"], sort=False):
        use, dataset, side = map(str, key)
        ax = axes[[*USES].index(use), names.index(dataset)]
        draw_curve(ax, rows, "degree", style.SPLITS[side] | {"markersize": 2.5})
    for ax, title in zip(axes[:, 0], USES.values(), strict=True):
        ax.set_ylabel(f"{title}\nbalanced accuracy")
    for ax, name in zip(axes[0], names, strict=True):
        ax.set_title(style.title(name))
    axes[0, 0].set_xticks([1, 5, 9])
    fig.supxlabel("degree", fontsize=8)
    style.legend_above(fig, axes[0, 0].get_legend_handles_labels()[0], columns=2)
    return fig
