"""What a page says of the answers of a run: for which datasets each option is recommended."""

from collections.abc import Sequence

import pandas as pd

from kpca.study.evidence.selection import MODELS
from workflow.drawing import style

MOST_NAMED = 4  # datasets that a sentence names; of more it says how many they are

AGAINST = {
    "better": "better on",
    "worse": "worse on",
    "enough": "not needed on",
    "inconclusive": "inconclusive on",
}
"""Verdict on kernel PCA compared with PCA → its words."""


def summary(decisions: pd.DataFrame) -> str:
    """Return how many datasets each option is best for, and where kernel PCA improves on PCA."""
    scored = decisions[decisions["recommended"].notna()]
    titles = scored["dataset"].map(style.title)
    if scored.empty:
        return ""
    raw, pca, kernel = (listed(titles[scored["recommended"] == option]) for option in MODELS)
    said = f"raw features are recommended for {raw}, PCA for {pca} and kernel PCA for {kernel}"
    clauses = [
        f"{words} {listed(titles[scored['vs_pca'] == verdict])}"
        for verdict, words in AGAINST.items()
        if (scored["vs_pca"] == verdict).any()
    ]
    *first, last = clauses or ["not compared"]
    compared = f"{', '.join(first)}, and {last}" if first else last
    return f"Of {len(scored)} datasets, {said}. Compared with PCA, kernel PCA is {compared}."


def listed(titles: Sequence[str] | pd.Series) -> str:
    """Return how many datasets there are, and which if they are few."""
    *first, last = titles if len(titles) else ["none"]
    names = f"{', '.join(first)} and {last}" if first else last
    return names if len(titles) <= MOST_NAMED else str(len(titles))
