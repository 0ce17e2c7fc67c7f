"""Draw the width of the Gaussian kernel: linear PCA at one end, locality at the other."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca import KernelPCA
from pipeline.datasets.generators import moons
from pipeline.drawing import style
from pipeline.drawing.plane import draw_components, region
from pipeline.seeds import rng_for
from workflow.scripts.claims.limits import DATASETS
from workflow.scripts.claims.plot_style import draw_curve
from workflow.scripts.claims.separability import gaussian

LOOKS = {
    "rings": {"color": style.BLUE, "marker": "o"},
    "swiss_roll": {"color": style.ORANGE, "marker": "s"},
    "wine": {"color": style.VERMILION, "marker": "^"},
    "digits": {"color": style.GREEN, "marker": "D"},
}
WIDTHS = (0.1, 0.3, 1, 3, 100)
ROWS = 200


def draw_angle(ax: Any, rows: pd.DataFrame, look: dict[str, Any], label: str) -> None:
    """Draw the geometric mean of the angle over σ."""
    means = np.exp(np.log(rows["angle"]).groupby(rows["width"]).mean())
    ax.plot(means.index, means, **look, linestyle="-", label=label)


def draw_examples(axes: Sequence[Any], seed: int) -> None:
    """Draw level lines of the first component for widths from small to large, and of PCA."""
    X = moons(ROWS, rng_for(seed, "limits", "moons")).X
    box = region(X)
    for ax, width in zip(axes, WIDTHS, strict=False):
        draw_components([ax], gaussian(X, width**-2, 1), box, X)
        ax.set_title(f"σ = {width:g}")
    draw_components([axes[-1]], KernelPCA(1, kernel="linear").fit(X), box, X)
    axes[-1].set_title("PCA")


@style.script
def draw(widths: pd.DataFrame, seed: int) -> style.Figure:
    """Draw what was measured above, examples below."""
    fig, axes = style.figure(2, 6, height=3.9, height_ratios=[2, 1])
    grid = axes[0, 0].get_gridspec()
    for ax in axes[0]:
        ax.remove()
    panels = [fig.add_subplot(grid[0, 3 * i : 3 * i + 3]) for i in range(2)]
    for name in DATASETS:
        rows, look = widths[widths["dataset"] == name], LOOKS[name]
        draw_angle(panels[0], rows, look, style.title(name))
        draw_curve(panels[1], rows.assign(value=rows["spread"]), "width", look, most=np.inf)
    for ax, title in zip(panels, ("two components", "five components"), strict=True):
        style.plain_log(ax)
        ax.set(xlabel="σ / median σ", title=title)
    panels[0].set(yscale="log", ylim=(1e-5, 4), ylabel="angle to the plane\nof PCA (radians)")
    panels[1].set(ylabel="spread of the rows that carry\na component / of all rows", ylim=(0, None))
    draw_examples(axes[1], seed)
    fig.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig
