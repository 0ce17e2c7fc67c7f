"""Variance inflation on digits: its size, its estimate from training rows, its cost in the SVM."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from kpca.bandwidth import median_gamma
from kpca.inflation import variance_ratios
from kpca.kernel_pca import KernelPCA
from kpca.pipeline.datasets.splits import split_rows, subsample
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.studies.input_space.images import digits

PENALTIES = (0.1, 1.0, 10.0, 100.0)
FOLDS = 10


def inflation(
    *,
    seed: int,
    replicates: int,
    n_train: int,
    n_test: int,
    n_components: int,
    multiples: Sequence[float],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the variance of test over training scores, and what its correction changes.

    Parameters
    ----------
    seed, replicates : int
    n_train, n_test, n_components : int
    multiples : sequence of float
        Of γ at the median distance.

    Returns
    -------
    ratios : DataFrame
        Columns multiple, replicate, component (from 1), measured (mean squared test score over
        mean squared training score), estimated (from training rows alone, by folds).
    accuracy : DataFrame
        Columns multiple, replicate, scaling ("unit" or "whiten"), scores ("train", "plain",
        "corrected", "measured": test scores divided by what was measured), accuracy of a
        linear SVM.
    """
    ratios, accuracies = [], []
    for replicate in range(replicates):
        X_train, X_test, y_train, y_test = _rows(seed, replicate, n_train, n_test)
        for multiple in multiples:
            gamma = multiple * median_gamma(X_train)
            model = KernelPCA(n_components, kernel="rbf", gamma=gamma).fit(X_train)
            train, test = model._training_scores(), model.transform(X_test)
            measured = np.square(test).mean(axis=0) / np.square(train).mean(axis=0)
            estimated = variance_ratios(model, folds=FOLDS)
            ratios += [
                (multiple, replicate, j + 1, measured[j], estimated[j])
                for j in range(len(measured))
            ]
            sides = {
                "train": (train, y_train),
                "plain": (test, y_test),
                "corrected": (test / np.sqrt(estimated), y_test),
                "measured": (test / np.sqrt(measured), y_test),
            }
            accuracies += [
                (multiple, replicate, scaling, name, value)
                for scaling in ("unit", "whiten")
                for name, value in _accuracies(train, y_train, sides, scaling).items()
            ]
    return (
        pd.DataFrame(
            ratios, columns=["multiple", "replicate", "component", "measured", "estimated"]
        ),
        pd.DataFrame(
            accuracies, columns=["multiple", "replicate", "scaling", "scores", "accuracy"]
        ),
    )


def _rows(seed: int, replicate: int, n_train: int, n_test: int) -> tuple[np.ndarray, ...]:
    X, y, _ = digits()
    rng = rng_for(seed, "inflation", replicate)
    rows = subsample(rng, y, n_train + n_test)
    train, test = split_rows(rng, y[rows], n_test / len(rows))
    return X[rows][train], X[rows][test], y[rows][train], y[rows][test]


def _accuracies(
    train: np.ndarray,
    y_train: np.ndarray,
    sides: dict[str, tuple[np.ndarray, np.ndarray]],
    scaling: str,
) -> dict[str, float]:
    """Train one SVM, C by cross-validation inside the training rows, and score every side."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    squares = np.square(train).mean(axis=0)
    scale = 1 / np.sqrt(squares.sum() if scaling == "unit" else squares)
    search = GridSearchCV(SVC(kernel="linear"), {"C": PENALTIES}, cv=3)
    search.fit(train * scale, y_train)
    return {name: float(search.score(Z * scale, y)) for name, (Z, y) in sides.items()}
