"""Draw the Swiss roll laid flat by several kernels, and how well over their parameters."""

from typing import Any

import pandas as pd

from pipeline.drawing import style
from workflow.scripts.claims.plot_style import draw_curve
from workflow.scripts.claims.unrolling import UNROLLED, axis_correlation, draw_sheet, embed

KERNELS: dict[str, dict[str, Any]] = {
    "linear": style.KERNELS["linear"] | {"label": "linear (PCA)"},
    **{kernel: style.KERNELS[kernel] for kernel in ("poly", "rbf", "laplacian")},
    "geodesic": {"color": style.VERMILION, "marker": "o", "label": "geodesic −½ D²"},
}
PARAMETERS = {
    "linear": "no parameter",
    "poly": "degree {:g}",
    "rbf": "γ = {:g} × median",
    "laplacian": "γ = {:g} × median",
    "geodesic": "{:g} neighbours",
}
PANELS = {
    "γ / median heuristic": ("rbf", "laplacian"),
    "degree": ("poly",),
    "neighbours": ("geodesic",),
}


def draw_roll(ax: Any, kernel: str, parameter: float, seed: int) -> Any:
    """Draw two scores of the first roll, coloured by the coordinate along the sheet."""
    X, coordinate = draw_sheet(seed, 0)
    Z = embed(X, kernel, parameter)
    drawn = ax.scatter(*Z.T, c=coordinate, cmap=style.SEQUENTIAL, s=4, linewidths=0)
    r = axis_correlation(Z, coordinate)
    ax.set(title=KERNELS[kernel]["label"], box_aspect=1)
    ax.set_xlabel(f"{PARAMETERS[kernel].format(parameter)}\n|r| = {r:.3f}")
    style.no_scale(ax)
    return drawn


@style.script
def draw(embeddings: pd.DataFrame, seed: int) -> style.Figure:
    """Draw every kernel at its best parameter above, correlation over the parameters below."""
    fig, axes = style.figure(3, 3, height=5.6)
    of_kernel = dict(iter(embeddings.groupby("kernel")))
    for ax, kernel in zip(axes.flat, KERNELS, strict=False):
        best = of_kernel[kernel].groupby("parameter")["value"].mean().idxmax()
        drawn = draw_roll(ax, kernel, float(str(best)), seed)
    axes[1, 2].set_axis_off()
    bar = axes[1, 2].inset_axes((0.1, 0, 0.1, 1))
    fig.colorbar(drawn, cax=bar, label="coordinate along the sheet")
    dashed = {"color": KERNELS["linear"]["color"], "label": KERNELS["linear"]["label"]}
    for ax, (label, kernels) in zip(axes[2], PANELS.items(), strict=True):
        for kernel in kernels:
            draw_curve(ax, of_kernel[kernel], "parameter", KERNELS[kernel])
        ax.axhline(of_kernel["linear"]["value"].mean(), linewidth=0.9, linestyle="--", **dashed)
        ax.axhline(UNROLLED, color=style.GREY, linewidth=0.6, linestyle=":")
        ax.set(xlabel=label, ylim=(0, 1.03))
    style.plain_log(axes[2, 0])
    axes[2, 0].set_ylabel("|r| with the coordinate")
    handles = {h.get_label(): h for ax in axes[2] for h in ax.get_legend_handles_labels()[0]}
    fig.legend(handles=[*handles.values()], loc="outside lower center", ncols=5)
    return fig
