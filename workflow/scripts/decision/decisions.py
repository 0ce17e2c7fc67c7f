"""Decide for every dataset, and say so in a sentence."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from pipeline.datasets.dataset import load_dataset
from pipeline.decision.decision import decide
from pipeline.decision.sentence import caveats, sentence
from pipeline.evaluation.settings import Settings
from pipeline.grid import Point
from pipeline.job import script
from pipeline.store import by_dataset
from pipeline.tables.scores import scores_table, unconverged_table


@script
def decisions(
    datasets: Sequence[str],
    stores: Sequence[str],
    grids: Mapping[str, list[dict[str, Any]]],
    evaluation: dict[str, Any],
    quick: str,
    **tables: pd.DataFrame,
) -> pd.DataFrame:
    """Return one row per dataset; tables are those of `pipeline.decision.decision.decide`."""
    settings = Settings.from_config(evaluation)
    scores = by_dataset(stores)
    tables |= {"validation": scores_table(scores, whole=True)}
    tables |= {"unconverged": unconverged_table(scores)}
    rows = []
    for dataset in map(load_dataset, datasets):
        points = [Point(**plain) for plain in grids[dataset.name]]
        decision, basis = decide(dataset, points, settings, tables)
        basis = replace(basis, quick=quick)
        words = sentence(decision, basis)
        logging.info("%s: %s", dataset.name, words)
        limits = " | ".join(caveats(decision, basis))
        rows.append(decision | {"sentence": words, "caveats": limits})
    return pd.DataFrame(rows)
