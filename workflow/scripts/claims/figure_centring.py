"""Draw the spectra that the formula of centring gives, right and as misprinted."""

from typing import Any

import pandas as pd

from pipeline.drawing import style

FORMULAS: dict[str, dict[str, Any]] = {
    "1-centring": {"color": style.BLACK, "marker": "o", "label": "correct: + EKE"},
    "1-misprinted-sign": {"color": style.VERMILION, "marker": "s", "label": "misprint: − EKE"},
    "1-unscaled-ones": {"color": style.PURPLE, "marker": "^", "label": "misprint: 1 for 1/n"},
}
RING: dict[str, Any] = {"marker": "o", "markersize": 8, "color": style.GREY, "fillstyle": "none"}
NEAR = 0.1  # below it the scale of eigenvalues is linear


@style.script
def draw(spectra: pd.DataFrame) -> style.Figure:
    """Draw eigenvalues by modulus on a scale with a sign, and rings around constant components."""
    fig, ((ax,),) = style.figure(height=2.4)
    for place, (name, look) in enumerate(FORMULAS.items()):
        rows = spectra[spectra["formula"] == name]
        x = rows["component"] + 0.22 * (place - 1)
        ax.vlines(x, 0, rows["eigenvalue"], color=look["color"], linewidth=0.8)
        ax.plot(x, rows["eigenvalue"], linestyle="", **look)
        constant = rows["constancy"] > 0.5
        ax.plot(x[constant], rows["eigenvalue"][constant], linestyle="", **RING)
    ax.plot([], [], linestyle="", label="constant component", **RING)
    ax.axhline(0, color=style.GREY, linewidth=0.6)
    ax.set_yscale("symlog", linthresh=NEAR)
    ax.set_yticks([-100, -1, 0, 1, 100, 1e4, 1e6])
    ax.set(xlabel="component, by modulus", ylabel="eigenvalue", ylim=(-3e3, 3e7))
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return fig
