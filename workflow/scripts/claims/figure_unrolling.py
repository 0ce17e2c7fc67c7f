"""Draw the Swiss roll laid flat by several kernels, and how well over their parameters."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from pipeline.drawing import style
from pipeline.job import run
from workflow.scripts.claims.looks import draw_curve
from workflow.scripts.claims.unrolling import UNROLLED, axis_correlation, draw_sheet, embed

KERNELS: dict[str, dict[str, Any]] = {
    "linear": style.KERNELS["linear"] | {"label": "linear (PCA)"},
    "poly": style.KERNELS["poly"],
    "rbf": style.KERNELS["rbf"],
    "laplacian": style.KERNELS["laplacian"],
    "geodesic": {"color": style.VERMILION, "marker": "o", "label": "geodesic −½ D²"},
}
PARAMETERS = {
    "linear": "no parameter",
    "poly": "degree {:g}",
    "rbf": "γ = {:g}/med",
    "laplacian": "γ = {:g}/med",
    "geodesic": "{:g} neighbours",
}
PANELS = {"multiple of the median γ": ("rbf", "laplacian"), "neighbours": ("geodesic",)}


def draw_roll(ax: Any, kernel: str, parameter: float, seed: int) -> None:
    """Draw two scores of the first roll, coloured by the coordinate along the sheet."""
    X, coordinate = draw_sheet(seed, 0)
    Z = embed(X, kernel, parameter)
    ax.scatter(*Z.T, c=coordinate, cmap=style.SEQUENTIAL, s=4, linewidths=0)
    r = axis_correlation(Z, coordinate)
    ax.set(title=KERNELS[kernel]["label"])
    ax.set_xlabel(f"{PARAMETERS[kernel].format(parameter)}\n|r| = {r:.2f}")
    ax.set_box_aspect(1)
    style.no_scale(ax)


def draw(embeddings: pd.DataFrame, seed: int, paths: Sequence[str]) -> None:
    """Draw every kernel at its best parameter above, correlation over the parameters below."""
    fig, axes = style.figure(2, len(KERNELS), height=4.0, height_ratios=[1, 1.3])
    for ax, kernel in zip(axes[0], KERNELS, strict=True):
        rows = embeddings[embeddings["kernel"] == kernel]
        best = rows.groupby("parameter")["value"].mean().idxmax()
        draw_roll(ax, kernel, float(str(best)), seed)
    grid = axes[0, 0].get_gridspec()
    for ax in axes[1]:
        ax.remove()
    linear = embeddings.loc[embeddings["kernel"] == "linear", "value"].mean()
    dashed = {"color": KERNELS["linear"]["color"], "label": KERNELS["linear"]["label"]}
    for place, (label, kernels) in zip((grid[1, :3], grid[1, 3:]), PANELS.items(), strict=True):
        ax = fig.add_subplot(place)
        for kernel in kernels:
            rows = embeddings[embeddings["kernel"] == kernel]
            draw_curve(ax, rows, "parameter", KERNELS[kernel])
        ax.axhline(linear, linewidth=0.9, linestyle="--", **dashed)
        ax.axhline(UNROLLED, color=style.GREY, linewidth=0.6, linestyle=":")
        ax.set(xlabel=label, ylim=(0, 1.03), ylabel="|r| with the coordinate")
        ax.legend(loc="center" if "rbf" in kernels else "lower left")
        if "rbf" in kernels:
            style.plain_log(ax)
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
