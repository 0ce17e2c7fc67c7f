"""Draw the spectra and first two scores of the formula of centring, right and as misprinted."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from workflow.scripts.claims.plot_style import draw_classes, whole_row

FORMULAS: dict[str, dict[str, Any]] = {
    "1-centring": {"color": style.BLACK, "marker": "o", "label": "correct: + EKE"},
    "1-misprinted-sign": {"color": style.VERMILION, "marker": "s", "label": "misprint: − EKE"},
    "1-unscaled-ones": {"color": style.PURPLE, "marker": "^", "label": "misprint: 1 for 1/n"},
}
CONSTANT: dict[str, Any] = {
    **{"linestyle": "", "marker": "o", "markersize": 8},
    **{"color": style.GREY, "fillstyle": "none"},
}
CLUSTERS = ("cluster 0", "cluster 1", "cluster 2")
NEAR = 0.1  # below it the scale of eigenvalues is linear


def draw_spectra(ax: Axes, spectra: pd.DataFrame) -> None:
    """Draw eigenvalues by modulus on a scale with a sign, constant components hollow."""
    for place, (name, look) in enumerate(FORMULAS.items()):
        rows = spectra[spectra["formula"] == name]
        x = rows["component"] + 0.22 * (place - 1)
        ax.vlines(x, 0, rows["eigenvalue"], color=look["color"], linewidth=0.8)
        ax.plot(x, rows["eigenvalue"], linestyle="", **look)
        constant = rows["constancy"] > 0.5
        ax.plot(x[constant], rows["eigenvalue"][constant], **CONSTANT)
    ax.plot([], [], **CONSTANT, label="constant component")
    ax.axhline(0, color=style.GREY, linewidth=0.6)
    ax.set_yscale("symlog", linthresh=NEAR)
    ax.set_yticks([-100, -1, 0, 1, 100, 1e4, 1e6])
    ax.set(xlabel="component, by modulus", ylabel="eigenvalue", ylim=(-3e3, 3e7))
    ax.set_xticks(sorted(spectra["component"].unique()))


def draw_scores(ax: Axes, rows: pd.DataFrame, title: str) -> None:
    """Scatter the first two scores, coloured by cluster."""
    draw_classes(ax, rows[["first", "second"]].to_numpy(), rows["label"].to_numpy(), CLUSTERS)
    middle = rows["first"].mean()
    spread = max(np.ptp(rows["first"]), np.ptp(rows["second"]))
    ax.set(xlim=(middle - 0.65 * spread, middle + 0.65 * spread), title=title, xlabel="score 1")
    ax.set_xticks(np.round([middle - spread / 3, middle + spread / 3], 1))
    ax.ticklabel_format(axis="x", useOffset=False)


@style.script
def draw(spectra: pd.DataFrame, scores: pd.DataFrame) -> style.Figure:
    """Draw the spectra above, the scores of each formula below."""
    fig, axes = style.figure(2, 3, height=4.4)
    above = whole_row(axes, 0)
    draw_spectra(above, spectra)
    above.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    for ax, (name, look) in zip(axes[1], FORMULAS.items(), strict=True):
        draw_scores(ax, scores[scores["formula"] == name], look["label"])
    axes[1, 0].set_ylabel("score 2")
    style.legend_above(fig, axes[1, 0].get_legend_handles_labels()[0], columns=3)
    return fig
