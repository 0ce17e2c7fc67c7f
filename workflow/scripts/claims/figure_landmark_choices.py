"""Draw what five choices of landmarks miss of the trace, on the smile and on the spiral."""

import pandas as pd

from pipeline.drawing import style
from workflow.scripts.claims.landmark_choices import EXAMPLES

LOOKS = {
    "rpcholesky": {"color": style.GREEN, "marker": "^", "label": "random pivots"},
    "uniform": {"color": style.ORANGE, "marker": "s", "label": "uniform"},
    "greedy": {"color": style.VERMILION, "marker": "D", "label": "greedy pivots"},
    "leverage": {"color": style.PURPLE, "marker": "v", "label": "leverage scores"},
    "kmeans": {"color": style.BLUE, "marker": "o", "label": "k-means"},
}
SHIFT = 2  # landmarks, so that marks of equal errors stand side by side


@style.script
def draw(errors: pd.DataFrame) -> style.Figure:
    """Draw the median over draws with their range, one panel per example."""
    fig, axes = style.figure(1, len(EXAMPLES), height=3.2)
    for ax, name in zip(axes[0], EXAMPLES, strict=True):
        for place, (how, look) in enumerate(LOOKS.items()):
            same = (errors["dataset"] == name) & (errors["landmarks"] == how)
            values = errors[same].groupby("n_landmarks")["error"]
            x = values.median().index + SHIFT * (place - len(LOOKS) // 2)
            ax.vlines(x, values.min(), values.max(), color=look["color"], linewidth=1)
            ax.plot(x, values.median(), linewidth=0.8, **look)
        ax.set(xlabel="number of landmarks", title=name, yscale="log")
        ax.set_xticks(sorted(errors["n_landmarks"].unique()))
    axes[0, 0].set_ylabel("tr(K − K̂) / tr(K)")
    style.legend_above(fig, axes[0, 0].get_legend_handles_labels()[0], columns=len(LOOKS))
    return fig
