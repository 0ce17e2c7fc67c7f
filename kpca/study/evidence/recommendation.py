"""Which of raw features, PCA and kernel PCA to use, and what a wrong choice would cost."""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from kpca.study.evidence.comparison import Influences, least_of, overlaps
from kpca.study.evidence.selection import MODELS, selected_models
from kpca.study.evidence.statistics import DECIDED, covariance, half_width, interval
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.metrics import METRICS

_DRAWS = 20_000  # draws from the posterior; an expected loss is then known to one part in a hundred

COLUMNS = ("mean", "low", "high", "expected_loss", "loss_bound", "recommended")


def ranking(
    selected: pd.DataFrame,
    datasets: pd.DataFrame,
    main: Mapping[str, str],
    influences: Mapping[str, Influences],
) -> pd.DataFrame:
    """Return one row per dataset and model: raw features, PCA and kernel PCA.

    The rows have the mean held-out score with its 95 % CI, what choosing the model is expected to
    cost (`losses`), and whether it is `recommended`. The arguments are those of
    `kpca.study.evidence.comparison.compare`. Datasets without labels and target have no rows.
    """
    overlap = overlaps(datasets)
    rows = []
    for dataset, method in main.items():
        metric = METHODS[method].metric
        if metric == "trustworthiness":
            continue
        chosen = selected_models(selected[selected["dataset"] == dataset], method)
        scores = chosen.pivot(index="replicate", columns="model", values="value")
        names = [name for name in MODELS if name in scores]
        known = influences.get(dataset, {})
        moved = np.column_stack([known[name] for name in names]) if known else None
        least = least_of(datasets, dataset, metric)
        values = scores[names].to_numpy()
        found = ranked(values, overlap[dataset], moved, metric=metric, least=least)
        rows.append(pd.DataFrame(found).assign(dataset=dataset, model=names))
    columns = ["dataset", "model", *COLUMNS]
    return pd.concat(rows)[columns] if rows else pd.DataFrame(columns=columns)


def ranked(
    scores: np.ndarray,
    test_over_train: float | None,
    influences: np.ndarray | None,
    *,
    metric: str,
    least: tuple[float, float],
) -> dict[str, Sequence[float] | np.ndarray]:
    """Return the `COLUMNS` of a table with one row per model.

    Held-out scores (J, k) have one row per replicate and one column per model, the simpler models
    first. `kpca.study.evidence.statistics.covariance` explains ``test_over_train`` and
    ``influences``.
    ``least`` is the least half-width of the CI of a score, and of that of a difference.
    """
    ends = METRICS[metric]
    means, limits = scores.mean(axis=0), (ends.least, 1.0)
    found = covariance(scores, test_over_train, influences)
    # Two models then differ by at least what the number of held-out rows allows.
    found = found + np.eye(len(means)) * (least[1] / half_width(len(scores))) ** 2 / 2
    expected, bounds = losses(means, found, len(scores), limits)
    best = recommended(means, expected, ends.margin)
    moved = [None] * len(means) if influences is None else influences.T
    options: dict[str, Any] = {"test_over_train": test_over_train, "least": least[0]}
    rows = [
        interval(own, influence=rows, limits=limits, **options)[:3]
        for own, rows in zip(scores.T, moved, strict=True)
    ]
    columns = (*zip(*rows, strict=True), expected, bounds, np.arange(len(means)) == best)
    return dict(zip(COLUMNS, columns, strict=True))


def losses(
    means: np.ndarray, covariance: np.ndarray, replicates: int, limits: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """Return what the choice of each model is expected to cost, and a bound that holds with 95 %.

    The loss is how far the true mean score of a model is below the highest of them. The posterior
    of the true means is a multivariate t distribution with J − 1 degrees of freedom, and ends
    where the metric does. Losses without a covariance are NaN.
    """
    k = len(means)
    if not np.isfinite(covariance).all():
        return np.full(k, math.nan), np.full(k, math.nan)
    values, vectors = np.linalg.eigh(covariance)
    away = vectors @ (np.sqrt(np.maximum(values, 0))[:, None] * _drawn(k, replicates))
    drawn = np.clip(means[:, None] + np.hstack([away, -away]), *limits)
    lost = drawn.max(axis=0) - drawn
    return lost.mean(axis=1), np.quantile(lost, DECIDED, axis=1)


@cache
def _drawn(k: int, replicates: int) -> np.ndarray:
    """Return draws of k variables from a multivariate t distribution, one in each column."""
    rng = np.random.default_rng(0)
    normal = rng.standard_normal((_DRAWS // 2, k)).T
    return np.asarray(
        normal * np.sqrt((replicates - 1) / rng.chisquare(replicates - 1, _DRAWS // 2))
    )


def recommended(means: Sequence[float] | np.ndarray, expected: np.ndarray, margin: float) -> int:
    """Return the place of the model to use, of models in the order of their simplicity.

    It is the simplest one whose expected loss is below half a margin. Without such a model it is
    the one with the highest mean.

    >>> recommended([0.90, 0.902], np.array([0.004, 0.002]), 0.01)
    0
    >>> recommended([0.85, 0.9], np.array([0.052, 0.012]), 0.01)
    1
    >>> recommended([0.893, 0.896, 0.9], np.array([0.007, 0.004, 0.0]), 0.01)
    1
    """
    equal = np.flatnonzero(np.asarray(expected) < margin / 2)
    return int(equal[0] if len(equal) else np.argmax(means))
