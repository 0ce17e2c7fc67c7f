"""Scatter rows of a dataset, coloured by what is known of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kpca.pipeline import style
from kpca.pipeline.datasets.dataset import Dataset, IntArray


@dataclass(frozen=True, eq=False)
class Known:
    """What some rows of a dataset are coloured by: labels, else a numeric target, else nothing.

    Attributes
    ----------
    labels : int array or None
        Classes, numbered from 0.
    names : tuple of str
        Names of the classes.
    target : float array or None
        Numeric target, used where there are no labels.
    limits : (float, float)
        Range of the target in the whole dataset, so that all panels share one scale.
    """

    labels: IntArray | None
    names: tuple[str, ...]
    target: np.ndarray | None
    limits: tuple[float, float]


def known(dataset: Dataset, index: IntArray) -> Known:
    """Return what is known of the rows of a dataset with these numbers."""
    y, target = dataset.y, dataset.target
    limits = (0.0, 1.0) if target is None else (float(target.min()), float(target.max()))
    return Known(
        None if y is None else y[index],
        dataset.class_names,
        None if target is None else target[index],
        limits,
    )


def scatter(ax: Any, Z: np.ndarray, rows: Known, *, size: float = 6, **options: Any) -> Any:
    """Scatter the columns of Z, two or three of them, and return what a colour bar needs.

    Parameters
    ----------
    ax : Axes
        With a third dimension where Z has three columns.
    Z : array of shape (n, 2) or (n, 3)
        Coordinates.
    rows : Known
        Of the same n rows.
    size : float
        Area of a marker in square points.

    Returns
    -------
    collection or None
        The points coloured by their target; None where the colours are classes or one grey.
    """
    options = {"s": size, "linewidths": 0, "alpha": 0.8} | options
    if rows.labels is not None:
        for c in np.unique(rows.labels).tolist():
            of_class = rows.labels == c
            name = rows.names[c] if rows.names else str(c)
            ax.scatter(*Z[of_class].T, label=name, **(style.class_style(c) | options))
        return None
    if rows.target is None:
        ax.scatter(*Z.T, **({"color": style.GREY} | options))
        return None
    low, high = rows.limits
    return ax.scatter(*Z.T, c=rows.target, cmap=style.SEQUENTIAL, vmin=low, vmax=high, **options)
