"""Draw level lines of the first components for every two-dimensional dataset."""

from collections.abc import Mapping, Sequence

import numpy as np

from pipeline.drawing import style
from pipeline.drawing.display_choice import Swept, of_sweep, point_name, preferred
from pipeline.drawing.plane import draw_components, region
from pipeline.grid import Point

FAMILIES = ("rbf", "poly")  # else the first that are curved
COMPONENTS = 3
MULTIPLE = 3.0  # of the median γ: wide enough to be smooth, narrow enough to bend
DEGREE = 2.0


def smooth_point(points: Mapping[str, Point]) -> Point:
    """Return the point of a family whose level lines are neither straight nor torn."""

    def oddity(point: Point) -> float:
        multiple = float(point.parameters.get("median", MULTIPLE))
        degree = float(point.parameters.get("degree", DEGREE))
        return abs(np.log(multiple / MULTIPLE)) + abs(degree - DEGREE)

    return min(points.values(), key=oddity)


@style.script
@of_sweep
def draw(sweep: Sequence[Swept]) -> style.Figure:
    """Draw one row per dataset of two columns."""
    rows = [swept for swept in sweep if not swept.dataset.precomputed]
    flat = [swept for swept in rows if swept.dataset.split(0).X_train.shape[1] == 2]
    if not flat:
        return style.note("no dataset of this run has two columns")
    grid = flat[0].grid  # one for all
    curved = [kernel for kernel in grid if kernel != "linear"]
    shown = preferred(curved or grid, FAMILIES, 2)
    columns = COMPONENTS * len(shown)
    width = style.PAGE * columns / 6
    fig, axes = style.figure(len(flat), columns, width=width, height=0.35 + 1.03 * len(flat))
    for swept, row in zip(flat, axes, strict=True):
        X = swept.dataset.split(0).X_train  # of the first replicate
        for kernel, panels in zip(shown, row.reshape(-1, COMPONENTS), strict=True):
            draw_components(panels, swept.model(smooth_point(swept.grid[kernel])), region(X), X)
        row[0].set_ylabel(style.title(swept.dataset.name))
    for ax in axes.flat:
        ax.set_box_aspect(1)
    for ax, kernel in zip(axes[0, ::COMPONENTS], shown, strict=True):
        ax.set_title(point_name(smooth_point(grid[kernel])), loc="left")
    for number, ax in enumerate(axes[-1]):
        ax.set_xlabel(f"component {number % COMPONENTS + 1}")
    return fig
