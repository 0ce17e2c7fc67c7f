"""Draw level lines of components in the plane."""

from collections.abc import Mapping, Sequence

import numpy as np

from kpca.study.fitting.grid import Point
from workflow.drawing import display_choice, style
from workflow.drawing.display_choice import Points, read_sweep
from workflow.drawing.plane import draw_components, region

PLANES = ("rings", "moons", "clusters")  # preferred datasets; others replace missing ones
CONTOURS = ("rbf", "poly")  # preferred kernels; other nonlinear ones replace missing ones
COMPONENTS = 3
MULTIPLE = 3.0  # multiple of the median γ: wide enough to be smooth, narrow enough to bend
DEGREE = 2.0
# Finding of a figure that shows the kernels `CONTOURS` at `MULTIPLE` and `DEGREE`.
FINDING = (
    "Gaussian components have hills and valleys at groups of points; level lines of a polynomial "
    "kernel of degree 2 are conics."
)


def smooth_point(points: Mapping[str, Point]) -> Point:
    """Return the setting of a kernel whose level lines are neither straight nor torn."""

    def oddity(point: Point) -> float:
        multiple = float(point.parameters.get("median", MULTIPLE))
        degree = float(point.parameters.get("degree", DEGREE))
        return abs(np.log(multiple / MULTIPLE)) + abs(degree - DEGREE)

    return min(points.values(), key=oddity)


@style.script
def contours(datasets: Sequence[str], fits: Sequence[str], points: Points) -> style.Figure:
    """Draw level lines of the first components, one row per dataset that has two columns."""
    sweep = read_sweep(datasets, fits, points)
    flat = {
        swept.dataset.name: swept
        for swept in sweep
        if swept.dataset.split(0).X_train.shape[1] == 2  # two columns in the first replicate
    }
    if not flat:
        return style.note("no dataset of this run has two columns")
    names = display_choice.preferred(flat, PLANES, len(PLANES))
    grid = flat[names[0]].grid  # All datasets have the same grid.
    curved = [kernel for kernel in grid if kernel != "linear"]
    kernels = display_choice.preferred(curved or grid, CONTOURS, 2)
    smooth = [smooth_point(grid[kernel]) for kernel in kernels]
    columns = COMPONENTS * len(smooth)
    fig, axes = style.figure(
        len(names),
        columns,
        height=0.35 + 1.03 * len(names),
        subplot_kw={"box_aspect": 1},
    )
    for name, row in zip(names, axes, strict=True):
        X = flat[name].dataset.split(0).X_train
        for point, panels in zip(smooth, row.reshape(-1, COMPONENTS), strict=True):
            draw_components(panels, flat[name].model(point), region(X), X)
        row[0].set_ylabel(style.title(name))
    for ax, point in zip(axes[0, COMPONENTS // 2 :: COMPONENTS], smooth, strict=True):
        ax.set_title(display_choice.point_name(point))
    for number, ax in enumerate(axes[-1]):
        ax.set_xlabel(f"component {number % COMPONENTS + 1}")
    values = [point.parameters.get(name) for point in smooth for name in ("median", "degree")]
    if kernels == [*CONTOURS] and [value for value in values if value] == [MULTIPLE, DEGREE]:
        fig.set_label(FINDING)
    return fig
