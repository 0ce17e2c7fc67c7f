"""Draw a rolled sheet, its PCA and its kernel PCA, coloured by the coordinate along the sheet."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from kpca import PCA
from pipeline.drawing import style
from pipeline.drawing.display_choice import Swept, of_sweep, point_name
from pipeline.drawing.plane import scatter
from pipeline.evaluation.predictors import affine
from pipeline.fitted_models import training_scores
from pipeline.seeds import sample

TEST_ROWS = 600
Pair = tuple[np.ndarray, np.ndarray]
METHOD = "least_squares"
LOOKS: tuple[dict[str, Any], ...] = (
    {"color": style.BLACK, "marker": "x"},
    {"color": style.BLUE, "marker": "o"},
)


def chosen_setting(selected: pd.DataFrame, dataset: str) -> pd.Series:
    """Return what cross-validation chose in replicate 0: kernel, cell, number of components."""
    kept = {"dataset": dataset, "method": METHOD, "criterion": "cv_over_kernels", "split": "test"}
    rows = selected[(selected[[*kept]] == [*kept.values()]).all(axis=1)]
    return rows.sort_values("replicate").iloc[0]


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


def draw_dataset(fig: Any, axes: Sequence[Any], swept: Swept, setting: pd.Series) -> None:
    """Draw one row: the sheet, two components of either method, and the linear reading."""
    dataset, point = swept.dataset, swept.grid[setting["kernel"]][setting["cell"]]
    split, test_index = dataset.split(0), dataset.splits[0][1]
    rows, m = sample(len(test_index), TEST_ROWS), int(setting["n_components"])
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
@of_sweep
def draw(sweep: Sequence[Swept], selected: pd.DataFrame) -> style.Figure:
    """Draw two rows per dataset."""
    fig, axes = style.figure(2 * len(sweep), 2, height=4.9 * len(sweep))
    for swept, row in zip(sweep, axes.reshape(-1, 4), strict=True):
        row[0].remove()
        solid = fig.add_subplot(row[0].get_subplotspec(), projection="3d")
        solid.view_init(elev=12, azim=-70)
        solid.set_box_aspect(None, zoom=1.2)
        solid.set(xticklabels=[], yticklabels=[], zticklabels=[])
        solid.tick_params(length=0)
        setting = chosen_setting(selected, swept.dataset.name)
        draw_dataset(fig, [solid, *row[1:]], swept, setting)
    return fig
