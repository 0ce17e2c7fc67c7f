"""What the claims about the sweep share: paired differences from its tables, and their judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from kpca.pipeline.comparison import MARGIN
from kpca.pipeline.curves import overlaps
from kpca.pipeline.selection import MAIN_METRIC, scores_at
from kpca.pipeline.statistics import interval
from kpca.pipeline.studies.claims.claim import Bounds, Claim, Rule, averaged
from kpca.pipeline.studies.claims.ranks import LEAST_DATASETS, signed_rank_interval

SVMS = ("linear_svm", "linear_svm_whitened")
UNIT = ["dataset", "replicate"]
LEVEL = 0.05
WORDS = {"balanced_accuracy": "balanced accuracy", "ami": "adjusted mutual information"}
Side = Literal["above", "below", "within"]


def svm_of(scores: pd.DataFrame) -> str | None:
    """Return the linear SVM of a sweep: on scores of one scale where there is a choice."""
    present = set(scores["method"])
    return next((name for name in SVMS if name in present), None)


def margin_of(method: str) -> float:
    """Return δ, the smallest difference that matters, stated before any run."""
    return MARGIN[MAIN_METRIC[method]]


def metric_of(method: str) -> str:
    """Return the name of a method's main metric in words."""
    return WORDS[MAIN_METRIC[method]]


def main_rows(table: pd.DataFrame, method: str, split: str = "test") -> pd.DataFrame:
    """Return the rows of scores, or of selections, with the main metric of a method."""
    return table[
        (table["method"] == method)
        & (table["metric"] == MAIN_METRIC[method])
        & (table["split"] == split)
    ]


def validated(scores: pd.DataFrame, method: str) -> pd.DataFrame:
    """Return the test rows of settings that cross-validation saw: those of the grid."""
    test = main_rows(scores, method)
    return scores_at(test, main_rows(scores, method, "cv"))


def by_replicate(rows: pd.DataFrame) -> pd.Series:
    """Return the value of every dataset and replicate, one row each."""
    return rows.set_index(UNIT)["value"].sort_index()


def paired(left: pd.Series, right: pd.Series) -> pd.DataFrame:
    """Return left − right where both are known: columns dataset, replicate, difference."""
    return (left - right).dropna().rename("difference").reset_index()


@dataclass(frozen=True)
class Estimand:
    """What a family of claims asks of every dataset.

    Attributes
    ----------
    words : str
        What is measured, with its unit.
    side, threshold
        As in `Rule`.
    """

    words: str
    side: Side
    threshold: float


def judged(differences: pd.DataFrame, datasets: pd.DataFrame, asked: Estimand) -> pd.DataFrame:
    """Return the mean difference of every dataset with an interval by Holm's method.

    The datasets are ordered by the p-value of a mean at the threshold. While these are
    rejected, the r-th of n is judged at level 1 − 0.05/(n − r + 1), and from the first that is
    not rejected on all are judged at its level: a verdict by the interval is one by Holm.
    Equivalence ("within") has two thresholds, and takes 1 − 0.05/n for all.

    Parameters
    ----------
    differences : DataFrame
        Of `paired`.
    datasets : DataFrame
        Of the sweep.
    asked : Estimand

    Returns
    -------
    DataFrame
        Columns dataset, replicates, mean, low, high, comparisons, verdict, in the order of
        ``datasets``.
    """
    overlap = overlaps(datasets)
    groups = {
        str(name): differences.loc[differences["dataset"] == name, "difference"].to_numpy()
        for name in datasets["dataset"]
        if (differences["dataset"] == name).any()
    }
    steps = dict.fromkeys(groups, len(groups))
    if asked.side != "within":
        p = {
            name: interval(values - asked.threshold, test_over_train=overlap[name]).p
            for name, values in groups.items()
        }
        steps = holm_steps(p)
    rows = []
    for name, values in groups.items():
        found = averaged(values, overlap[name], comparisons=steps[name])
        rule = Rule(asked.words, asked.side, asked.threshold, len(values), steps[name])
        rows.append((name, len(values), *found, steps[name], rule.judge(*found[1:])))
    columns = ["dataset", "replicates", "mean", "low", "high", "comparisons", "verdict"]
    return pd.DataFrame(rows, columns=columns)


def holm_steps(p_values: Mapping[str, float]) -> dict[str, int]:
    """Return by how many comparisons Holm divides the level of each of them.

    >>> holm_steps({"a": 0.001, "b": 0.5, "c": 0.02, "d": 0.3})
    {'a': 4, 'c': 3, 'd': 3, 'b': 3}
    """
    ranked = sorted(p_values, key=lambda name: p_values[name])
    steps: dict[str, int] = {}
    divisor, rejecting = len(ranked), True
    for place, name in enumerate(ranked):
        divisor = len(ranked) - place if rejecting else divisor
        rejecting = rejecting and p_values[name] * divisor <= LEVEL
        steps[name] = divisor
    return steps


def dataset_claims(
    claim: str, statement: str, rows: pd.DataFrame, asked: Estimand, figure: str
) -> Iterator[Claim]:
    """Yield one claim a dataset from what `judged` returns."""
    for row in rows.to_dict("records"):
        name, words = str(row["dataset"]), asked.words
        method = "Holm" if asked.side != "within" else "Bonferroni"
        rule = Rule(
            f"{words}, {method} over {len(rows)} datasets,",
            asked.side,
            asked.threshold,
            int(row["replicates"]),
            int(row["comparisons"]),
        )
        found = float(row["mean"]), float(row["low"]), float(row["high"])
        said = f"{statement} ({name.replace('_', ' ')})."
        yield Claim(f"{claim}-{name}", said, "", *found, rule, figure)


def across(
    claim: str, statement: str, source: str, values: pd.Series, asked: Estimand, figure: str
) -> Claim:
    """Return the claim over all datasets: Wilcoxon's signed-rank test on their means.

    Fewer than six datasets decide nothing: the interval is then the whole line, and the rule
    says why.
    """
    n, words = len(values), asked.words
    if n < LEAST_DATASETS:
        over = f"{words}: {n} of the {LEAST_DATASETS} datasets that a claim across them takes,"
        found: Bounds = (float(np.median(values)) if n else np.nan, -np.inf, np.inf)
    else:
        over = (
            f"{words}: median of Hodges and Lehmann over {n} datasets, "
            "95 % interval of the signed-rank test,"
        )
        found = signed_rank_interval(values.to_numpy())
    return Claim(claim, statement, source, *found, Rule(over, asked.side, asked.threshold), figure)
