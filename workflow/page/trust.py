"""Advice on which picture of the rows to use, from the measures in ``tables/own_view.csv``."""

import math
from typing import NamedTuple

import pandas as pd

from kpca.study.decision.record import number
from kpca.study.evidence.faithfulness import PLANES, TRAINING

LEAST = 0.01  # smallest mean difference from PCA that matters

# Measure → what a picture is used for, and what is measured.
USES = {
    "training_distances": "for distances: rank correlation",
    "training": "for neighbours: trustworthiness",
}

EXACT = "PCA keeps all of the variance, so its picture shows distances as they are."


class Trust(NamedTuple):
    """What the page says about pictures of the rows."""

    first: str = "view"  # name of the embedding that is drawn first, such as "view" or "pca"
    words: str = ""
    variance: float = math.nan  # fraction of the variance that two components of PCA keep


def trust(measures: pd.DataFrame) -> Trust:
    """Return the advice for a dataset; docs/embeddings.md states which plane comes first."""
    if measures.empty:
        return Trust()
    table = measures.set_index(["measure", "method"])
    variance = float(table["mean"]["variance", "PCA"])
    if "training" not in table.index:
        return Trust("pca", EXACT, variance)
    # 1 if a method is better than PCA, −1 if it is worse, and 0 if neither is shown.
    sides = (table["gain_low"] > 0).astype(int) - (table["gain_high"] < 0)
    table["side"] = sides.where(table["gain"].abs() >= LEAST, 0)
    sentences = [
        _use(measure, table.loc[[measure]].droplevel("measure"))
        for measure in USES
        if measure in table.index
    ]
    alone = table["mean"]["alone"]
    placing = alone.index[alone == 1]
    if len(placing) < len(alone):
        sentences.append(f"Only {' and '.join(placing)} can place new rows one by one.")
    of_training = table["side"][[*TRAINING]].groupby("method", sort=False)
    better = (of_training.max() == 1) & (of_training.min() >= 0)
    first = "PCA"
    if better.any():
        first = table["mean"]["training"][better].idxmax()
    return Trust(PLANES[first], " ".join(filter(None, sentences)), variance)


def _use(measure: str, rows: pd.DataFrame) -> str:
    """Return the sentence on a measure, given its rows by method; "" if PCA is the only method."""
    pca = rows.loc[["PCA"]]
    others = rows.drop("PCA")
    if others.empty:
        return ""
    better = others[others["side"] > 0]
    best = better.sort_values("mean", ascending=False, kind="stable")
    compared = pca
    undecided = ""
    if better.empty:
        best = pca
        compared = others
        undecided = ", inconclusive"
    texts = [
        f"{number(row['mean'])} ({method}{'' if row['side'] else undecided})"
        for method, row in compared.iterrows()
    ]
    values = " and ".join(map(number, best["mean"]))
    used = f"Use {' or '.join(best.index)} {USES[measure]} {values}"
    return f"{used} compared with {' and '.join(texts)}."
