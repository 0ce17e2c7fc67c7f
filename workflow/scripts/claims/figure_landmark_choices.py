"""Draw what five choices of landmarks miss of the trace, on the smile and on the spiral."""

import pandas as pd

from pipeline.drawing import style

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
    fig, (panels,) = style.figure(1, errors["dataset"].nunique(), height=3.2)
    for ax, (name, rows) in zip(panels, errors.groupby("dataset", sort=False), strict=True):
        for place, (how, look) in enumerate(LOOKS.items()):
            values = rows[rows["landmarks"] == how].groupby("n_landmarks")["error"]
            x = values.median().index + SHIFT * (place - len(LOOKS) // 2)
            ax.vlines(x, values.min(), values.max(), color=look["color"], linewidth=1)
            ax.plot(x, values.median(), linewidth=0.8, **look)
        ax.set(xlabel="number of landmarks", title=name, yscale="log")
        ax.set_xticks(sorted(rows["n_landmarks"].unique()))
    panels[0].set_ylabel("tr(K − K̂) / tr(K)")
    style.legend_above(fig, panels[0].get_legend_handles_labels()[0], columns=len(LOOKS))
    return fig
