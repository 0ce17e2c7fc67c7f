"""Draw the loadings of ordinary and sparse components: Pitprops as heatmaps, digits as images."""

import numpy as np
import pandas as pd
from matplotlib.figure import SubFigure
from matplotlib.image import AxesImage

from pipeline.drawing import style
from workflow.scripts.linear.figure_sparse_paths import METHODS

TITLES = {"pca": "PCA"} | {method: look["label"] for method, look in METHODS.items()}
COLOURS = "PuOr"


def matrix(loadings: pd.DataFrame, method: str) -> np.ndarray:
    """Return the loadings of a method, variables in rows and components in columns."""
    rows = loadings[loadings["method"] == method]
    wide = rows.pivot(index="variable", columns="component", values="loading")
    return wide.loc[rows["variable"].unique()].to_numpy()


def _heatmaps(fig: SubFigure, loadings: pd.DataFrame) -> AxesImage:
    axes = fig.subplots(1, len(TITLES), sharey=True)
    variables = loadings["variable"].unique()
    for ax, (method, title) in zip(axes, TITLES.items(), strict=True):
        values = matrix(loadings, method)
        # What is exactly zero stays white paper: that is the point.
        shown = np.ma.masked_equal(values, 0.0)
        image = ax.imshow(shown, cmap=COLOURS, vmin=-1, vmax=1, aspect="auto")
        ax.set_title(title)
        ax.set_xticks(range(values.shape[1]), range(1, values.shape[1] + 1))
        ax.set_yticks(range(len(variables)), variables)
        ax.tick_params(length=0)
    fig.supxlabel("component", fontsize=8)
    return image


def _images(fig: SubFigure, loadings: pd.DataFrame) -> None:
    k = loadings["component"].max()
    axes = fig.subplots(len(TITLES), k)
    for row, (method, title) in zip(axes, TITLES.items(), strict=True):
        for ax, component in zip(row, matrix(loadings, method).T, strict=True):
            side = round(len(component) ** 0.5)
            shown = np.ma.masked_equal(component.reshape(side, side), 0.0)
            limit = np.abs(component).max() or 1.0
            ax.imshow(shown, cmap=COLOURS, vmin=-limit, vmax=limit)
            ax.set(xticks=[], yticks=[])
            ax.spines[["top", "right"]].set_visible(True)
        row[0].set_ylabel(title, rotation=0, ha="right", va="center")


@style.script
def draw(sparse_loadings: pd.DataFrame) -> style.Figure:
    """Draw one heatmap a method above one row of images a method."""
    fig = style.figure(height=6.4)[0]
    fig.clear()
    above, below = np.asarray(fig.subfigures(2, 1, height_ratios=[1, 1.25]))
    image = _heatmaps(above, sparse_loadings[sparse_loadings["data"] == "pitprops"])
    _images(below, sparse_loadings[sparse_loadings["data"] == "digits"])
    bar = above.colorbar(image, ax=above.axes, shrink=0.8, pad=0.01)
    bar.set_label("loading")
    return fig
