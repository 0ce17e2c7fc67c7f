"""Predict the held-out rows by what was selected: recall, confusion, ROC AUC, R² and RMSE."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pipeline.datasets.dataset import Dataset, Split, load_dataset
from pipeline.evaluation import embeddings
from pipeline.evaluation.predictors import TRAINERS, Options, Predictor
from pipeline.evaluation.settings import Settings, main_method
from pipeline.fits import stored_model
from pipeline.job import run
from pipeline.seeds import seed_for
from pipeline.store import read_entry
from pipeline.tables.comparison import overlaps
from pipeline.tables.metrics import MAIN_METRIC
from pipeline.tables.selection import RAW
from pipeline.tables.statistics import interval, least_half_width

CRITERIA = {"kernel PCA": "cv_over_kernels", "raw features": "cv_over_raw", "PCA": "cv"}
"""Model, as the tables call it → how its setting was selected."""

MODELS = ["dataset", "model"]


def held_out(
    datasets: Sequence[str],
    fits: Sequence[str],
    evaluation: dict[str, Any],
    seed: int,
    selected: pd.DataFrame,
    described: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """Return the tables ``held_out``, a row per metric, and ``confusion``, a row per class pair."""
    settings = Settings.from_config(evaluation)
    overlap = overlaps(described)
    metrics: list[pd.DataFrame] = []
    confusions: list[pd.DataFrame] = []
    for dataset, fit in zip(map(load_dataset, datasets), fits, strict=True):
        if dataset.task == "none":
            continue
        main = main_method(dataset.task, settings)
        rows = selected[(selected["dataset"] == dataset.name) & (selected["split"] == "test")]
        for model, criterion in CRITERIA.items():
            chosen = rows[(rows["criterion"] == criterion) & (rows["metric"] == MAIN_METRIC[main])]
            chosen = chosen[chosen["method"].isin([main] if model != "raw features" else RAW)]
            if model == "PCA":
                chosen = chosen[chosen["kernel"] == "pca"]
            found = [
                predictions(dataset, setting, fit, settings, seed)
                for setting in chosen.to_dict("records")
            ]
            if found:
                names = {"dataset": dataset.name, "model": model}
                metrics.append(_metrics(dataset, found, overlap[dataset.name]).assign(**names))
                confusions.append(_confusion(dataset, found).assign(**names))
    columns = [*MODELS, "metric", "class", "mean", "low", "high"]
    counts = [*MODELS, "class", "predicted", "rows"]
    return {
        "held_out": _joined(metrics, columns),
        "confusion": _joined(confusions, counts),
    }


Predictions = tuple[np.ndarray, np.ndarray, np.ndarray | None]
"""Truth and prediction of the held-out rows of a replicate, and decision values of two classes."""


def predictions(
    dataset: Dataset, setting: Mapping[Any, Any], fits: str, settings: Settings, seed: int
) -> Predictions:
    """Train as a row of the table of selections says, and predict the held-out rows."""
    replicate = int(setting["replicate"])
    split = dataset.split(replicate)
    Z_train, Z_test = _features(split, setting, fits, settings)
    truth_train = split.target_train if split.y_train is None else split.y_train
    truth = split.target_test if split.y_test is None else split.y_test
    assert truth_train is not None
    assert truth is not None
    name = str(setting["method"]).removesuffix("_whitened")
    scaling = "unit" if name == setting["method"] else "whiten"
    options = Options(
        C=setting["C"],
        scaling=scaling,
        class_weight=settings.class_weight,
        gamma=setting["gamma"],
        seed=seed_for(seed, dataset.seed_axis, replicate, "folds"),
    )
    trained: Predictor = TRAINERS[name](Z_train, truth_train, options)
    score = trained.score(Z_test) if trained.score and len(dataset.class_names) == 2 else None
    return truth, trained.predict(Z_test), score


def _features(
    split: Split, setting: Mapping[Any, Any], fits: str, settings: Settings
) -> embeddings.Scores:
    m, kernel = int(setting["n_components"]), setting["kernel"]
    if kernel == "raw":
        return split.X_train, split.X_test
    if kernel == "pca":
        return embeddings.pca(settings)(split.X_train, split.X_test, None)[m]
    model = stored_model(read_entry(fits, f"{setting['cell']}/{setting['replicate']}"), split)
    train, test = embeddings.training_scores(model), model.transform(split.X_test)
    return train[:, :m], test[:, :m]


def _metrics(dataset: Dataset, found: Sequence[Predictions], overlap: float | None) -> pd.DataFrame:
    rows = []
    held_out = np.unique(np.concatenate([test for _, test in dataset.splits]))
    for (metric, name), values in _values(dataset, found):
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


def _values(
    dataset: Dataset, found: Sequence[Predictions]
) -> Iterator[tuple[tuple[str, str], list[float]]]:
    """Yield each metric and class with its value in every replicate."""
    from sklearn.metrics import r2_score, roc_auc_score, root_mean_squared_error

    if dataset.y is None:
        for metric, measure in (("r2", r2_score), ("rmse", root_mean_squared_error)):
            yield (metric, ""), [float(measure(truth, value)) for truth, value, _ in found]
        return
    if all(score is not None for _, _, score in found):
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
