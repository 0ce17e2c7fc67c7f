"""Draw rings in the planes of PCA and kernel PCA, each with a separating line and its accuracy."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from kpca import PCA
from kpca.study.datasets.dataset import Dataset
from kpca.study.decision.record import number
from kpca.study.evidence.selection import BASELINES
from kpca.study.fitting.fitted_models import training_scores
from kpca.study.fitting.grid import Point
from kpca.study.store import read_table
from workflow.drawing import display_choice, style
from workflow.drawing.display_choice import Points, Swept, point_name, read_sweep
from workflow.drawing.plane import Boundary, draw_classes, draw_line, mesh, separate

SHOWN = 400  # largest number of test rows that are drawn
MESH = 120
CURVE: dict[str, Any] = {"color": style.BLACK, "linestyle": "--", "linewidth": 0.8}


def draw_space(
    ax: Axes, dataset: Dataset, Z_train: np.ndarray, Z_test: np.ndarray, title: str
) -> Boundary:
    """Draw test rows in the plane of two columns, with the line that separates classes best."""
    split = dataset.split(0)
    line = separate(Z_train, np.asarray(split.y_train))
    y_test = np.asarray(split.y_test)
    draw_classes(ax, Z_test[:SHOWN], y_test[:SHOWN])
    ax.set_box_aspect(1)
    draw_line(ax, line)
    style.no_scale(ax)
    ax.set_title(title)
    ax.set_xlabel(f"accuracy {line.accuracy(Z_test, y_test):.3f}")
    return line


def draw_spaces(axes: Sequence[Axes], swept: Swept, point: Point) -> tuple[float, float]:
    """Draw the planes of PCA and kernel PCA, and map the line of kernel PCA to the plane of PCA.

    Returns
    -------
    tuple of float
        Accuracy on test rows of the line in the plane of PCA, and in that of kernel PCA.
    """
    split = swept.dataset.split(0)
    model = swept.model(point)
    pca = PCA(2).fit(split.X_train)
    linear = pca.transform(split.X_train), pca.transform(split.X_test)
    curved = training_scores(model)[:, :2], model.transform(split.X_test)[:, :2]
    y_test = np.asarray(split.y_test)
    straight = draw_space(axes[0], swept.dataset, *linear, "PCA")
    line = draw_space(axes[1], swept.dataset, *curved, f"kernel PCA\n{point_name(point)}")
    x, y = mesh(axes[0].axis(), MESH)
    rows = pca.inverse_transform(np.column_stack([x.ravel(), y.ravel()]))
    distance = line.distance(model.transform(rows)[:, :2]).reshape(x.shape)
    look = {"colors": style.BLACK, "linestyles": "--", "linewidths": CURVE["linewidth"]}
    axes[0].contour(x, y, distance, [0], **look)
    return straight.accuracy(linear[1], y_test), line.accuracy(curved[1], y_test)


def finding(accuracies: pd.DataFrame) -> str:
    """Return a sentence: how accurate the lines are, as means over the datasets.

    The columns are "PCA" and "kernel PCA".
    """
    pca, kernel = (number(100 * accuracies[name].mean(), 1) for name in ("PCA", "kernel PCA"))
    return (
        f"On two components, a line separates the rings with an accuracy of {kernel} % after "
        f"kernel PCA, and of {pca} % after PCA."
    )


@style.script
def rings(
    datasets: Sequence[str], fits: Sequence[str], points: Points, scores: Sequence[str]
) -> style.Figure:
    """Draw one row per dataset: the planes of PCA and kernel PCA with the best line in each."""
    sweep = read_sweep(datasets, fits, points)
    height = 0.6 + 2.05 * len(sweep)
    fig, axes = style.figure(len(sweep), 2, width=style.NARROW, height=height)
    scored = pd.concat(map(read_table, scores))
    cells = display_choice.best_cells(scored[~scored["kernel"].isin(BASELINES)], components=2)
    accuracies = []
    for swept, row in zip(sweep, axes, strict=True):
        point = display_choice.best_point(cells, swept.dataset.name, swept.grid)
        accuracies.append(draw_spaces(row, swept, point))
    handles = [
        *style.class_handles(style.RINGS),
        Line2D([], [], color=style.BLACK, linewidth=1, label="linear SVM on two components"),
        Line2D([], [], **CURVE, label="kernel PCA boundary, mapped back"),
    ]
    style.legend_above(fig, handles, columns=2)
    fig.set_label(finding(pd.DataFrame(accuracies, columns=["PCA", "kernel PCA"])))
    return fig
