"""Small tables of a sweep, written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.pipeline.selection import MAIN_METRIC
from kpca.pipeline.tables import SCORE_COLUMNS

Pair = tuple[float, float]


def setting(
    kernel: str, cell: str, m: int, values: Sequence[Pair], **changes: Any
) -> list[dict[str, Any]]:
    """Rows of one setting: validation and test score of every replicate; NaN is left out."""
    base = dict.fromkeys(SCORE_COLUMNS, np.nan) | {
        "dataset": "rings",
        "kernel": kernel,
        "cell": cell,
        "n_components": m,
        "method": "linear_svm",
        "C": 1.0,
    }
    base |= changes
    return [
        base
        | {"metric": MAIN_METRIC[base["method"]], "replicate": r, "split": split, "value": value}
        for r, pair in enumerate(values)
        for split, value in zip(("cv", "test"), pair, strict=True)
        if not np.isnan(value)
    ]


def scores(*settings: list[dict[str, Any]]) -> pd.DataFrame:
    """Settings as the table of scores."""
    return pd.DataFrame([row for rows in settings for row in rows])[SCORE_COLUMNS]


def described(*names: str, source: str = "generator rings") -> pd.DataFrame:
    """Independent draws, in the columns of the table of datasets that the claims read."""
    return pd.DataFrame(
        {
            "dataset": names,
            "train": 100,
            "test": 50,
            "draws": "independent",
            "source": source,
        }
    )


def shares(counts: dict[str, int], replicates: int, dataset: str = "rings") -> pd.DataFrame:
    """Cell → components that the share of the variance asks for, alike in all replicates."""
    return pd.DataFrame(
        [
            (dataset, r, cell.split("-")[0], cell, count, 99)
            for cell, count in counts.items()
            for r in range(replicates)
        ],
        columns=["dataset", "replicate", "kernel", "cell", "components_for_share", "rank"],
    )
