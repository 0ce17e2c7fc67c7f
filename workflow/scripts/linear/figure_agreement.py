"""Draw how closely the routes of PCA agree, and that all spectra are one."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from workflow.scripts.linear.agreement import ANGLE_TOLERANCE, EIGENVALUE_TOLERANCE

ROUTES = {
    "covariance": "covariance (d × d)",
    "dual": "dual (n × n)",
    "deflation": "deflation",
    "regression": "regression",
}
"""Routes other than the SVD, with which they are compared."""

MARKERS = ("o", "s", "^")
SPECTRA = {
    "XᵀX": ("o", style.SKY, 6.5, "eigenvalues of $X^T X$"),
    "XXᵀ": ("s", style.VERMILION, 4.0, "eigenvalues of $X X^T$"),
    "σ²": (".", style.BLACK, 3.0, "squared singular values of $X$"),
}
FLOOR = 1e-17


def _differences(ax: Axes, agreement: pd.DataFrame, column: str, tolerance: float) -> None:
    names = agreement["data"].unique()
    for i, (name, marker) in enumerate(zip(names, MARKERS, strict=True)):
        rows = agreement[agreement["data"] == name].set_index("route").loc[[*ROUTES]]
        places, heights = rows[column].clip(lower=FLOOR), np.arange(len(ROUTES)) + 0.2 * (i - 1)
        ax.scatter(places, heights, c=style.BLUE, marker=marker, s=18, label=name)
    ax.axvline(tolerance, color=style.BLACK, linestyle="--", linewidth=0.8)
    ax.annotate("tolerance", (tolerance, 3.55), fontsize=7, rotation=90, ha="right", va="top")
    ax.set_yticks(range(len(ROUTES)), ROUTES.values())
    ax.set(xscale="log", xlim=(FLOOR, 1e-7), ylim=(-0.5, 3.6))
    ax.set_xticks([1e-16, 1e-13, 1e-10])


def _spectra(ax: Axes, spectra: pd.DataFrame) -> None:
    for matrix, (marker, colour, size, label) in SPECTRA.items():
        rows = spectra[spectra["matrix"] == matrix]
        look: dict[str, Any] = {"color": colour, "fillstyle": "none" if marker == "s" else "full"}
        heights = rows["value"].abs().clip(lower=FLOOR)
        ax.plot(rows["index"], heights, marker, markersize=size, label=label, **look)
    ax.set(yscale="log", ylim=(FLOOR, 10), xlabel="index", ylabel="value / largest")
    ax.legend(loc="upper center", bbox_to_anchor=(0.4, -0.25))


@style.script
def draw(linear_agreement: pd.DataFrame, linear_spectra: pd.DataFrame) -> style.Figure:
    """Draw differences of eigenvalues and of spans, and the three spectra."""
    fig, axes = style.figure(1, 3, height=2.9, width_ratios=[1, 1, 1.2])
    _differences(axes[0, 0], linear_agreement, "eigenvalue_error", EIGENVALUE_TOLERANCE)
    _differences(axes[0, 1], linear_agreement, "angle", ANGLE_TOLERANCE)
    axes[0, 0].set_xlabel("eigenvalues: $|Δλ| / λ_1$")
    axes[0, 1].set_xlabel("spans: angle (radians)")
    axes[0, 1].set_yticklabels([])
    style.legend_above(fig, *axes[0, 0].get_legend_handles_labels(), columns=3)
    _spectra(axes[0, 2], linear_spectra)
    return fig
