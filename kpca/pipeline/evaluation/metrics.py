"""Metrics that are computed a hundred thousand times, each in microseconds."""

from __future__ import annotations

import numpy as np


def accuracies(truth: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    """Return accuracy and balanced accuracy, the mean recall over the classes of ``truth``.

    Parameters
    ----------
    truth, predicted : ndarray of int of shape (n,)
        Classes numbered from 0.

    Examples
    --------
    >>> accuracies(np.array([0, 0, 0, 1]), np.array([0, 0, 0, 0]))
    {'accuracy': 0.75, 'balanced_accuracy': 0.5}
    """
    right = truth == predicted
    members = np.bincount(truth)
    recalls = np.bincount(truth, weights=right) / np.maximum(members, 1)
    return {
        "accuracy": float(right.mean()),
        "balanced_accuracy": float(recalls[members > 0].mean()),
    }


def correlation(truth: np.ndarray, predicted: np.ndarray) -> float:
    """Return Pearson's correlation; 0 where one side is constant."""
    a, b = truth - truth.mean(), predicted - predicted.mean()
    scale = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / scale) if scale > 0 else 0.0
