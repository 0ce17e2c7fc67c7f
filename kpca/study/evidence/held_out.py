"""Predictions of held-out rows by selected models, their metrics, and the influence of each row.

The metrics are recall, confusion, ROC AUC, R², RMSE, rank correlation and kurtosis of residuals.
The influence of a row is how far it moves a mean score.
"""

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning

from kpca.study.datasets.dataset import Dataset, Split
from kpca.study.evidence.statistics import interval, least_half_width
from kpca.study.fitting.fitted_models import stored_model, training_scores
from kpca.study.scoring.embeddings import pca
from kpca.study.scoring.evaluate import truth_of
from kpca.study.scoring.methods import Options
from kpca.study.scoring.predictors import train
from kpca.study.scoring.settings import Settings
from kpca.study.store import Arrays

LIMITS = {  # Metric → the ends of its range.
    "r2": (-math.inf, 1.0),
    "rmse": (0.0, math.inf),
    "rank_correlation": (-1.0, 1.0),
    "residual_kurtosis": (-math.inf, math.inf),
    "roc_auc": (0.0, 1.0),
    "recall": (0.0, 1.0),
}


class Predictions(NamedTuple):
    """Predictions of a model for the test rows of a split, with the true answers."""

    truth: np.ndarray  # class numbers, or targets, of shape (n_test,)
    predicted: np.ndarray
    decision: np.ndarray | None  # decision values of the second of two classes
    converged: bool = True  # whether the fit of the predictor converged


def predictions(
    split: Split, setting: Mapping[Any, Any], fit: Arrays | None, settings: Settings, seed: int
) -> Predictions:
    """Train the predictor of a selected setting on the training rows, and predict the test rows.

    ``setting`` is a row of the table of selections. ``fit`` is the stored fit of a kernel PCA, or
    None for PCA and raw features. ``seed`` is the seed of random forest and gradient boosting.
    """
    m = int(setting["n_components"])
    if fit is not None:
        model = stored_model(fit, split.X_train)
        Z_train = training_scores(model)[:, :m]
        Z_test = model.transform(split.X_test)[:, :m]
    elif setting["kernel"] == "pca":
        Z_train, Z_test = pca(split, replace(settings, n_components=(m,)))[m]
    else:
        Z_train = split.X_train
        Z_test = split.X_test
    truth_train, truth = truth_of(split)
    options = Options(setting["C"], settings.class_weight, setting["gamma"], seed)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        trained = train(setting["method"], Z_train, truth_train, options)
    converged = not any(issubclass(one.category, ConvergenceWarning) for one in caught)
    decision = trained.score(Z_test) if trained.score else None
    return Predictions(truth, trained.predict(Z_test), decision, converged)


def metrics_table(
    dataset: Dataset, predicted: Mapping[str, Sequence[Predictions]], overlap: float | None
) -> pd.DataFrame:
    """Return the mean and 95 % CI of each metric but the main one, per model and class."""
    held_out = np.unique(np.concatenate([test for _, test in dataset.splits]))
    rows = []
    for model, tested in predicted.items():
        replicates = [values_of(dataset.class_names, one) for one in tested]
        for metric, name in replicates[0]:
            # A predictor of one replicate may have no decision values.
            if not all((metric, name) in values for values in replicates):
                continue
            limits = LIMITS[metric]
            of_class = held_out
            if dataset.y is not None and name:
                of_class = held_out[dataset.y[held_out] == dataset.class_names.index(name)]
            half_width = 0.0 if math.isinf(limits[1]) else least_half_width([len(of_class)])
            column = [values[metric, name] for values in replicates]
            ends = interval(column, test_over_train=overlap, least=half_width, limits=limits)
            rows.append((dataset.name, model, metric, name, *ends[:3]))
    columns = ["dataset", "model", "metric", "class", "mean", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def values_of(class_names: Sequence[str], tested: Predictions) -> dict[tuple[str, str], float]:
    """Return (metric, class) → value in one replicate; without classes, metrics of a target."""
    from scipy.stats import kurtosis, spearmanr
    from sklearn.metrics import r2_score, roc_auc_score, root_mean_squared_error

    truth, predicted, decision, _ = tested
    if not class_names:
        return {
            ("r2", ""): r2_score(truth, predicted),
            ("rmse", ""): root_mean_squared_error(truth, predicted),
            ("rank_correlation", ""): spearmanr(truth, predicted).statistic,
            ("residual_kurtosis", ""): kurtosis(truth - predicted, bias=False),
        }
    values = {}
    if len(class_names) == 2 and decision is not None:
        values["roc_auc", ""] = roc_auc_score(truth, decision)
    for number, name in enumerate(class_names):
        values["recall", name] = float((predicted[truth == number] == number).mean())
    return values


def confusion_table(
    dataset: Dataset, predicted: Mapping[str, Sequence[Predictions]]
) -> pd.DataFrame:
    """Return how many held-out rows of each class each model predicts as each class.

    The rows of all replicates are counted together.
    """
    from sklearn.metrics import confusion_matrix

    names = dataset.class_names
    rows = []
    for model, tested in predicted.items() if names else ():
        truth = np.concatenate([one.truth for one in tested])
        classes = np.concatenate([one.predicted for one in tested])
        counts = confusion_matrix(truth, classes, labels=range(len(names)))
        for (i, j), count in np.ndenumerate(counts):
            rows.append((dataset.name, model, names[i], names[j], count))
    return pd.DataFrame(rows, columns=["dataset", "model", "class", "predicted", "rows"])


def row_influence(metric: str, truth: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """Return how far each row moves a score away from its expectation, to first order.

    With k classes, a row of class c moves balanced accuracy by (hit − recall_c)/(k n_c). A
    row moves a correlation r by (ab − r (a² + b²)/2)/n, where a and b are its standardized
    truth and prediction. The sum over the rows is 0. ``truth`` and ``predicted``, of shape (n,),
    are classes, numbered from 0, or values of a target. Efron, Tibshirani, "An Introduction to
    the Bootstrap" (1993), 22.5.
    """
    if metric == "correlation":
        if not (np.ptp(truth) and np.ptp(predicted)):
            return np.zeros(len(truth))
        a, b = ((values - values.mean()) / values.std() for values in (truth, predicted))
        return (a * b - np.mean(a * b) * (a**2 + b**2) / 2) / len(truth)
    members = np.bincount(truth)
    recalls = np.bincount(truth, weights=truth == predicted) / np.maximum(members, 1)
    away = (truth == predicted) - recalls[truth]
    return away / (members[truth] * np.count_nonzero(members))


def mean_influence(dataset: Dataset, metric: str, tested: Sequence[Predictions]) -> np.ndarray:
    """Return how far each row, or group of rows, moves the mean score over random splits.

    The metric is balanced_accuracy or correlation. ``tested`` are the predictions of each split.
    """
    moved = np.zeros(len(dataset.X))
    for (_, test), one in zip(dataset.splits, tested, strict=True):
        moved[test] += row_influence(metric, one.truth, one.predicted) / len(dataset.splits)
    if dataset.groups is None:
        return moved
    return np.bincount(np.unique(dataset.groups, return_inverse=True)[1], weights=moved)
