"""Draw how closely the routes of PCA agree, and that all spectra are one."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from pipeline.job import run
from workflow.scripts.linear.agreement import ANGLE_TOLERANCE, EIGENVALUE_TOLERANCE

ROUTES = {
    "svd": ("SVD", style.BLACK),
    "covariance": ("covariance (d × d)", style.BLUE),
    "dual": ("dual (n × n)", style.ORANGE),
    "deflation": ("deflation", style.GREEN),
    "regression": ("regression", style.VERMILION),
}
MARKERS = ("o", "s", "^")
SPECTRA = {
    "XᵀX": ("o", style.SKY, 6.5, "eigenvalues of $X^T X$"),
    "XXᵀ": ("s", style.VERMILION, 4.0, "eigenvalues of $X X^T$"),
    "σ²": (".", style.BLACK, 3.0, "squared singular values of $X$"),
}
FLOOR = 1e-17


def draw(
    linear_agreement: pd.DataFrame, linear_spectra: pd.DataFrame, paths: Sequence[str]
) -> None:
    """Draw differences of eigenvalues and of spans, and the three spectra."""
    fig, axes = style.figure(1, 3, height=2.6, width_ratios=[1, 1, 1.2])
    _differences(axes[0, 0], linear_agreement, "eigenvalue_error", EIGENVALUE_TOLERANCE)
    _differences(axes[0, 1], linear_agreement, "angle", ANGLE_TOLERANCE)
    axes[0, 0].set_xlabel("eigenvalues: $|Δλ| / λ_1$")
    axes[0, 1].set_xlabel("spans: angle (radians)")
    axes[0, 1].set_yticklabels([])
    handles, labels = axes[0, 0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower left", ncols=3)
    _spectra(axes[0, 2], linear_spectra)
    style.save(fig, paths)


def _differences(ax: Axes, agreement: pd.DataFrame, column: str, tolerance: float) -> None:
    # The SVD is what the others are compared with.
    routes = [route for route in ROUTES if route != "svd"]
    names = agreement["data"].unique()
    for i, (name, marker) in enumerate(zip(names, MARKERS, strict=True)):
        rows = agreement[agreement["data"] == name].set_index("route").loc[routes]
        heights = [j + 0.2 * (i - 1) for j in range(len(routes))]
        colours = [ROUTES[route][1] for route in routes]
        ax.scatter(rows[column].clip(lower=FLOOR), heights, c=colours, marker=marker, s=18)
        ax.scatter([], [], c=style.GREY, marker=marker, s=18, label=name)
    ax.axvline(tolerance, color=style.BLACK, linestyle="--", linewidth=0.8)
    ax.annotate("tolerance", (tolerance, 3.55), fontsize=7, rotation=90, ha="right", va="top")
    ax.set_yticks(range(len(routes)), [ROUTES[route][0] for route in routes])
    ax.set(xscale="log", xlim=(FLOOR, 1e-7), ylim=(-0.5, 3.6))
    ax.set_xticks([1e-16, 1e-13, 1e-10])


def _spectra(ax: Axes, spectra: pd.DataFrame) -> None:
    for matrix, (marker, colour, size, label) in SPECTRA.items():
        rows = spectra[spectra["matrix"] == matrix]
        ax.plot(
            rows["index"],
            rows["value"].abs().clip(lower=FLOOR),
            marker,
            color=colour,
            markersize=size,
            label=label,
            fillstyle="none" if marker == "s" else "full",
        )
    ax.set(yscale="log", ylim=(FLOOR, 10), xlabel="index", ylabel="value / largest")
    ax.legend(loc="center left")


if __name__ == "__main__":
    run(draw)
