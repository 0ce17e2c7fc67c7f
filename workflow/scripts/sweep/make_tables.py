"""Gather the scores, and select."""

from collections.abc import Sequence

import pandas as pd

from pipeline.datasets.dataset import describe, load_dataset
from pipeline.job import script
from pipeline.store import by_dataset
from pipeline.tables.scores import scores_table, variance_rule_table
from pipeline.tables.selection import budgets, select


@script
def make_tables(
    datasets: Sequence[str], stores: Sequence[str], left_out: Sequence[str]
) -> dict[str, pd.DataFrame]:
    """Return every table by name; the table of datasets says what was left out."""
    described = pd.DataFrame([describe(load_dataset(path)) for path in datasets])
    described["left_out"] = "; ".join(left_out)
    scores = scores_table(by_dataset(stores))
    variance_rule = variance_rule_table(by_dataset(stores))
    selected = select(scores, variance_rule)
    return {
        "datasets": described,
        "scores": scores,
        "variance_rule": variance_rule,
        "selected": selected,
        "budgets": budgets(scores, selected),
    }
