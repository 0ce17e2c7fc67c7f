"""Classifiers and regressors, trained on the features of the training rows."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from kpca.study.scoring.methods import METHODS, Options, feature_scale, linear_svc, unfitted


class Predictor(NamedTuple):
    """A trained classifier or regressor."""

    predict: Callable[[np.ndarray], np.ndarray]  # rows → class numbers, or predicted targets
    # Rows → decision values of the second of two classes; None if the model has none.
    score: Callable[[np.ndarray], np.ndarray] | None = None


def affine(Z: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return weights (m, k) and offsets (k,) of the least-squares map from Z (n, m) to values.

    If several maps fit equally well, the one with the smallest weights is returned. Values are of
    shape (n, k); if they are of shape (n,), the weights are (m,) and the offset is one number.
    """
    mean = Z.mean(axis=0)
    center = values.mean(axis=0)
    weights = np.linalg.lstsq(Z - mean, values - center, rcond=None)[0]
    return weights, np.asarray(center - mean @ weights)


def train(method: str, Z: np.ndarray, truth: np.ndarray, options: Options) -> Predictor:
    """Train a predictor of `METHODS` on features Z, with classes from 0 or targets as ``truth``."""
    if scaling := METHODS[method].scaling:
        return _linear_svm(Z, truth, options, scaling)
    model = unfitted(method, Z, options).fit(Z, truth)
    if hasattr(model, "predict_proba") and not hasattr(model, "decision_function"):
        return Predictor(model.predict, lambda rows: model.predict_proba(rows)[:, -1])
    return Predictor(model.predict, getattr(model, "decision_function", None))


def _linear_svm(Z: np.ndarray, truth: np.ndarray, options: Options, scaling: str) -> Predictor:
    """Train a linear SVM on scaled features, one-vs-one for several classes.

    As in `SVC`, each pair of classes has a normal vector that votes for one of them, and the first
    class with the largest number of votes is predicted. `SVC.predict` is not called, because it
    checks the rows each time, which takes longer.
    """
    scale = feature_scale(Z, scaling)
    # Sample weights give the same model as `class_weight`, without its checks at each fit.
    counts = np.bincount(truth)
    balanced = len(truth) / (np.count_nonzero(counts) * np.maximum(counts, 1))
    weights = balanced[truth] if options.class_weight else None
    svc = linear_svc(options._replace(class_weight=None))
    model = svc.fit(Z * scale, truth, sample_weight=weights)
    classes = model.classes_
    normals = model.coef_.T
    offsets = model.intercept_
    first, second = (np.eye(len(classes))[pair] for pair in np.triu_indices(len(classes), k=1))

    def decide(rows: np.ndarray) -> np.ndarray:
        return np.asarray(rows * scale @ normals + offsets)

    def predict(rows: np.ndarray) -> np.ndarray:
        if len(classes) == 2:
            return np.asarray(classes[(decide(rows)[:, 0] > 0).astype(int)])
        votes = (decide(rows) > 0) @ (first - second) + second.sum(axis=0)
        return np.asarray(classes[votes.argmax(axis=1)])

    return Predictor(predict, lambda rows: np.ravel(decide(rows)))
