"""Fit what was chosen for every dataset to all its rows; write model, embedding and scripts."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from operator import methodcaller
from pathlib import Path
from typing import Any

import pandas as pd

import kpca
from pipeline.datasets.dataset import Dataset, load_dataset
from pipeline.decision.decision import ONLY_PCA, chosen_on
from pipeline.decision.model import all_rows, embedding, given_rows, unfitted
from pipeline.decision.recipe import Reading, reading, recipe
from pipeline.files import write_atomically
from pipeline.grid import Point, point_from_dict
from pipeline.job import run
from pipeline.kernels import arguments
from pipeline.store import write_table

Given = Mapping[str, Any]
ROLES = ("id", "label", "target", "group")


def models(
    datasets: Sequence[str],
    decisions: pd.DataFrame,
    specs: Mapping[str, Given],
    grids: Mapping[str, list[dict[str, Any]]],
    written: Mapping[str, Sequence[str]],
    paths: Any,
) -> None:
    """Write the files of every dataset; a model with a custom function has none itself.

    ``written`` has the kinds of files of each dataset. The ``recipes`` of ``paths`` are where the
    scripts of all points are written, by dataset and cell; its other outputs are lists by kind.
    """
    left = {kind: iter(files) for kind, files in paths.items() if kind != "recipes"}
    files = {name: {kind: next(left[kind]) for kind in kinds} for name, kinds in written.items()}
    others: dict[str, dict[str, str]] = {}
    chosen = {row["dataset"]: dict(row) for _, row in decisions.iterrows()}
    for stored in datasets:
        dataset = load_dataset(stored)
        name = dataset.name
        points = {point.id: point for point in map(point_from_dict, grids[name])}
        decision, spec = chosen[name], specs[name]
        rows = all_rows(dataset, spec)
        point = Point("linear") if decision["model"] == ONLY_PCA else points[decision["cell"]]
        model = unfitted(rows, point, decision).fit(given_rows(rows))
        logging.info("%s: %d rows, eigen_solver %s", name, len(rows.X), model[-1].solver_)
        read = reading(rows, spec, stored)
        _write(recipe(name, read, model), files[name]["script"])
        others[name] = dict(_others(dataset, rows, read, points, int(decision["n_components"])))
        write_table(embedding(rows, model), files[name]["embedding"])
        if "model" in files[name]:
            # What the command `kpca` carries along from a file with new rows.
            roles = {role: str(spec[role]) for role in ROLES if role in spec}
            kpca.save(model, Path(files[name]["model"]), notes={"dataset": name, **roles})
        else:
            logging.warning(
                "%s: no model file is written, since it cannot hold a custom kernel of the "
                "configuration; %s refits the model",
                *(name, files[name]["script"]),
            )
    _write(json.dumps(others), paths["recipes"])


def _others(
    dataset: Dataset, rows: Dataset, read: Reading, points: Mapping[str, Point], m: int
) -> Iterator[tuple[str, str]]:
    """Yield every cell of the grid with the script of its model, with ``m`` components."""
    X = chosen_on(dataset).X_train
    for cell, point in points.items():
        same = {"parameters": json.dumps(arguments(point, X)), "n_components": m}
        yield cell, recipe(dataset.name, read, unfitted(rows, point, same))


def _write(text: str, path: str) -> None:
    write_atomically(path, methodcaller("write", text.encode()))


if __name__ == "__main__":
    run(models)
