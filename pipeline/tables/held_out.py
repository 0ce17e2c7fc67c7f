"""Tables of what models predict of held-out rows: recall, confusion, ROC AUC, R² and RMSE."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from pipeline.datasets.dataset import Dataset
from pipeline.evaluation.held_out import Predictions
from pipeline.tables.statistics import interval, least_half_width


def metrics_of(
    dataset: Dataset, found: Sequence[Predictions], overlap: float | None
) -> pd.DataFrame:
    """Return the other metrics of a model, with their 95 % CIs."""
    held_out = np.unique(np.concatenate([test for _, test in dataset.splits]))
    sizes = {"": len(held_out)}
    if dataset.y is not None:
        counts = np.bincount(dataset.y[held_out], minlength=len(dataset.class_names))
        sizes |= dict(zip(dataset.class_names, counts.tolist(), strict=True))
    rows = []
    for (metric, name), values in values_of(dataset, found):
        least = 0.0 if metric == "rmse" else least_half_width([sizes[name]])
        limits = -math.inf if metric == "r2" else 0.0, math.inf if metric == "rmse" else 1.0
        bounds = interval(values, test_over_train=overlap, least=least, limits=limits)
        rows.append((metric, name, *bounds[:3]))
    return pd.DataFrame(rows, columns=["metric", "class", "mean", "low", "high"])


def values_of(
    dataset: Dataset, found: Sequence[Predictions]
) -> Iterator[tuple[tuple[str, str], list[float]]]:
    """Yield each metric and class with its value in every replicate."""
    from sklearn.metrics import r2_score, roc_auc_score, root_mean_squared_error

    if dataset.y is None:
        for metric, measure in (("r2", r2_score), ("rmse", root_mean_squared_error)):
            yield (metric, ""), [float(measure(truth, value)) for truth, value, _ in found]
        return
    if len(dataset.class_names) == 2 and all(each.decision is not None for each in found):
        yield ("roc_auc", ""), [float(roc_auc_score(truth, score)) for truth, _, score in found]
    for number, name in enumerate(dataset.class_names):
        yield (
            ("recall", name),
            [float((value[truth == number] == number).mean()) for truth, value, _ in found],
        )


def confusion(dataset: Dataset, found: Sequence[Predictions]) -> pd.DataFrame:
    """Count the held-out rows of all replicates by class and predicted class."""
    if dataset.y is None:
        return pd.DataFrame()
    k = len(dataset.class_names)
    counts = sum(np.bincount(truth * k + value, minlength=k * k) for truth, value, _ in found)
    names = list(dataset.class_names)
    return pd.DataFrame(
        {"class": np.repeat(names, k), "predicted": np.tile(names, k), "rows": counts}
    )
