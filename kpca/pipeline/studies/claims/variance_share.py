"""A share of the variance as the rule for k: what it picks, and what it costs.

Only k differs between the two sides: kernel, its parameters and C are those that
cross-validation chose together with its k.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from kpca.pipeline.studies.claims.claim import Claim
from kpca.pipeline.studies.claims.sweep import (
    UNIT,
    Estimand,
    across,
    dataset_claims,
    judged,
    main_rows,
    margin_of,
    metric_of,
    svm_of,
)

FIGURE = "claims_variance_share"
SOURCE = "80–90 % of the variance"
CHOSEN = "chosen kernel"
"""Stands for the family that cross-validation chose in each replicate."""

COLUMNS = [*UNIT, "kernel", "cell", "cross_validated", "rule", "cv_score", "rule_score"]


def measure(
    scores: pd.DataFrame,
    selected: pd.DataFrame,
    variance_rule: pd.DataFrame,
    datasets: pd.DataFrame,
    share: float,
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on the share of the variance, and what it picks and costs.

    Returns
    -------
    claims : list of Claim
    tables : dict
        ``picks``, columns `COLUMNS`, one row a dataset, replicate and kernel; ``costs``,
        columns kernel, dataset, replicates, mean, low, high, comparisons, verdict.
    """
    method = svm_of(scores)
    found = picks(scores, selected, variance_rule, method) if method else _nothing()
    if found.empty:
        return [], {"picks": found, "costs": pd.DataFrame(columns=["kernel", "dataset", "mean"])}
    asked = Estimand(
        f"loss of {metric_of(str(method))} by taking the k of {share:.0%} of the variance",
        "below",
        margin_of(str(method)),
    )
    costs = _costs(found, datasets, asked)
    return list(_claims(found, costs, asked, share)), {"picks": found, "costs": costs}


def picks(
    scores: pd.DataFrame, selected: pd.DataFrame, variance_rule: pd.DataFrame, method: str
) -> pd.DataFrame:
    """Return both numbers of components and their test scores, within the chosen setting.

    Parameters
    ----------
    scores, selected, variance_rule : DataFrame
        Tables of the sweep.
    method : str
        The downstream method.
    """
    names = {"n_components": "cross_validated", "value": "cv_score"}
    chosen = main_rows(selected, method).rename(columns=names)
    over = chosen["criterion"] == "cv_over_kernels"
    chosen = chosen.assign(shown=chosen["kernel"].mask(over, CHOSEN))
    chosen = chosen[over | (chosen["criterion"] == "cv")]
    asked = chosen.merge(variance_rule, on=[*UNIT, "kernel", "cell"])
    asked = asked.rename(columns={"components_for_share": "rule"})
    tried = main_rows(scores, method)[[*UNIT, "cell", "C", "n_components", "value"]]
    tried = tried.rename(columns={"n_components": "rule", "value": "rule_score"})
    both = asked.merge(tried, on=[*UNIT, "cell", "C", "rule"])
    return both.assign(kernel=both["shown"])[COLUMNS]


def _nothing() -> pd.DataFrame:
    return pd.DataFrame(columns=COLUMNS)


def _costs(found: pd.DataFrame, datasets: pd.DataFrame, asked: Estimand) -> pd.DataFrame:
    lost = found.assign(difference=found["cv_score"] - found["rule_score"])
    parts = [
        judged(rows, datasets, asked).assign(kernel=kernel)
        for kernel, rows in lost.groupby("kernel", sort=False)
    ]
    return pd.concat(parts, ignore_index=True)


def _claims(
    found: pd.DataFrame, costs: pd.DataFrame, asked: Estimand, share: float
) -> Iterator[Claim]:
    rule = f"{share:.0%} of the variance"
    ratio = np.log2(found["rule"] / found["cross_validated"])
    ratios = found.assign(ratio=ratio).groupby(["kernel", "dataset"])["ratio"].mean()
    same = Estimand(f"log₂ of the k of {rule} over the cross-validated k", "within", 1.0)
    near = "as many components as cross-validation, within a factor of two"
    for kernel, rows in costs.groupby("kernel", sort=False):
        name = f"over-datasets-{str(kernel).replace(' ', '_')}"
        said = f"The k of {rule} costs nothing against the cross-validated k ({kernel})."
        yield across(f"7-cost-{name}", said, SOURCE, rows["mean"], asked, FIGURE)
        said = f"A share of {rule} asks for {near} ({kernel})."
        yield across(f"7-count-{name}", said, SOURCE, ratios.loc[kernel], same, FIGURE)
    said = f"The k of {rule} costs nothing against the cross-validated k, {CHOSEN}"
    chosen = costs[costs["kernel"] == CHOSEN]
    yield from dataset_claims("7-cost", said, chosen, asked, FIGURE)
