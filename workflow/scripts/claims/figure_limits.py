"""Draw the width of the Gaussian kernel: linear PCA at one end, locality at the other."""

import numpy as np
import pandas as pd

from pipeline.drawing import style
from workflow.scripts.claims.plot_style import draw_curve

LOOKS = {
    "rings": {"color": style.BLUE, "marker": "o"},
    "swiss_roll": {"color": style.ORANGE, "marker": "s"},
    "wine": {"color": style.VERMILION, "marker": "^"},
    "digits": {"color": style.GREEN, "marker": "D"},
}


@style.script
def draw(widths: pd.DataFrame) -> style.Figure:
    """Draw the geometric mean of the angle on the left, the mean spread on the right."""
    fig, ((left, right),) = style.figure(1, 2, height=2.7)
    for name, look in LOOKS.items():
        rows = widths[widths["dataset"] == name]
        angles = np.exp(np.log(rows["angle"]).groupby(rows["width"]).mean())
        left.plot(angles, **look, label=style.title(name))
        draw_curve(right, rows.assign(value=rows["spread"]), "width", look, most=np.inf)
    for ax, title in ((left, "two components"), (right, "five components")):
        style.plain_log(ax)
        ax.set(xlabel="σ / median σ", title=title)
    left.set(yscale="log", ylim=(1e-5, 4), ylabel="angle to the plane\nof PCA (radians)")
    right.set(ylabel="spread of the rows that carry\na component / of all rows", ylim=(0, None))
    fig.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig
