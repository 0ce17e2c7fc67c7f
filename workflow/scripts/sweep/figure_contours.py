"""Draw level lines of the first components for every two-dimensional dataset."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeline.datasets.dataset import Dataset
from pipeline.drawing import style
from pipeline.drawing.display_choice import Grid, model_of, of_sweep, point_name
from pipeline.drawing.plane import draw_components, region
from pipeline.grid import Point

FAMILIES = ("rbf", "poly")  # where the grid has them; else the first that is curved
COMPONENTS = 3
MULTIPLE = 3.0  # of the median γ: wide enough to be smooth, narrow enough to bend
DEGREE = 2.0


def shown_families(kernels: Sequence[str]) -> list[str]:
    """Return the families to be drawn, two at most."""
    wanted = [kernel for kernel in FAMILIES if kernel in kernels]
    return (wanted or [kernel for kernel in kernels if kernel != "linear"] or list(kernels))[:2]


def smooth_point(points: Mapping[str, Point]) -> Point:
    """Return the point of a family whose level lines are neither straight nor torn."""

    def oddity(point: Point) -> float:
        multiple = float(point.parameters.get("median", MULTIPLE))
        return abs(np.log(multiple / MULTIPLE)) + abs(
            float(point.parameters.get("degree", DEGREE)) - DEGREE
        )

    return min(points.values(), key=oddity)


def draw_row(
    axes: Sequence[Any], dataset: Dataset, families: Mapping[str, str], grid: Grid, shown: list[str]
) -> None:
    """Draw the components of each family on the training rows of the first replicate."""
    X = dataset.split(0).X_train
    for place, kernel in enumerate(shown):
        panels = axes[place * COMPONENTS : (place + 1) * COMPONENTS]
        point = smooth_point(grid[kernel])
        draw_components(panels, model_of(dataset, families[kernel], point), region(X), X)
        for ax in panels:
            ax.set_box_aspect(1)
    axes[0].set_ylabel(style.title(dataset.name))


@style.script
@of_sweep
def draw(
    datasets: Sequence[Dataset], fits: Mapping[str, Mapping[str, str]], grid: Grid
) -> style.Figure:
    """Draw one row per dataset of two columns."""
    flat = [d for d in datasets if not d.precomputed and d.split(0).X_train.shape[1] == 2]
    if not flat:
        return style.note("no dataset of this run has two columns")
    shown = shown_families([kernel for kernel in grid if kernel in fits[flat[0].name]])
    columns = COMPONENTS * len(shown)
    width = style.PAGE * columns / 6
    fig, axes = style.figure(len(flat), columns, width=width, height=0.35 + 1.03 * len(flat))
    for dataset, row in zip(flat, axes, strict=True):
        draw_row(row, dataset, fits[dataset.name], grid, shown)
    for ax, kernel in zip(axes[0, ::COMPONENTS], shown, strict=True):  # one grid for all
        ax.set_title(point_name(smooth_point(grid[kernel])), loc="left")
    for number, ax in enumerate(axes[-1]):
        ax.set_xlabel(f"component {number % COMPONENTS + 1}")
    return fig
