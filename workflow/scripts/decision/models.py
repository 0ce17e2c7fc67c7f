"""Fit what was chosen for every dataset to all its rows; write model, embedding and script."""

import logging
from collections.abc import Mapping, Sequence
from operator import methodcaller
from pathlib import Path
from typing import Any

import pandas as pd

import kpca
from pipeline.datasets.dataset import load_dataset
from pipeline.decision.model import all_rows, embedding, given_rows, unfitted
from pipeline.decision.recipe import recipe
from pipeline.files import write_atomically, write_table
from pipeline.grid import point_from_dict
from pipeline.job import run

Given = Mapping[str, Any]
ROLES = ("id", "label", "target", "group")


def models(
    datasets: Sequence[str],
    decisions: pd.DataFrame,
    specs: Mapping[str, Given],
    grids: Mapping[str, list[dict[str, Any]]],
    files: Mapping[str, Mapping[str, str]],
    paths: Sequence[str],
) -> None:
    """Write the files of every dataset; a model with a function of one's own has none itself."""
    del paths  # they are the values of `files`
    chosen = {row["dataset"]: dict(row) for _, row in decisions.iterrows()}
    for stored in datasets:
        dataset = load_dataset(stored)
        name = dataset.name
        points = {point.id: point for point in map(point_from_dict, grids[name])}
        decision, spec = chosen[name], specs[name]
        rows = all_rows(dataset, spec)
        model = unfitted(rows, points[decision["cell"]], decision).fit(given_rows(rows))
        logging.info("%s: %d rows, eigen_solver %s", name, len(rows.X), model[-1].solver_)
        text = recipe(rows, spec, model, stored).encode()
        write_atomically(files[name]["script"], methodcaller("write", text))
        write_table(embedding(rows, model), files[name]["embedding"])
        if "model" in files[name]:
            # What the command `kpca` carries along from a file with new rows.
            roles = {role: str(spec[role]) for role in ROLES if role in spec}
            kpca.save(model, Path(files[name]["model"]), notes={"dataset": name, **roles})
        else:
            logging.warning(
                "%s: no model is saved, since a file holds no function, and own kernels are in the "
                "configuration; %s fits it anew",
                *(name, files[name]["script"]),
            )


if __name__ == "__main__":
    run(models)
