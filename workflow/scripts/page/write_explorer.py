"""Write the interactive explorer: the embedding of each dataset for every kernel and parameter.

The page contains the rows of each dataset, and every fit of one replicate, in compressed form.
"""

import base64
import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression
from sklearn.impute import SimpleImputer

from kpca.files import write_text
from kpca.kernel_pca import KernelPCA
from kpca.study.datasets.dataset import Dataset, IntArray
from kpca.study.evidence.selection import best_setting, by_main_metric, scores_at
from kpca.study.fitting.grid import Point
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.metrics import METRICS
from kpca.study.seeds import sample
from workflow.drawing import style
from workflow.drawing.display_choice import (
    REPLICATE,
    Points,
    Swept,
    constants,
    embed,
    judged,
    point_label,
    read_sweep,
    shown_point,
)
from workflow.drawing.plane import Region, region, surfaces
from workflow.job import script
from workflow.page.embedding import Colours, colours
from workflow.page.html import data_url, render, rounded

MOST_TRAIN = 350
MOST_TEST = 150
COMPONENTS = FEATURES = 6
SHARES = 10  # number of explained variance ratios per fit, or the largest m if that is larger
SIDE = 40  # number of points along a side of the mesh
LEAST = 127  # number of shades on each side of 0


def explorer(sweep: Iterable[Swept], scores: pd.DataFrame, decisions: pd.DataFrame) -> str:
    """Return the HTML of the explorer, which shows every dataset under each of its stored fits.

    ``scores`` and ``decisions`` are tables of the run.
    """
    best = validated(scores)
    decided = decisions.set_index("dataset").to_dict("index")
    datasets = {
        swept.dataset.name: explored(swept, best, decided[swept.dataset.name]) for swept in sweep
    }
    drawn = {"datasets": datasets, "side": SIDE}
    filters = {"packed": packed}
    return render("explorer.html.j2", filters, given=drawn, splits=style.SPLITS)


