"""How far each held-out row moves a mean score: what an interval owes to the choice of the rows."""

from collections.abc import Sequence

import numpy as np

from pipeline.datasets.dataset import Dataset


def row_influence(metric: str, truth: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """Return how far each row moves a score away from its expectation, to first order.

    With k classes, a row of class c moves balanced accuracy by (hit − recall_c)/(k n_c). It moves
    a correlation r by (ab − r (a² + b²)/2)/n, where a and b are its standardized truth and
    prediction. The sum over the rows is 0.

    Parameters
    ----------
    metric : {'balanced_accuracy', 'correlation'}
    truth, predicted : ndarray of shape (n,)
        Classes, numbered from 0, or numbers.

    References
    ----------
    Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), section 22.5.

    Examples
    --------
    >>> truth, predicted = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> row_influence("balanced_accuracy", truth, predicted).tolist()
    [0.125, -0.125, 0.0, 0.0]
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


def mean_influence(dataset: Dataset, metric: str, predicted: Sequence[np.ndarray]) -> np.ndarray:
    """Return how far each row, or group of rows, moves the mean score over random splits.

    Parameters
    ----------
    dataset : Dataset
    metric : {'balanced_accuracy', 'correlation'}
    predicted : sequence of ndarray
        Predictions of the held-out rows of each split.
    """
    truth = dataset.target if dataset.y is None else dataset.y
    assert truth is not None
    moved = np.zeros(len(truth))
    for (_, test), values in zip(dataset.splits, predicted, strict=True):
        moved[test] += row_influence(metric, truth[test], values) / len(dataset.splits)
    if dataset.groups is None:
        return moved
    return np.bincount(np.unique(dataset.groups, return_inverse=True)[1], weights=moved)
