"""Scatter rows of a dataset, coloured by what is known of them."""

from typing import Any

import numpy as np

from pipeline.datasets.dataset import Dataset, IntArray
from pipeline.drawing import style


def scatter(
    ax: Any, Z: np.ndarray, dataset: Dataset, index: IntArray, *, size: float = 6, **options: Any
) -> Any:
    """Scatter the columns of Z, two or three of them, and return what a colour bar needs.

    The labels of the dataset, else its numeric target, colour the points, whose row numbers are
    ``index``; all panels share the scale of the whole dataset. ``size`` is the area of a marker in
    square points. Returned are the points coloured by their target, None where the colours are
    classes or one grey.
    """
    options = {"s": size, "linewidths": 0, "alpha": 0.8} | options
    if dataset.y is not None:
        labels, names = dataset.y[index], dataset.class_names
        for c in np.unique(labels).tolist():
            name = style.plain(names[c] if names else c)
            ax.scatter(*Z[labels == c].T, label=name, **(style.class_style(c) | options))
        return None
    if dataset.target is None:
        ax.scatter(*Z.T, **({"color": style.GREY} | options))
        return None
    scale = {"vmin": float(dataset.target.min()), "vmax": float(dataset.target.max())}
    options |= scale | {"cmap": style.SEQUENTIAL}
    return ax.scatter(*Z.T, c=dataset.target[index], **options)
