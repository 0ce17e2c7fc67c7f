"""Draw what changes if nothing is centred: the first axis, and the accuracy."""

import pandas as pd

from pipeline.drawing import style
from workflow.scripts.claims.plot_style import LOST, draw_intervals

PANELS = {"uncentred_few": "2 components", "uncentred": "5 components"}


@style.script
def draw(cosines: pd.DataFrame, losses: pd.DataFrame) -> style.Figure:
    """Draw |cos| of the first axis and the mean on the left, losses of accuracy on the right."""
    fig, axes = style.figure(1, 3, height=3.6, sharey=True)
    left, *others = axes[0]
    draw_intervals(left, cosines, accuracies=False)
    left.set(title="first axis and mean", xlabel="|cos|", xlim=(0, 1.03))
    for ax, (treatment, title) in zip(others, PANELS.items(), strict=True):
        draw_intervals(ax, losses[losses["treatment"] == treatment])
        ax.set_title(f"{title} (own scale)")
    others[0].set_xlabel(LOST, x=1.05)
    fig.legend(*others[0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    return fig
