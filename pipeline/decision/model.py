"""The model of all rows with what was chosen for them, and every row under it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline, make_pipeline

from kpca.kernels import KERNELS, KernelParameters
from kpca.novelty.statistics import STATISTICS
from pipeline.datasets.dataset import Dataset
from pipeline.datasets.make import read_rows
from pipeline.datasets.preparation import preparation, raw_rows
from pipeline.grid import Point
from pipeline.kernels import estimator

EXACT_ROWS = 20_000
"""More rows are fitted by landmarks where the kernel allows it."""

LANDMARKS = 300
NOVELTY = "residual"


def all_rows(dataset: Dataset, spec: Mapping[str, Any]) -> Dataset:
    """Return what a model is fitted to, without splits.

    They are all rows of the source, also where the sweep had a sample; of independent draws the
    training rows of the first one.
    """
    if dataset.independent:
        return dataset.take(dataset.splits[0][0])
    return read_rows(dataset.name, spec) if dataset.sampled_from else replace(dataset, splits=())


def given_rows(rows: Dataset) -> pd.DataFrame | np.ndarray:
    """Return rows as a model takes them: as they were read, or the kernel matrix."""
    return rows.X if rows.precomputed else raw_rows(rows)


def unfitted(rows: Dataset, point: Point, decision: Mapping[str, Any]) -> Pipeline:
    """Return the model of a row of ``tables/decisions.csv``, its kernel at a setting."""
    parameters = json.loads(decision["parameters"])
    m = int(decision["n_components"])
    options: dict[str, Any] = {"n_components": m}
    if len(rows.X) > EXACT_ROWS and _has_landmarks(point, parameters):
        options |= {"eigen_solver": "nystrom", "n_landmarks": max(LANDMARKS, 10 * m)}
    model = estimator(point, parameters.get("gamma"), **options)
    return make_pipeline(*([] if rows.precomputed else preparation(rows)), model)


def embedding(rows: Dataset, model: Pipeline) -> pd.DataFrame:
    """Return every row under a fitted model: its number, what is known of it, scores, novelty."""
    given = given_rows(rows)
    prepared = model[:-1].transform(given) if len(model) > 1 else given
    diagonal = rows.X.diagonal() if rows.precomputed else None
    scores = model[-1].transform(prepared)
    numbers = np.arange(1, len(rows.X) + 1) if rows.file_rows is None else rows.file_rows
    columns: dict[str, Any] = {"row": numbers}
    if rows.ids is not None:
        columns["id"] = rows.ids
    if rows.y is not None:
        columns["label"] = np.array(rows.class_names)[rows.y]
    if rows.target is not None:
        columns["target"] = rows.target
    if rows.groups is not None:
        columns["group"] = rows.groups
    columns |= {f"component_{j + 1}": scores[:, j] for j in range(scores.shape[1])}
    columns["novelty"] = STATISTICS[NOVELTY](model[-1], prepared, diagonal)
    return pd.DataFrame(columns)


def _has_landmarks(point: Point, parameters: Mapping[str, float]) -> bool:
    if point.callable or point.kernel not in KERNELS:
        return False
    return KERNELS[point.kernel].semidefinite(KernelParameters(**parameters))
