"""Draw training and test accuracy over the degree of the polynomial kernel."""

import pandas as pd

from pipeline.drawing import style
from workflow.scripts.claims.plot_style import draw_curve

USES = {"tuned": "32 components,\nC by cross-validation", "all": "all components,\nvariance 1"}


@style.script
def draw(scores: pd.DataFrame) -> style.Figure:
    """Draw one row per use and one column per dataset, all on one scale of accuracy."""
    names = list(scores["dataset"].unique())
    options = {"sharex": True, "sharey": True}
    fig, axes = style.figure(len(USES), len(names), height=3.2, **options)
    for row, (use, title) in zip(axes, USES.items(), strict=True):
        row[0].set_ylabel(f"{title}\nbalanced accuracy")
        for ax, name in zip(row, names, strict=True):
            rows = scores[(scores["dataset"] == name) & (scores["use"] == use)]
            for side in ("train", "test"):
                look = style.SPLITS[side] | {"markersize": 2.5}
                draw_curve(ax, rows[rows["split"] == side], "degree", look)
    for ax, name in zip(axes[0], names, strict=True):
        ax.set_title(style.title(name))
    for ax in axes[-1]:
        ax.set_xticks([1, 5, 9])
    fig.supxlabel("degree", fontsize=8)
    handles, _ = axes[0, 0].get_legend_handles_labels()
    style.legend_above(fig, handles, columns=2)
    return fig
