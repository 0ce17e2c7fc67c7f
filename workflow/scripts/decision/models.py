"""Fit what was chosen for every dataset to all its rows; write models, embeddings and scripts."""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import kpca
from kpca.novelty.statistics import conformal_limit
from pipeline.datasets.dataset import load_dataset
from pipeline.decision import model as exports
from pipeline.decision.recipe import refit_script
from pipeline.evaluation.settings import Settings
from pipeline.files import write_text
from pipeline.grid import Point, point_from_dict
from pipeline.job import script
from pipeline.store import write_table
from pipeline.tables.selection import ONLY_PCA

Given = Mapping[str, Any]
NOTED = ("id", "label", "target", "group", "missing")
"""Options that the command `kpca` reads from the notes of a model."""


@script
def models(
    datasets: Sequence[str],
    decisions: pd.DataFrame,
    specs: Mapping[str, Given],
    grids: Mapping[str, list[dict[str, Any]]],
    written: Mapping[str, Sequence[str]],
    evaluation: dict[str, Any],
    paths: Any,
) -> None:
    """Write the files of every dataset; a model with a custom kernel has none itself.

    ``written`` has the kinds of files of each dataset; ``paths`` are lists of files by kind.
    """
    left = {kind: iter(files) for kind, files in paths.items()}
    files = {name: {kind: next(left[kind]) for kind in kinds} for name, kinds in written.items()}
    class_weight = Settings.from_config(evaluation).class_weight
    chosen = decisions.fillna({"view": ""}).set_index("dataset", drop=False)
    for stored in datasets:
        dataset = load_dataset(stored)
        name, decision = dataset.name, dict(chosen.loc[dataset.name])
        spec, file = specs[name], files[name]
        points = {point.id: point for point in map(point_from_dict, grids[name])}
        rows = exports.all_rows(dataset, spec)
        point = Point("linear") if decision["model"] == ONLY_PCA else points[decision["cell"]]
        exported = exports.export(rows, point, decision)
        logging.info("%s: %d rows, eigen_solver %s", name, len(rows.X), exported.model[-1].solver_)
        values = exports.novelty(exported)
        views = exports.views(exported, points.get(decision["view"], point), decision)
        known = exports.known_columns(rows, spec)
        write_table(exports.embedding(exported, known, views, values), file["embedding"])
        notes = {"dataset": name} | {key: str(spec[key]) for key in NOTED if key in spec}
        if values is not None and hasattr(exported.model[-1], "landmark_axes_"):
            limit = conformal_limit(np.sort(values), exports.FALSE_ALARM)
            notes["novelty limit"] = repr(limit)
        refit = partial(refit_script, rows, spec, stored, exported.model)
        write_text(file["script"], refit())
        saved = {"model": exported.model}
        if "predictor_script" in file:
            most = exports.trained_on(dataset, rows)
            saved["predictor"] = exports.predictor(exported, decision, class_weight, most=most)
            last = saved["predictor"][-1]
            write_text(file["predictor_script"], refit(last=last, notes=notes, most=most))
        for what in saved.keys() & file.keys():
            kpca.save(saved[what], file[what], notes=notes)
