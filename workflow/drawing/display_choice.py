"""What a figure shows of a sweep: which fit represents a kernel, its label and its scores.

A point is one setting of the parameters of a kernel. A kernel family is a kernel with all settings
that the grid has for it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.study.datasets.dataset import Dataset, load_dataset
from kpca.study.evidence.selection import best_setting, by_first_method
from kpca.study.fitting.fitted_models import stored_model, training_scores
from kpca.study.fitting.grid import AXES, Point, named_points
from kpca.study.scoring.methods import ON_SCORES
from kpca.study.store import read_fit, read_index
from workflow.drawing import style

# Methods that score a representation; the first one that a dataset has is used.
METHODS = (*ON_SCORES, "embedding")
REPLICATE = 0  # number of the replicate that figures show
Grid = Mapping[str, Mapping[str, Point]]  # kernel family → id → point

# Kernel family → its points as dictionaries, the form in which rules pass them to scripts.
Points = Mapping[str, Sequence[dict[str, Any]]]
UNITS = {"median": " × median heuristic", "scale": "/variance"}  # parameter → its unit


@dataclass(frozen=True)
class Swept:
    """A dataset of the sweep, the folder of its fits, and the grid of kernels fitted to it."""

    dataset: Dataset
    path: str
    grid: Grid

    def model(self, point: Point) -> KernelPCA:
        """Return the fitted model of a point."""
        arrays = read_fit(self.path, f"{point.id}/{REPLICATE}")
        return stored_model(arrays, self.dataset.split(REPLICATE).X_train)


def read_sweep(datasets: Sequence[str], fits: Sequence[str], points: Points) -> list[Swept]:
    """Return the datasets of a sweep with their fits and grids, from the arguments of a rule."""
    grid = {kernel: named_points(family) for kernel, family in points.items()}
    sweep = []
    for dataset, path in zip(datasets, fits, strict=True):
        cells = {name.rpartition("/")[0] for name in read_index(path)}
        fitted = {kernel: family for kernel, family in grid.items() if cells & family.keys()}
        sweep.append(Swept(load_dataset(dataset), path, fitted))
    return sweep


def preferred(names: Collection[str], first: Sequence[str], most: int) -> list[str]:
    """Return at most ``most`` of the names; those in ``first`` come before the others.

    >>> preferred(["cosine", "poly", "rbf"], ("linear", "rbf"), 2)
    ['rbf', 'cosine']
    """
    order = [*first, *names]
    return sorted(names, key=order.index)[:most]


def point_label(point: Point, *, leave_out: Iterable[str] = ()) -> str:
    """Return the parameters of a point in symbols, short enough for an axis.

    >>> point_label(Point("poly", {"degree": 3, "scale": 1, "coef0": 1}), leave_out=["coef0"])
    'd = 3, γ = 1/variance'
    >>> point_label(Point("rbf", {"median": 0.3}))
    'γ = 0.3 × median heuristic'
    """
    parts = []
    for name, value in point.parameters.items():
        if name not in leave_out:
            number = isinstance(value, int | float)
            text = f"{value:g}".replace("-", "−") if number else style.plain(value)
            symbol = AXES[name].symbol if name in AXES else name
            parts.append(f"{symbol} = {text}{UNITS.get(name, '')}")
    return ", ".join(parts)


def point_name(point: Point) -> str:
    """Return kernel and parameters of a point.

    >>> point_name(Point("rbf", {"median": 0.3}))
    'Gaussian, γ = 0.3 × median'
    """
    parameters = point_label(point).replace("median heuristic", "median")
    return f"{style.kernel_style(point.kernel)['label']}, {parameters}"


def constants(points: Iterable[Point]) -> list[str]:
    """Return the parameters that have the same value in all points, so that no label needs them."""
    values = pd.DataFrame([point.parameters for point in points])
    distinct = values.nunique(dropna=False)
    return distinct.index[distinct == 1].tolist()


def judged(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the scores of `REPLICATE`, by the first of `METHODS` that each dataset has."""
    return by_first_method(scores[scores["replicate"] == REPLICATE], METHODS)


def best_cells(scores: pd.DataFrame, *, components: int) -> pd.DataFrame:
    """Return, for every dataset and kernel family, the setting with the best validation score.

    The result has rows of the `scores_table` with split cv. Only settings with ``components``
    components are compared, or with the nearest number in the grid, so that a figure of two
    components shows the setting that is best with two.
    """
    rows = judged(scores)
    unit = ["dataset", "kernel"]
    distance = (rows["n_components"] - components).abs()
    # The rule of explained variance adds numbers of components that are not validated.
    validated = distance.where(rows["split"] == "cv")
    nearest = validated.groupby([rows[name] for name in unit]).transform("min")
    return best_setting(rows[distance == nearest], unit)


def best_point(cells: pd.DataFrame, dataset: str, grid: Grid) -> Point:
    """Return the best point of a dataset among `best_cells`; ties are broken by `best_setting`."""
    rows = cells[(cells["dataset"] == dataset) & cells["kernel"].isin(grid)]
    best = best_setting(rows, ["dataset"]).iloc[0]
    return grid[best["kernel"]][best["cell"]]


def shown_point(points: Mapping[str, Point], cells: Iterable[str]) -> Point:
    """Return the chosen point of a kernel; if none was chosen, the median heuristic or the first.

    ``cells`` are the ids of chosen points of any kernel.
    """
    chosen = [points[cell] for cell in cells if cell in points]
    medians = [p for p in points.values() if p.parameters.get("median") == 1]
    return [*chosen, *medians, *points.values()][0]


def embed(model: KernelPCA, X: np.ndarray, components: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the first scores of training rows and of new rows X; missing components are 0."""
    scores = (Z[:, :components] for Z in (training_scores(model), model.transform(X)))
    train, new = (np.pad(Z, ((0, 0), (0, components - Z.shape[1]))) for Z in scores)
    return train, new
