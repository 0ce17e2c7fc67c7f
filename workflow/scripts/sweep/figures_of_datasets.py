"""Draw rings, digits and Swiss rolls by PCA next to kernel PCA."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.lines import Line2D

from kpca import PCA
from pipeline.datasets.dataset import Dataset, IntArray
from pipeline.drawing import forest, style
from pipeline.drawing.display_choice import (
    Points,
    Swept,
    best_cells,
    best_point,
    point_name,
    read_sweep,
)
from pipeline.drawing.plane import Boundary, draw_line, mesh, scatter, separate
from pipeline.evaluation.methods import ON_SCORES
from pipeline.evaluation.predictors import affine
from pipeline.fitted_models import training_scores
from pipeline.grid import Point
from pipeline.seeds import sample
from pipeline.tables.selection import BASELINES

RING_ROWS, SHEET_ROWS = 400, 600  # of the test rows
MESH = 120
METHODS = (*ON_SCORES, "rbf_svm")
CURVE: dict[str, Any] = {"color": style.BLACK, "linestyle": "--", "linewidth": 0.8}
RINGS = ("outer ring", "inner ring")
SIDE = 0.032  # of an image, in a panel of side 1
APART = 0.8  # of the side of an image
Pair = tuple[np.ndarray, np.ndarray]
LOOKS: tuple[dict[str, Any], ...] = (
    {"color": style.BLACK, "marker": "x"},
    {"color": style.BLUE, "marker": "o"},
)


def draw_space(
    ax: Axes, dataset: Dataset, Z_train: np.ndarray, Z_test: np.ndarray, title: str
) -> Boundary:
    """Draw test rows in the plane of two columns with the line that separates them best."""
    split, index = dataset.split(0), dataset.splits[0][1]
    line = separate(Z_train, np.asarray(split.y_train))
    scatter(ax, Z_test[:RING_ROWS], dataset, index[:RING_ROWS], size=5)
    ax.set_box_aspect(1)
    ax.margins(0.07)
    draw_line(ax, line)
    style.no_scale(ax)
    ax.set_title(title)
    ax.set_xlabel(f"accuracy {line.accuracy(Z_test, np.asarray(split.y_test)):.3f}")
    return line


def draw_spaces(axes: Sequence[Axes], swept: Swept, point: Point) -> None:
    """Draw both spaces of one dataset, and the line of kernel PCA in the plane of PCA."""
    split = swept.dataset.split(0)
    model, pca = swept.model(point), PCA(2).fit(split.X_train)
    linear = pca.transform(split.X_train), pca.transform(split.X_test)
    curved = training_scores(model)[:, :2], model.transform(split.X_test)[:, :2]
    draw_space(axes[0], swept.dataset, *linear, "PCA")
    line = draw_space(axes[1], swept.dataset, *curved, f"kernel PCA\n{point_name(point)}")
    x, y = mesh(axes[0].axis(), MESH)
    rows = pca.inverse_transform(np.column_stack([x.ravel(), y.ravel()]))
    distance = line.distance(model.transform(rows)[:, :2]).reshape(x.shape)
    axes[0].contour(x, y, distance, [0], **{f"{name}s": value for name, value in CURVE.items()})


def thin_out(Z: np.ndarray, least: float) -> list[int]:
    """Return the first rows of which no two are nearer than ``least`` in both columns."""
    kept: list[int] = []
    for i, z in enumerate(Z):
        if all(np.abs(z - Z[j]).max() >= least for j in kept):
            kept.append(i)
    return kept


def to_unit(Z: np.ndarray) -> np.ndarray:
    """Return columns scaled to [0, 1]; a constant column lies at ½."""
    low, spread = Z.min(axis=0), np.ptp(Z, axis=0)
    return np.where(spread > 0, (Z - low) / np.where(spread > 0, spread, 1), 0.5)


def draw_images(ax: Axes, Z: np.ndarray, images: np.ndarray, y: IntArray) -> None:
    """Draw each image in the colour of its class, centred on its place in the unit square."""
    for i in thin_out(Z, APART * SIDE):
        color = style.class_style(int(y[i]))["color"]
        ink = LinearSegmentedColormap.from_list(color, [(*to_rgb(color), 0), (*to_rgb(color), 1)])
        (left, right), (bottom, top) = ((z - SIDE / 2, z + SIDE / 2) for z in Z[i])
        ax.imshow(images[i], cmap=ink, extent=(left, right, bottom, top), interpolation="nearest")
    ax.set(xlim=(-SIDE, 1 + SIDE), ylim=(-SIDE, 1 + SIDE), aspect="equal")
    ax.set(xlabel="component 1", ylabel="component 2")
    style.no_scale(ax)


def draw_read_off(ax: Axes, train: Pair, target: np.ndarray, test: Pair, truth: np.ndarray) -> None:
    """Draw the coordinate that least squares reads off two sets of scores against the true one."""
    ends = [truth.min(), truth.max()]
    ax.plot(ends, ends, color=style.GREY, linewidth=0.6)
    for name, Z_train, Z, look in zip(("PCA", "kernel PCA"), train, test, LOOKS, strict=True):
        weights, offset = affine(Z_train, target)
        estimate = Z @ weights + offset
        r = np.corrcoef(truth, estimate)[0, 1]
        label = f"{name}, m = {Z.shape[1]}: r = {r:.3f}"
        ax.scatter(truth, estimate, alpha=0.6, label=label, s=4, linewidths=0.4, **look)
    ax.set(xlabel="true coordinate", ylabel="predicted coordinate")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), handletextpad=0.1)


def draw_sheet(fig: Any, axes: Sequence[Any], swept: Swept, setting: pd.Series) -> None:
    """Draw one row: the sheet, two components of either method, and the linear reading."""
    dataset, point = swept.dataset, swept.grid[setting["kernel"]][setting["cell"]]
    split, test_index = dataset.split(0), dataset.splits[0][1]
    rows, m = sample(len(test_index), SHEET_ROWS), int(setting["n_components"])
    model, pca = swept.model(point), PCA().fit(split.X_train)
    linear, curved = pca.transform(split.X_test[rows]), model.transform(split.X_test[rows])
    shown: dict[str, Any] = {"dataset": dataset, "index": test_index[rows], "size": 4}
    drawn = scatter(axes[0], split.X_test[rows, :3], depthshade=False, **shown)
    scatter(axes[1], linear[:, :2], **shown)
    scatter(axes[2], curved[:, :2], **shown)
    axes[0].set(title="raw features", xlabel="x₁", ylabel="x₂", zlabel="x₃")
    for ax, title in zip(axes[1:3], ("PCA", f"kernel PCA\n{point_name(point)}"), strict=True):
        ax.set(title=title, xlabel="component 1", ylabel="component 2", box_aspect=1)
        style.no_scale(ax)
    axes[3].set_box_aspect(1)
    train = pca.transform(split.X_train), training_scores(model)[:, :m]
    target, truth = np.asarray(split.target_train), np.asarray(split.target_test)[rows]
    draw_read_off(axes[3], train, target, (linear, curved[:, :m]), truth)
    for axis in (axes[0].xaxis, axes[0].yaxis, axes[0].zaxis):
        axis.labelpad = -13
    fig.colorbar(drawn, ax=axes[1], location="right", label="coordinate along the sheet")


@style.script
def rings(
    datasets: Sequence[str],
    fits: Sequence[str],
    points: Points,
    scores: pd.DataFrame,
    comparisons: pd.DataFrame,
) -> style.Figure:
    """Draw both planes with the best line in each, and what it is worth, one row per dataset."""
    sweep = read_sweep(datasets, fits, points)
    height = 0.6 + 2.05 * len(sweep)
    fig, axes = style.figure(len(sweep), 3, height=height, width_ratios=[1, 1, 0.8])
    cells = best_cells(scores[~scores["kernel"].isin(BASELINES)], components=2)
    rows = forest.lines(comparisons, METHODS)
    for swept, row in zip(sweep, axes, strict=True):
        draw_spaces(row, swept, best_point(cells, swept.dataset.name, swept.grid))
        tuned = rows[(rows["dataset"] == swept.dataset.name) & (rows["criterion"] == "cv")]
        forest.draw(row[2], tuned, forest.order(tuned))
        row[2].set(title="m tuned", xlabel="balanced accuracy")
    handles = [
        *style.class_handles(RINGS),
        Line2D([], [], color=style.BLACK, linewidth=1, label="linear SVM on two components"),
        Line2D([], [], **CURVE, label="kernel PCA boundary, mapped back"),
    ]
    style.legend_above(fig, handles, columns=2)
    return fig


@style.script
def digits(
    datasets: Sequence[str], fits: Sequence[str], points: Points, scores: pd.DataFrame
) -> style.Figure:
    """Draw images at their scores by PCA, and by the best kernel for two components."""
    sweep = read_sweep(datasets, fits, points)
    fig, axes = style.figure(len(sweep), 2, height=3.4 * len(sweep))
    cells = best_cells(scores[~scores["kernel"].isin([*BASELINES, "linear"])], components=2)
    for swept, row in zip(sweep, axes, strict=True):
        split, index = swept.dataset.split(0), swept.dataset.splits[0][1]
        images = swept.dataset.X[index].reshape(len(index), *(swept.dataset.image_shape or ()))
        point = best_point(cells, swept.dataset.name, swept.grid)
        models = {"PCA": PCA(2).fit(split.X_train)}
        models |= {f"kernel PCA: {point_name(point)}": swept.model(point)}
        for ax, (title, model) in zip(row, models.items(), strict=True):
            Z = to_unit(model.transform(split.X_test)[:, :2])
            draw_images(ax, Z, images, np.asarray(split.y_test))
            ax.set_title(title)
    handles = style.class_handles(sweep[0].dataset.class_names, marker="s")
    fig.legend(handles=handles, loc="outside upper center", ncols=10, handletextpad=0)
    return fig


@style.script
def swiss_roll(
    datasets: Sequence[str], fits: Sequence[str], points: Points, selected: pd.DataFrame
) -> style.Figure:
    """Draw rows coloured by the coordinate along a rolled sheet, two rows per dataset."""
    sweep = read_sweep(datasets, fits, points)
    fig, axes = style.figure(2 * len(sweep), 2, height=4.9 * len(sweep))
    for swept, row in zip(sweep, axes.reshape(-1, 4), strict=True):
        row[0].remove()
        solid = fig.add_subplot(row[0].get_subplotspec(), projection="3d")
        solid.view_init(elev=12, azim=-70)
        solid.set_box_aspect(None, zoom=1.2)
        solid.set(xticklabels=[], yticklabels=[], zticklabels=[])
        solid.tick_params(length=0)
        wanted = [swept.dataset.name, "least_squares", "cv_over_kernels", "test"]
        names = ["dataset", "method", "criterion", "split"]
        chosen = selected[(selected[names] == wanted).all(axis=1)].sort_values("replicate")
        draw_sheet(fig, [solid, *row[1:]], swept, chosen.iloc[0])
    return fig
