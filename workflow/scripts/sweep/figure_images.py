"""Draw images at the place of their scores: PCA next to kernel PCA."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb

from kpca import PCA
from pipeline.datasets.dataset import IntArray
from pipeline.drawing import style
from pipeline.drawing.display_choice import Swept, best_cells, best_point, of_sweep, point_name
from pipeline.grid import Point
from pipeline.tables.selection import BASELINES

SIDE = 0.032  # of a panel
APART = 0.8  # of a side


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


def draw_dataset(axes: Sequence[Axes], swept: Swept, point: Point) -> None:
    """Draw one row: PCA and the kernel with the best validation score of two components."""
    split, index = swept.dataset.split(0), swept.dataset.splits[0][1]
    images = swept.dataset.X[index].reshape(len(index), *(swept.dataset.image_shape or ()))
    models = PCA(2).fit(split.X_train), swept.model(point)
    for ax, model in zip(axes, models, strict=True):
        Z = to_unit(model.transform(split.X_test)[:, :2])
        draw_images(ax, Z, images, np.asarray(split.y_test))
    axes[0].set_title("PCA")
    axes[1].set_title(f"kernel PCA: {point_name(point)}")


@style.script
@of_sweep
def draw(sweep: Sequence[Swept], scores: pd.DataFrame) -> style.Figure:
    """Draw one row per dataset."""
    fig, axes = style.figure(len(sweep), 2, height=3.4 * len(sweep))
    cells = best_cells(scores[~scores["kernel"].isin([*BASELINES, "linear"])], components=2)
    for swept, row in zip(sweep, axes, strict=True):
        draw_dataset(row, swept, best_point(cells, swept.dataset.name, swept.grid))
    handles = style.class_handles(sweep[0].dataset.class_names, marker="s")
    fig.legend(handles=handles, loc="outside upper center", ncols=10, handletextpad=0)
    return fig
