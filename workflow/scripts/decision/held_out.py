"""Predict the held-out rows by what was selected: comparisons, recall, confusion, ROC AUC, RMSE."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pipeline.datasets.dataset import Dataset, load_dataset
from pipeline.evaluation.held_out import Predictions, predictions
from pipeline.evaluation.settings import Settings, main_method
from pipeline.job import run
from pipeline.seeds import seed_for
from pipeline.store import read_entry
from pipeline.tables.comparison import Influences, compare, overlaps
from pipeline.tables.metrics import MAIN_METRIC
from pipeline.tables.row_influence import mean_influence
from pipeline.tables.selection import BASELINES, selected_models
from pipeline.tables.statistics import interval, least_half_width

MODELS = ["dataset", "model"]


def held_out(
    datasets: Sequence[str],
    fits: Sequence[str],
    evaluation: dict[str, Any],
    seed: int,
    selected: pd.DataFrame,
    described: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """Return the tables ``comparisons``, ``held_out`` and ``confusion``.

    ``held_out`` has a row per metric, and ``confusion`` one per pair of classes.
    """
    settings = Settings.from_config(evaluation)
    overlap = overlaps(described)
    metrics: list[pd.DataFrame] = []
    confusions: list[pd.DataFrame] = []
    influences: dict[str, Influences] = {}
    main: dict[str, str] = {}
    for dataset, path in zip(map(load_dataset, datasets), fits, strict=True):
        method = main[dataset.name] = main_method(dataset.task, settings)
        if dataset.task == "none":
            continue
        of_models: dict[str, list[Predictions]] = {}
        chosen = selected_models(selected[selected["dataset"] == dataset.name], method)
        for setting in chosen.to_dict("records"):
            model, replicate = str(setting["model"]), int(setting["replicate"])
            entry = f"{setting['cell']}/{replicate}"
            fit = None if setting["kernel"] in BASELINES else read_entry(path, entry)
            draw = seed_for(seed, dataset.seed_axis, replicate, "folds")
            found = predictions(dataset.split(replicate), setting, fit, settings, draw)
            of_models.setdefault(model, []).append(found)
        for model, predicted in of_models.items():
            names = {"dataset": dataset.name, "model": model}
            metrics.append(metrics_of(dataset, predicted, overlap[dataset.name]).assign(**names))
            confusions.append(_confusion(dataset, predicted).assign(**names))
        if not dataset.independent:
            influences[dataset.name] = {
                model: mean_influence(
                    dataset, MAIN_METRIC[method], [each.predicted for each in predicted]
                )
                for model, predicted in of_models.items()
            }
    return {
        "comparisons": compare(selected, described, main, influences),
        "held_out": _joined(metrics, [*MODELS, "metric", "class", "mean", "low", "high"]),
        "confusion": _joined(confusions, [*MODELS, "class", "predicted", "rows"]),
    }


def metrics_of(
    dataset: Dataset, found: Sequence[Predictions], overlap: float | None
) -> pd.DataFrame:
    """Return the other metrics of a model, with their 95 % CIs."""
    rows = []
    held_out = np.unique(np.concatenate([test for _, test in dataset.splits]))
    for (metric, name), values in values_of(dataset, found):
        members = held_out if not name else held_out[_of_class(dataset, name)[held_out]]
        least = 0.0 if metric == "rmse" else least_half_width([len(members)])
        mean = interval(values, test_over_train=overlap, least=least)
        low, high = mean.low, mean.high
        if metric != "rmse":
            high = min(high, 1.0)
        if metric != "r2":
            low = max(low, 0.0)
        rows.append((metric, name, mean.mean, low, high))
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


def _of_class(dataset: Dataset, name: str) -> np.ndarray:
    return np.asarray(dataset.y == dataset.class_names.index(name))


def _confusion(dataset: Dataset, found: Sequence[Predictions]) -> pd.DataFrame:
    """Count the held-out rows of all replicates by class and predicted class."""
    if dataset.y is None:
        return pd.DataFrame()
    k = len(dataset.class_names)
    counts = sum(np.bincount(truth * k + value, minlength=k * k) for truth, value, _ in found)
    names = list(dataset.class_names)
    return pd.DataFrame(
        {"class": np.repeat(names, k), "predicted": np.tile(names, k), "rows": counts}
    )


def _joined(parts: Sequence[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    some = [part for part in parts if len(part)]
    return pd.concat(some)[columns] if some else pd.DataFrame(columns=columns)


if __name__ == "__main__":
    run(held_out)
