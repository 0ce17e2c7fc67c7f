"""Decide for every dataset, say so in sentences, and check what may limit the answer."""

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from pipeline.datasets.dataset import load_dataset
from pipeline.decision.checks import caveats, lone_column, results
from pipeline.decision.decision import decide
from pipeline.decision.sentence import sentence
from pipeline.evaluation.settings import Settings
from pipeline.fitted_models import stored_model
from pipeline.grid import Point
from pipeline.job import script
from pipeline.store import by_dataset, read_arrays
from pipeline.tables.scores import scores_table, unconverged_table
from pipeline.tables.selection import KERNEL_PCA


@script
def decisions(
    datasets: Sequence[str],
    fits: Sequence[str],
    stores: Sequence[str],
    grids: Mapping[str, list[dict[str, Any]]],
    evaluation: dict[str, Any],
    quick: str,
    held_out: pd.DataFrame,
    **tables: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """Return the tables ``decisions``, one row per dataset, and ``checks``.

    The tables are those of `pipeline.decision.decision.decide`.
    """
    settings = Settings.from_config(evaluation)
    scores = by_dataset(stores)
    tables |= {"validation": scores_table(scores, whole=True)}
    tables |= {"unconverged": unconverged_table(scores)}
    rows, checks = [], []
    for dataset, path in zip(map(load_dataset, datasets), fits, strict=True):
        points = [Point(**plain) for plain in grids[dataset.name]]
        decision, basis = decide(dataset, points, settings, tables)
        here = held_out[held_out["dataset"] == dataset.name].set_index(["model", "metric"])["mean"]
        kurtosis = here.get((decision["recommended"], "residual_kurtosis"), math.nan)
        status = ""
        if decision["model"] == KERNEL_PCA:
            fit = read_arrays(path, f"{decision['cell']}/0")
            status = stored_model(fit, dataset.split(0)).completeness_.status
        basis = replace(
            basis,
            quick=quick,
            kurtosis=float(kurtosis),
            completeness=status,
            lone=lone_column(dataset),
        )
        limits = [*caveats(decision, basis)]
        words = " ".join([sentence(decision, basis), *limits[:1]])
        logging.info("%s: %s", dataset.name, words)
        rows.append(decision | {"sentence": words, "caveats": " | ".join(limits)})
        checks.append(results(decision, basis))
    return {"decisions": pd.DataFrame(rows), "checks": pd.concat(checks)}
