"""From measures to choices: one criterion, one γ and one number of components."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from pipeline.tables.selection import from_middle
from workflow.scripts.choice.components import one_standard_error
from workflow.scripts.choice.measures import next_to_one

AT_MEDIAN = {
    "reconstruction": "feature",
    "feature_denoising": "corrupted_feature",
    "stability": "angle",
}
"""Criterion → measure whose one-standard-error rule chooses m; γ is the median heuristic's."""

OVER_BOTH = {
    "input_denoising": "input",
    "relevant_dimension": "likelihood",
    "leave_one_out": "leave_one_out",
}
"""Criterion → measure whose least value chooses γ and m."""

USE_LABELS = ("relevant_dimension", "leave_one_out", "cv", "hindsight")
KEYS = ["dataset", "replicate"]
COLUMNS = [*KEYS, "criterion", "cell", "multiple", "gamma", "n_components"]


def choices(measures: pd.DataFrame, variance_rule: pd.DataFrame) -> pd.DataFrame:
    """Return what every criterion chooses, from `measures` and `variance_rule_table`.

    One row a dataset, replicate and criterion, with the columns `COLUMNS`. Criteria: ``variance``
    (median γ, share of the variance), those of `AT_MEDIAN`, ``feature_gamma`` (γ by the held-out
    error in feature space, which always takes the smallest), and those of `OVER_BOTH`. A criterion
    whose measure has no finite value, as on rows of which hardly any differ, chooses nothing and
    has no row.
    """
    rows = []
    for (dataset, replicate), group in measures.groupby(KEYS, sort=True):
        here = (variance_rule["dataset"] == dataset) & (variance_rule["replicate"] == replicate)
        share = variance_rule[here].set_index("cell")["components_for_share"]
        rows += [(dataset, replicate, *chosen) for chosen in _chosen(group, share)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _chosen(measures: pd.DataFrame, share: pd.Series) -> Iterator[tuple[object, ...]]:
    grid = measures.drop_duplicates("cell").set_index("cell")[["multiple", "gamma"]]
    at_median = measures[measures["multiple"] == next_to_one(list(grid["multiple"]))]
    median = str(at_median["cell"].iloc[0])

    def row(criterion: str, cell: str, m: int) -> tuple[object, ...]:
        return criterion, cell, grid.loc[cell, "multiple"], grid.loc[cell, "gamma"], m

    yield row("variance", median, int(share[median]))
    for criterion, measure in AT_MEDIAN.items():
        curve = _of(at_median, measure)
        if curve.empty:
            continue
        first = one_standard_error(curve["value"].to_numpy(), curve["error"].to_numpy())
        m = int(curve["n_components"].iloc[first])
        yield row(criterion, median, m)
        if measure == "feature":
            same = _of(measures, measure)
            yield row("feature_gamma", _least(same[same["n_components"] == m])[0], m)
    for criterion, measure in OVER_BOTH.items():
        finite = _of(measures, measure)
        if not finite.empty:
            yield row(criterion, *_least(finite))


def _of(measures: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return the finite values of a measure."""
    return measures[(measures["measure"] == measure) & np.isfinite(measures["value"])]


def _least(rows: pd.DataFrame) -> tuple[str, int]:
    """Return cell and m of the least value; ties as in `pipeline.tables.selection`."""
    away = from_middle(rows, KEYS)
    ranked = rows.assign(rounded=np.round(rows["value"], 12), away=away)
    best = ranked.sort_values(["rounded", "n_components", "away", "gamma"], kind="stable").iloc[0]
    return str(best["cell"]), int(best["n_components"])
