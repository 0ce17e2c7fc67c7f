"""Compare the intervals and verdicts of simulated datasets with the truth."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from pipeline.evaluation.metrics import METRICS
from pipeline.job import script
from pipeline.store import read_table
from pipeline.tables.comparison import PLANNED
from pipeline.tables.selection import ONLY_PCA
from workflow.scripts.calibration.simulate import ALL_ROWS, MODEL, SCORE, SPLITS

COVERAGE, FALSE, DECIDED = 0.92, 0.025, 0.95
"""Least coverage, largest fraction of each false verdict, and least fraction of decided ones."""

NEAR = 0.005
"""If the true difference is so close to the margin, no verdict counts as false."""

LARGE = 0.1
"""A true improvement over PCA of so much is expected to be found."""

EQUAL = ("plane", 500)
"""Here PCA is expected to be called enough, by independent draws."""

VERDICTS = ("better", "worse", "enough")


def _rows(cell: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the rows of one population and number of rows."""
    splits = cell[cell["draws"] == SPLITS]
    fresh = splits.groupby("comparison")["fresh"].mean()
    for (draws, comparison), these in cell.groupby(["draws", "comparison"], sort=False):
        # Each dataset is in one group of each turn of independent draws.
        turns = 1 if draws == SPLITS else these["set"].str.partition("-")[0].nunique()
        n = len(these) / turns
        truths = these["fresh"]
        if comparison == MODEL:  # which model is exported differs between the sets
            truths = fresh[SCORE] - (these["verdict"] == ONLY_PCA) * fresh["pca"]
        elif comparison != ALL_ROWS:  # the truth of all sets, not that of one
            truths = truths * 0 + truths.mean()
        row = {name: these[name].iloc[0] for name in ("population", "rows", "draws", "comparison")}
        row |= {"sets": splits["set"].nunique(), "truth": truths.mean()}
        row |= {"truth_error": these["fresh"].std(ddof=1) / math.sqrt(n)}
        row |= measured(these, truths, n)
        yield row | {"missed": ", ".join(_missed(row, n))}


def measured(intervals: pd.DataFrame, truths: pd.Series, independent: float) -> dict[str, float]:
    """Return bias, coverage, width and verdicts of the intervals of a cell, with standard errors.

    Parameters
    ----------
    intervals : DataFrame
        Rows of `simulate` of one comparison.
    truths : Series
        What each interval should contain.
    independent : float
        Number of intervals that share no dataset.
    """
    has = intervals["low"].notna()
    covers = (intervals["low"] <= truths) & (truths <= intervals["high"])
    off = intervals["value"] - truths
    coverage = float(covers[has].mean()) if has.any() else math.nan
    row = {
        "bias": float(off.mean()),
        "bias_error": float(off.std(ddof=1)) / math.sqrt(independent),
        "intervals": float(has.mean()),
        "coverage": coverage,
        "coverage_error": _error(coverage, independent),
        "width": float((intervals["high"] - intervals["low"]).mean()),
    }
    truth, kind = float(truths.mean()), str(intervals["comparison"].iloc[0]).split()[-1]
    margin = METRICS[intervals["metric"].iloc[0]].margin if kind in PLANNED else math.nan
    wrong = {
        "better": truth <= margin - NEAR,
        "worse": truth >= NEAR - margin,
        "enough": truth > margin + NEAR,
    }
    for verdict in VERDICTS:
        fraction = float((intervals["verdict"] == verdict).mean())
        row[verdict] = fraction if kind in PLANNED else math.nan
        row[f"false_{verdict}"] = fraction if wrong[verdict] else math.nan
    return row


def _error(fraction: float, n: float) -> float:
    """Return the standard error of a fraction; one more of each kind keeps it above zero.

    >>> round(_error(1.0, 98), 4)
    0.0101
    """
    p = (fraction * n + 1) / (n + 2)
    return math.sqrt(p * (1 - p) / n)


def _missed(row: dict[str, Any], n: float) -> Iterator[str]:
    """Yield the targets that a row misses by more than two standard errors."""

    def slack(target: float) -> float:
        return 2 * math.sqrt(target * (1 - target) / n)

    planned = row["comparison"] in (SCORE, *PLANNED)
    if planned and row["coverage"] < COVERAGE - slack(COVERAGE):
        yield "coverage"
    for verdict in VERDICTS:
        if row[f"false_{verdict}"] > FALSE + slack(FALSE):
            yield f"false {verdict}"
    large = row["population"] in ("ring", "spirals") and row["truth"] > LARGE
    right = "better" if large else "enough"
    equal = (row["population"], row["rows"]) == EQUAL and row["draws"] != SPLITS
    if row["comparison"] == "pca" and (large or equal) and row[right] < DECIDED - slack(DECIDED):
        yield "decided"


@script
def summary(batches: Sequence[str]) -> pd.DataFrame:
    """Return one row per population, number of rows, kind of draws and comparison.

    Parameters
    ----------
    batches : sequence of str
        Files with tables of `simulate`.
    """
    intervals = pd.concat([read_table(path) for path in batches], ignore_index=True)
    cells = intervals.groupby(["population", "rows"], sort=False)
    table = pd.DataFrame([row for _, cell in cells for row in _rows(cell)])
    sets = table["sets"].unique()
    print(f"{sets.min()} simulated datasets per cell", flush=True)
    return table
