"""Draw the Swiss roll laid flat by several methods, and how well over their parameters."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pipeline.drawing import style
from pipeline.drawing.curves import curve
from workflow.scripts.claims import sheets
from workflow.scripts.claims.unrolling import UNROLLED, axis_correlation, draw_sheet

METHODS: dict[str, dict[str, Any]] = {
    "linear": style.KERNELS["linear"] | {"label": "linear (PCA)"},
    "rbf": style.KERNELS["rbf"],
    "laplacian": style.KERNELS["laplacian"],
    "geodesic_gaussian": {
        "color": style.GREEN,
        "marker": "^",
        "label": "Gaussian of geodesic distances",
    },
    "geodesic": {"color": style.VERMILION, "marker": "o", "label": "geodesic −½ D² (Isomap)"},
    "lle": {"color": style.ORANGE, "marker": "v", "label": "LLE"},
}
WIDTHS = ("rbf", "laplacian", "geodesic_gaussian")
COUNTS = ("geodesic", "lle")
EXAMPLES = {
    "linear": "PCA\n",
    "rbf": "Gaussian\n",
    "laplacian": "Laplacian\n",
    "geodesic_gaussian": "Gaussian of\ngeodesic distances",
    "geodesic": "geodesic −½ D²\n(Isomap)",
    "lle": "LLE\n",
}
MEDIAN = "multiple of the median γ"


def best_parameter(measured: pd.DataFrame, method: str) -> float:
    """Return the parameter with the largest mean correlation of two components."""
    rows = measured[measured["method"] == method]
    return float(rows.groupby("parameter")["two"].mean().idxmax())


def describe(method: str, parameter: float) -> str:
    """Return the parameter in words for a title."""
    if method == "linear":
        return "no parameter"
    shown = f"{parameter:.2g}"
    return f"{shown} neighbours" if method in COUNTS else f"γ = {shown}/med"


def draw_sheet_panel(
    ax: Any, X: np.ndarray, coordinate: np.ndarray, method: str, parameter: float
) -> None:
    """Draw one method's two coordinates, coloured by the coordinate along the sheet."""
    Z = sheets.embed(X, method, parameter)[:, :2]
    ax.scatter(*Z.T, c=coordinate, cmap=style.SEQUENTIAL, s=4, linewidths=0)
    ax.set_title(EXAMPLES[method])
    r = axis_correlation(Z, coordinate)
    ax.set_xlabel(f"{describe(method, parameter)}\n|r| = {r:.2f}")
    ax.set_box_aspect(1)
    style.no_ticks(ax)
    style.frame(ax)


def draw_curves(ax: Any, measured: pd.DataFrame, names: Sequence[str], column: str) -> None:
    """Draw one measure over the parameter of some methods, with PCA as a line."""
    for name in names:
        rows = measured[measured["method"] == name].assign(value=measured[column])
        points, look = curve(rows, "parameter", None), METHODS[name]
        ax.plot(points["parameter"], points["mean"], **look)
        low, high = points["low"].clip(lower=0), points["high"].clip(upper=1)
        ax.fill_between(points["parameter"], low, high, color=look["color"], alpha=0.15)
    linear = measured[measured["method"] == "linear"][column].mean()
    look = METHODS["linear"]
    ax.axhline(linear, color=look["color"], linewidth=0.9, linestyle="--", label=look["label"])


def draw(measured: pd.DataFrame, seed: int, paths: Sequence[str]) -> None:
    """Draw examples above, correlation and trustworthiness over the parameters below."""
    fig, axes = style.figure(2, 6, height=4.4, height_ratios=[1, 1.5])
    grid = axes[0, 0].get_gridspec()
    for ax in axes.flat:
        ax.remove()
    X, coordinate = draw_sheet(seed, 0)
    for i, method in enumerate(EXAMPLES):
        ax = fig.add_subplot(grid[0, i])
        draw_sheet_panel(ax, X, coordinate, method, best_parameter(measured, method))
    panels = [fig.add_subplot(grid[1, 2 * i : 2 * i + 2]) for i in range(3)]
    draw_curves(panels[0], measured, WIDTHS, "two")
    draw_curves(panels[1], measured, COUNTS, "two")
    draw_curves(panels[2], measured, WIDTHS, "trustworthiness")
    for ax in panels[:2]:
        ax.axhline(UNROLLED, color=style.GREY, linewidth=0.6, linestyle=":")
        ax.set_ylim(0, 1.03)
    for ax in (panels[0], panels[2]):
        style.plain_log(ax)
        ax.set_xlabel(MEDIAN)
    panels[0].set(ylabel="|r| with the sheet's coordinate", title="two components, over γ")
    panels[1].set(xlabel="neighbours", title="two coordinates, over neighbours")
    panels[2].set(ylabel="trustworthiness", ylim=(0.5, 1.02), title="two components, over γ")
    handles = {name: handle for ax in panels for handle, name in labelled(ax)}
    fig.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3)
    style.save(fig, paths)


def labelled(ax: Any) -> list[tuple[Any, str]]:
    """Return the handles of a panel's legend with their labels."""
    return list(zip(*ax.get_legend_handles_labels(), strict=True))


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        table = pd.read_csv(snakemake.input["embeddings"])
        draw(table, snakemake.params.seed, snakemake.output)
