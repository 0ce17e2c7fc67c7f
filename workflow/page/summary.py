"""The summary of a run on its page: for which datasets each option is recommended."""

from collections.abc import Sequence

import pandas as pd

from kpca.study.evidence.selection import KERNEL_PCA, MODELS, ONLY_PCA
from workflow.drawing import style
from workflow.drawing.finding import enumerated

MOST_NAMED = 4  # largest number of datasets that a sentence names; more are only counted

# Verdict on kernel PCA compared with PCA → its words.
AGAINST = {
    "better": "better on",
    "worse": "worse on",
    "enough": "not needed on",
    "inconclusive": "inconclusive on",
}


def summary(decisions: pd.DataFrame) -> str:
    """Return for which datasets each option is recommended, for components and for prediction."""
    scored = decisions[decisions["recommended"].notna()]
    titles = scored["dataset"].map(style.title)
    if scored.empty:
        return ""
    raw, pca, kernel = (listed(titles[scored["recommended"] == option]) for option in MODELS)
    predict = f"raw features for {raw}, PCA for {pca} and kernel PCA for {kernel}"
    curved, linear = (listed(titles[scored["model"] == model]) for model in (KERNEL_PCA, ONLY_PCA))
    clauses = [
        f"{text} {listed(titles[scored['vs_pca'] == verdict])}"
        for verdict, text in AGAINST.items()
        if (scored["vs_pca"] == verdict).any()
    ]
    *first, last = clauses or ["not compared"]
    compared = f"{', '.join(first)}, and {last}" if first else last
    return (
        f"Of {len(scored)} datasets, kernel PCA is recommended as components for {curved}, and PCA "
        f"for {linear}. To predict, the recommendation is {predict}. Compared with PCA, kernel PCA "
        f"is {compared}."
    )


def listed(titles: Sequence[str] | pd.Series) -> str:
    """Return the titles of datasets if they are few, and otherwise their number."""
    return enumerated(titles) if len(titles) <= MOST_NAMED else str(len(titles))
