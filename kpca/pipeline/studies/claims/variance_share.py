"""A share of the variance as the rule for k: what it picks, and what it costs.

Only k differs between the two sides: kernel, its parameters and C are those that
cross-validation chose together with its k.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from kpca.pipeline.studies.claims.claim import Claim
from kpca.pipeline.studies.claims.shares import CHOSEN, SETTING
from kpca.pipeline.studies.claims.sweep import (
    Estimand,
    across,
    dataset_claims,
    judged,
    margin_of,
    metric_of,
)

FIGURE = "claims_variance_share"
SOURCE = "80–90 % of the variance"
DIGITS = 10
NUMBERS = ["share", "cross_validated", "rule", "cv_score", "rule_score"]
PICKS = [*SETTING, *NUMBERS]
COSTS = [
    *("share", "kernel", "dataset", "replicates", "mean", "low", "high"),
    *("comparisons", "verdict"),
]


def measure(
    chosen: pd.DataFrame, scored: pd.DataFrame, datasets: pd.DataFrame, method: str
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on shares of the variance, and what they pick and cost.

    Parameters
    ----------
    chosen, scored : DataFrame
        Of `kpca.pipeline.studies.claims.shares`: `chosen_settings` and `score_shares`.
    datasets : DataFrame
        Of the sweep.
    method : str
        The linear SVM.

    Returns
    -------
    claims : list of Claim
    tables : dict
        ``picks``, columns `PICKS`, one row a dataset, replicate, kernel and share; ``costs``,
        columns `COSTS`.
    """
    picks = chosen.merge(scored, on=SETTING)
    picks = picks.assign(kernel=picks["shown"])[PICKS]
    claims: list[Claim] = []
    parts = []
    for share, rows in picks.groupby("share"):
        asked = _cost(float(str(share)), method)
        # One of the two was read from a table of twelve digits.
        lost = rows.assign(difference=(rows["cv_score"] - rows["rule_score"]).round(DIGITS))
        costs = [
            judged(of_kernel, datasets, asked).assign(kernel=kernel, share=share)
            for kernel, of_kernel in lost.groupby("kernel", sort=False)
        ]
        parts += costs
        claims += _claims(rows, pd.concat(costs), float(str(share)), asked)
    costs_table = pd.concat(parts, ignore_index=True)[COSTS] if parts else pd.DataFrame()
    return claims, {"picks": picks, "costs": costs_table.reindex(columns=COSTS)}


def _cost(share: float, method: str) -> Estimand:
    words = f"loss of {metric_of(method)} by taking the k of {share:.0%} of the variance"
    return Estimand(words, "below", margin_of(method))


def _claims(
    picks: pd.DataFrame, costs: pd.DataFrame, share: float, asked: Estimand
) -> Iterator[Claim]:
    rule = f"{share:.0%} of the variance"
    ratio = np.log2(picks["rule"] / picks["cross_validated"])
    ratios = picks.assign(ratio=ratio).groupby(["kernel", "dataset"])["ratio"].mean()
    same = Estimand(f"log₂ of the k of {rule} over the cross-validated k", "within", 1.0)
    near = "as many components as cross-validation, within a factor of two"
    for kernel, rows in costs.groupby("kernel", sort=False):
        name = f"{share:.0%}-over-datasets-{kernel}".replace("%", "").replace(" ", "_")
        said = f"The k of {rule} costs nothing against the cross-validated k ({kernel})."
        yield across(f"7-cost-{name}", said, SOURCE, rows["mean"], asked, FIGURE)
        said = f"A share of {rule} asks for {near} ({kernel})."
        yield across(f"7-count-{name}", said, SOURCE, ratios.loc[kernel], same, FIGURE)
    said = f"The k of {rule} costs nothing against the cross-validated k, {CHOSEN}"
    of_chosen = costs[costs["kernel"] == CHOSEN]
    name = f"7-cost-{share:.0%}".replace("%", "")
    yield from dataset_claims(name, said, of_chosen, asked, FIGURE)
