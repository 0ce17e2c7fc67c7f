"""Draw the width of the Gaussian kernel: linear PCA at one end, locality at the other."""

import numpy as np
import pandas as pd

from kpca import KernelPCA
from pipeline.datasets.generators import moons
from pipeline.drawing import style
from pipeline.drawing.plane import draw_components, region
from pipeline.seeds import rng_for
from workflow.scripts.claims.plot_style import draw_curve
from workflow.scripts.claims.separability import gaussian

LOOKS = {
    "rings": {"color": style.BLUE, "marker": "o"},
    "swiss_roll": {"color": style.ORANGE, "marker": "s"},
    "wine": {"color": style.VERMILION, "marker": "^"},
    "digits": {"color": style.GREEN, "marker": "D"},
}
WIDTHS = (0.1, 0.3, 1, 3, 100)
"""Of the examples; σ is in multiples of the median heuristic."""


@style.script
def draw(widths: pd.DataFrame, seed: int) -> style.Figure:
    """Draw the geometric mean of the angle and the mean spread above, examples below."""
    fig, axes = style.figure(2, 6, height=3.9, height_ratios=[2, 1])
    left, right = axes[0, 0], axes[0, 3]
    for ax in (*axes[0, 1:3], *axes[0, 4:]):
        ax.remove()
    for ax, columns in ((left, slice(0, 3)), (right, slice(3, 6))):
        ax.set_subplotspec(ax.get_gridspec()[0, columns])
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
    X = moons(200, rng_for(seed, "limits", "moons")).X
    models = {f"σ = {width:g}": gaussian(X, width**-2, 1) for width in WIDTHS}
    models["PCA"] = KernelPCA(1, kernel="linear").fit(X)
    for ax, (title, model) in zip(axes[1], models.items(), strict=True):
        draw_components([ax], model, region(X), X)
        ax.set_title(title)
    fig.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig
