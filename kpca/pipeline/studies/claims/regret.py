"""γ by cross-validation: what is lost against the best γ in hindsight.

Number of components and C are chosen by cross-validation at every γ, so that γ alone is in
question. The best in hindsight is named twice: by the test score of each replicate, which
also finds what is best by chance, and by the mean over replicates, one multiple for all.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from kpca.pipeline.selection import best_setting, scores_at
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

FIGURE = "claims_regret"
GAUSSIAN = "rbf"
HINDSIGHT = {
    "replicate": "the best γ of each replicate in hindsight",
    "mean": "the γ that is best on average in hindsight",
}
CHOICES = [*UNIT, "method", "cell", "gamma", "validation", "test", "chosen"]
REGRETS = ["method", "hindsight", "dataset", "mean", "low", "high", "comparisons", "verdict"]


def measure(
    scores: pd.DataFrame, datasets: pd.DataFrame
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on the regret, and the regrets.

    Returns
    -------
    claims : list of Claim
    tables : dict
        ``choices``: columns `CHOICES`, one row a dataset, replicate, method and γ.
        ``regrets``: columns `REGRETS`.
    """
    choices, regrets = [], []
    claims: list[Claim] = []
    for method in (svm_of(scores), "kmeans"):
        along = along_gamma(scores, str(method))
        if along.empty:
            continue
        choices.append(along)
        for hindsight in HINDSIGHT:
            asked = _asked(str(method), hindsight)
            rows = judged(regret(along, hindsight), datasets, asked)
            regrets.append(rows.assign(method=method, hindsight=hindsight))
            claims += _claims(str(method), hindsight, rows, asked)
    return claims, {
        "choices": _joined(choices, CHOICES),
        "regrets": _joined(regrets, REGRETS),
    }


def along_gamma(scores: pd.DataFrame, method: str) -> pd.DataFrame:
    """Return validation and test score at every γ, and which γ cross-validation chose.

    Returns
    -------
    DataFrame
        Columns `CHOICES`; ties of the choice go to the larger σ.
    """
    rows = scores[(scores["kernel"] == GAUSSIAN) & (scores["method"] == method)]
    if rows.empty:
        return pd.DataFrame(columns=CHOICES)
    best = best_setting(rows, [*UNIT, "cell"])
    test = main_rows(scores_at(rows, best), method).set_index([*UNIT, "cell"])["value"]
    found = best.rename(columns={"value": "validation"}).join(
        test.rename("test"), on=[*UNIT, "cell"]
    )
    order = found.assign(rounded=-found["validation"].round(10))
    first = order.sort_values([*UNIT, "rounded", "gamma"], kind="stable").drop_duplicates(UNIT)
    found = found.assign(chosen=found.index.isin(first.index))
    return found[CHOICES].sort_values([*UNIT, "gamma"], ignore_index=True)


def regret(along: pd.DataFrame, hindsight: str) -> pd.DataFrame:
    """Return the test score of the best γ in hindsight less that of the chosen γ.

    Parameters
    ----------
    along : DataFrame
        Of `along_gamma`.
    hindsight : {"replicate", "mean"}
        Where the best is known from.

    Returns
    -------
    DataFrame
        Columns dataset, replicate, difference: never negative for "replicate".
    """
    chosen = along[along["chosen"]].set_index(UNIT)["test"]
    if hindsight == "replicate":
        best = along.groupby(UNIT)["test"].max()
    else:
        means = along.groupby(["dataset", "cell"])["test"].mean()
        cells = means.groupby("dataset").idxmax()
        of_cells = along[along.set_index(["dataset", "cell"]).index.isin(list(cells))]
        best = of_cells.set_index(UNIT)["test"]
    return (best - chosen).rename("difference").reset_index()


def _asked(method: str, hindsight: str) -> Estimand:
    words = f"{metric_of(method)} of {HINDSIGHT[hindsight]} less that of γ by cross-validation"
    return Estimand(words, "below", margin_of(method))


def _claims(method: str, hindsight: str, rows: pd.DataFrame, asked: Estimand) -> Iterator[Claim]:
    before = "k-means" if method == "kmeans" else "the SVM"
    name = f"10-{'kmeans' if method == 'kmeans' else 'svm'}-{hindsight}"
    said = f"γ by cross-validation is as good before {before} as {HINDSIGHT[hindsight]}"
    yield across(name, f"{said}.", "γ by cross-validation", rows["mean"], asked, FIGURE)
    if method != "kmeans":
        yield from dataset_claims(name, said, rows, asked, FIGURE)


def _joined(parts: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)