def explored(swept: Swept, scores: pd.DataFrame, decision: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a dataset and its stored fits as plain data for the script of the page.

    ``scores`` is a table of `validated`. The page starts at the setting and the number of
    components of the final model.
    """
    dataset = swept.dataset
    cell = decision["cell"]
    train, test = dataset.splits[REPLICATE]
    sampled = sample(len(train), MOST_TRAIN)
    tested = sample(len(test), MOST_TEST)
    split = dataset.split(REPLICATE)
    mine = scores[scores["dataset"].astype(str) == dataset.name]
    sizes = sorted(mine["n_components"].unique().tolist())
    box = prepared = None
    plain = not (dataset.log or dataset.categories or np.isnan(dataset.X).any())
    if plain and dataset.X.shape[1] == 2:
        box = region(dataset.X[np.concatenate([train, test])])
        prepared = region(np.vstack([split.X_train, split.X_test]))
    families: list[dict[str, Any]] = []
    start = None
    for kernel, points in swept.grid.items():
        if cell in points and decision["n_components"] in sizes:
            start = {"family": len(families), "size": sizes.index(decision["n_components"])}
        cells = [*_cells(swept, [*points.values()], sampled, split.X_test[tested], prepared)]
        for cell_files in cells:
            cell_files["shares"] = cell_files["shares"][: max([*sizes, SHARES])]
            cell_files["scores"] = _of_cell(mine, cell_files["id"])
        label = style.kernel_style(kernel)["label"]
        first = [*points].index(shown_point(points, [cell]).id)
        families.append({"label": label, "first": first, "cells": cells})
    method = mine["method"].iloc[0] if len(mine) else None
    return {
        "title": style.title(dataset.name),
        "train": len(sampled),
        "sizes": sizes,
        "measure": METRICS[METHODS[method].metric].words if method else None,
        "box": box,
        "families": families,
        "chosen": start,
        "pca": _of_cell(mine, "pca"),
        **_rows(dataset, np.concatenate([train[sampled], test[tested]])),
    }


def validated(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the validation and test score of every kernel setting and number of components.

    The columns are dataset, cell, n_components, method, cv and test. Other parameters of the
    method, such as C, are chosen by validation.
    """
    rows = by_main_metric(judged(scores))
    keys = ["dataset", "cell", "n_components", "method"]
    best = scores_at(rows, best_setting(rows, keys))
    return best.pivot_table("value", keys, "split").reindex(columns=["cv", "test"]).reset_index()


def _cells(
    swept: Swept, points: Sequence[Point], kept: IntArray, tested: np.ndarray, box: Region | None
) -> Iterator[dict[str, Any]]:
    """Yield the fits of a kernel; signs of components are chosen to match the previous fit."""
    before: np.ndarray = np.zeros(1)
    same = constants(points) if len(points) > 1 else []
    for point in points:
        model = swept.model(point)
        train, test = embed(model, tested, COMPONENTS)
        Z = np.vstack([train[kept], test])
        signs = np.where((Z * before).sum(axis=0) < 0, -1, 1)
        before = Z * signs
        cell = {
            "id": point.id,
            "label": _label(point, model, same),
            "Z": [rounded(column, 3) for column in before.T],
            "shares": rounded(model.explained_variance_ratio_),
        }
        if box is not None:
            heights = surfaces(model, box, SIDE)[:COMPONENTS].reshape(-1, SIDE**2).T
            most = np.abs(before).max(axis=0).clip(1e-300)
            shares = (heights * (signs / most)[: heights.shape[1]]).clip(-1, 1)
            levels = np.rint(LEAST * shares).astype(int).T
            cell["surface"] = np.diff(levels, prepend=0).tolist()  # small differences compress well
        yield cell


def _rows(dataset: Dataset, index: IntArray) -> dict[str, Any]:
    """Return what is known about the rows: numbers, ids, answers, colours, features and images."""
    numbers = dataset.row_numbers[index]
    order = np.arange(dataset.X.shape[1])
    if dataset.image_shape:  # Show the pixels with most variance; those at an edge say nothing.
        order = np.argsort(-dataset.X.var(axis=0), kind="stable")
    order = order[:FEATURES]
    names = [dataset.feature_names[f] if dataset.feature_names else f"x{f + 1}" for f in order]
    X = dataset.X[np.ix_(index, order)]
    ids = answers = [""] * len(index)
    palette = Colours([0] * len(index), [])
    plane = [0, 1]
    values = None
    if dataset.ids is not None:
        ids = dataset.ids[index].tolist()
    if dataset.y is not None:
        values = np.array(dataset.class_names)[dataset.y[index]]
        answers = values.tolist()
    elif dataset.target is not None:
        values = dataset.target[index]
        answers = [f"target {value:.4g}" for value in values]
    if values is not None:
        palette = colours(pd.Series(values), numeric=dataset.y is None)
        plane = _telling_features(X, values)
    return {
        "numbers": numbers.tolist(),
        "ids": ids,
        "answers": answers,
        "colours": palette._asdict(),
        "features": names,
        "columns": [rounded(column) for column in X.T],
        "plane": plane,
        "names": [dataset.categories.get(name) for name in names],
        "images": _images(dataset, index) if dataset.image_shape else None,
    }


def _telling_features(X: np.ndarray, answers: np.ndarray) -> list[int]:
    """Return the two features with the most mutual information about a label or a target."""
    informed = mutual_info_classif if answers.dtype.kind == "U" else mutual_info_regression
    filled = SimpleImputer(keep_empty_features=True).fit_transform(X)
    order = np.argsort(-informed(filled, answers, random_state=0), kind="stable")
    return sorted(order[:2].tolist())


def _of_cell(scores: pd.DataFrame, cell: str) -> dict[int, list[float | None]]:
    rows = scores[scores["cell"] == cell].sort_values("n_components")
    return {
        int(size): rounded(pair)
        for size, pair in zip(rows["n_components"], rows[["cv", "test"]].to_numpy(), strict=True)
    }


def _label(point: Point, model: KernelPCA, same: Sequence[str]) -> str:
    """Return the label of a point: the parameters that vary within its kernel, and γ."""
    label = point_label(point, leave_out=same) or "no parameter"
    if isinstance(model.gamma, int | float):
        multiple = r"γ = (\S+ × median heuristic|\S+/variance)"
        label = re.sub(multiple, rf"γ = {model.gamma:.3g} (\1)", label)
    return label


def _images(dataset: Dataset, index: IntArray) -> list[str]:
    """Return rows as images in which large values are dark."""
    low = dataset.X.min()
    high = dataset.X.max()
    light = 255 - np.rint(255 * (dataset.X[index] - low) / (high - low or 1)).astype(np.uint8)
    rows = light.reshape(-1, *(dataset.image_shape or ()))
    return [data_url(Image.fromarray(row)) for row in rows]


def packed(text: str) -> str:
    """Return compressed text, the same in every run, which a script of the page unpacks."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


@script
def write_explorer(
    datasets: Sequence[str],
    fits: Sequence[str],
    points: Points,
    scores: pd.DataFrame,
    decisions: pd.DataFrame,
    paths: Sequence[str],
) -> None:
    """Write the explorer to one file of HTML."""
    write_text(paths[0], explorer(read_sweep(datasets, fits, points), scores, decisions))
