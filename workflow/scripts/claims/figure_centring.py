"""Draw the spectra and first two scores of the formula of centring, right and as misprinted."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style

FORMULAS: dict[str, dict[str, Any]] = {
    "1-centring": {"color": style.BLACK, "marker": "o", "label": "correct: + EKE"},
    "1-misprinted-sign": {"color": style.VERMILION, "marker": "s", "label": "misprint: − EKE"},
    "1-unscaled-ones": {"color": style.PURPLE, "marker": "^", "label": "misprint: 1 for 1/n"},
}
NEAR = 0.1  # below it the scale of eigenvalues is linear


def draw_spectra(ax: Axes, spectra: pd.DataFrame) -> None:
    """Draw eigenvalues by modulus on a scale with a sign, constant components hollow."""
    for place, (name, look) in enumerate(FORMULAS.items()):
        rows = spectra[spectra["formula"] == name]
        x = rows["component"] + 0.22 * (place - 1)
        ax.vlines(x, 0, rows["eigenvalue"], color=look["color"], linewidth=0.8)
        ax.plot(x, rows["eigenvalue"], linestyle="", **look)
        constant = rows["constancy"] > 0.5
        ax.plot(
            x[constant],
            rows["eigenvalue"][constant],
            linestyle="",
            marker="o",
            markersize=8,
            color=style.GREY,
            fillstyle="none",
            label="constant component" if name == "1-unscaled-ones" else None,
        )
    ax.axhline(0, color=style.GREY, linewidth=0.6)
    ax.set_yscale("symlog", linthresh=NEAR)
    ax.set_yticks([-100, -1, 0, 1, 100, 1e4, 1e6])
    ax.set(xlabel="component, by modulus", ylabel="eigenvalue", ylim=(-3e3, 3e7))
    ax.set_xticks(sorted(spectra["component"].unique()))


def draw_scores(ax: Axes, rows: pd.DataFrame, title: str) -> None:
    """Scatter the first two scores, coloured by cluster."""
    for label, points in rows.groupby("label"):
        ax.scatter(
            points["first"],
            points["second"],
            s=9,
            linewidths=0,
            label=f"cluster {label}",
            **style.class_style(int(str(label))),
        )
    middle = rows["first"].mean()
    spread = max(np.ptp(rows["first"]), np.ptp(rows["second"]))
    ax.set(xlim=(middle - 0.65 * spread, middle + 0.65 * spread), title=title)
    ax.set(xlabel="score 1", ylabel="score 2")
    ax.set_xticks(np.round([middle - spread / 3, middle + spread / 3], 1))
    ax.ticklabel_format(axis="x", useOffset=False)


@style.script
def draw(spectra: pd.DataFrame, scores: pd.DataFrame) -> style.Figure:
    """Draw the spectra on the left, the scores of each formula on the right."""
    fig, axes = style.figure(2, 3, height=4.4)
    grid = axes[0, 0].get_gridspec()
    for ax in axes[0]:
        ax.remove()
    above = fig.add_subplot(grid[0, :])
    draw_spectra(above, spectra)
    for ax, (name, look) in zip(axes[1], FORMULAS.items(), strict=True):
        draw_scores(ax, scores[scores["formula"] == name], str(look["label"]))
    for ax in axes[1, 1:]:
        ax.set_ylabel("")
    above.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    style.legend_above(fig, axes[1, 0].get_legend_handles_labels()[0], columns=3)
    return fig
