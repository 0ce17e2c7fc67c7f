"""Scores of kernel PCA and PCA by the number of components."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from kpca.study.evidence.comparison import ENDS, GAINS, Design
from kpca.study.evidence.selection import (
    KERNEL_PCA,
    ONLY_PCA,
    best_setting,
    by_main_metric,
    curved_kernels,
    scores_at,
)
from kpca.study.scoring.methods import METHODS

COLUMNS = ["dataset", "metric", "model", "n_components", *ENDS, *GAINS]


def by_components(
    scores: pd.DataFrame,
    variance_rule: pd.DataFrame,
    described: Mapping[Any, Any],
    method: str,
    sizes: Sequence[int],
) -> pd.DataFrame:
    """Return one row per model of a dataset and number of components.

    Kernel PCA and PCA take their best setting with so many components in each training set, and PCA
    keeps its rank if there are fewer. ``gain`` is the difference of kernel PCA from PCA. The tables
    are those of one dataset, which is ``described`` by `describe`. ``method`` is the one by which
    its kernel is chosen, and ``sizes`` are the numbers that are asked for.
    """
    dataset = described["dataset"]
    metric = METHODS[method].metric
    design = Design.of(described, metric)
    rows = by_main_metric(scores[scores["method"] == method])
    curved = rows[rows["kernel"].isin(curved_kernels(variance_rule))]
    kernel = _best_tested(curved[curved["n_components"].isin(sizes)])
    pca = _best_tested(rows[rows["kernel"] == "pca"])
    if not pca.empty:  # Rows that are known by a kernel matrix alone have no PCA.
        pca = pca.reindex(columns=kernel.columns, method="ffill").dropna(axis="columns")
    table = []
    for model, tested in ((ONLY_PCA, pca), (KERNEL_PCA, kernel)):
        for m, values in tested.items():
            ends = design.score(values)[:3]
            gains: tuple[float, ...] = (math.nan,) * 3
            if model == KERNEL_PCA and m in pca:
                gains = design.difference(values, pca[m])[:3]
            table.append((dataset, metric, model, m, *ends, *gains))
    return pd.DataFrame(table, columns=COLUMNS)


def _best_tested(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the test score of the best setting, replicates in rows and numbers of components.

    A number of components that some replicate lacks is left out.
    """
    best = best_setting(scores, ["replicate", "n_components"])
    tested = scores_at(scores[scores["split"] == "test"], best)
    by_number = tested.pivot(index="replicate", columns="n_components", values="value")
    return by_number.dropna(axis="columns")
