"""From measures to choices: one criterion, one γ and one number of components."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from pipeline.tables.selection import from_middle
from workflow.scripts.choice.measures import next_to_one

MEASURES = {"input_denoising": "input", "relevant_dimension": "likelihood"}
"""Criterion → measure whose least value chooses γ and m."""

USE_LABELS = ("relevant_dimension", "cv", "hindsight")
KEYS = ["dataset", "replicate"]
COLUMNS = [*KEYS, "criterion", "cell", "multiple", "gamma", "n_components"]


def choices(measures: pd.DataFrame, variance_rule: pd.DataFrame) -> pd.DataFrame:
    """Return what every criterion chooses, from `measures` and `variance_rule_table`.

    One row per dataset, replicate and criterion, with the columns `COLUMNS`. Criteria: ``variance``
    (median γ, explained variance) and those of `MEASURES`. A criterion whose measure has no
    finite value, as on rows of which hardly any differ, chooses nothing and has no row.
    """
    rows = []
    for (dataset, replicate), group in measures.groupby(KEYS, sort=True):
        here = (variance_rule["dataset"] == dataset) & (variance_rule["replicate"] == replicate)
        share = variance_rule[here].set_index("cell")["components_for_share"]
        rows += [(dataset, replicate, *chosen) for chosen in _chosen(group, share)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _chosen(measures: pd.DataFrame, share: pd.Series) -> Iterator[tuple[object, ...]]:
    grid = measures.drop_duplicates("cell").set_index("cell")[["multiple", "gamma"]]
    median = str(grid.index[grid["multiple"] == next_to_one(list(grid["multiple"]))][0])

    def row(criterion: str, cell: str, m: int) -> tuple[object, ...]:
        return criterion, cell, grid.loc[cell, "multiple"], grid.loc[cell, "gamma"], m

    yield row("variance", median, int(share[median]))
    for criterion, measure in MEASURES.items():
        of_measure = measures["measure"] == measure
        finite = measures[of_measure & np.isfinite(measures["value"])]
        if not finite.empty:
            yield row(criterion, *_least(finite))


def _least(rows: pd.DataFrame) -> tuple[str, int]:
    """Return cell and m of the least value; ties as in `pipeline.tables.selection`."""
    away = from_middle(rows, KEYS)
    ranked = rows.assign(rounded=np.round(rows["value"], 12), away=away)
    best = ranked.sort_values(["rounded", "n_components", "away", "gamma"], kind="stable").iloc[0]
    return str(best["cell"]), int(best["n_components"])
