"""Variance inflation on digits: its size, its estimate from training rows, its cost in the SVM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from kpca.bandwidth import median_gamma
from kpca.inflation import VarianceCorrected
from kpca.kernel_pca import KernelPCA
from kpca.pipeline.comparison import MARGIN
from kpca.pipeline.datasets.splits import split_rows, subsample
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.statistics import holm, interval, verdict
from kpca.pipeline.studies.input_space.images import digits

PENALTIES = (0.1, 1.0, 10.0, 100.0)
METRIC = "balanced_accuracy"
SETTING = ["scaling", "n_components", "multiple"]


def inflation(
    *,
    seed: int,
    replicates: int,
    n_train: int,
    n_test: int,
    n_components: Sequence[int],
    multiples: Sequence[float],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the variance of test over training scores, and what its correction changes.

    Parameters
    ----------
    seed, replicates : int
    n_train, n_test : int
        Digits of each replicate.
    n_components : sequence of int
        Numbers of components that the SVM sees; the ratios are those of the largest.
    multiples : sequence of float
        Of γ at the median distance.

    Returns
    -------
    ratios : DataFrame
        Columns multiple, replicate, component (from 1), measured (mean squared test score over
        mean squared training score), estimated (from training rows alone, by folds).
    accuracy : DataFrame
        Columns multiple, replicate, scaling ("unit" or "whiten"), n_components, scores ("train",
        "plain", "corrected", "measured": test scores divided by what was measured), accuracy:
        the balanced accuracy of a linear SVM.
    """
    ratios, accuracies = [], []
    rows = draws(seed=seed, replicates=replicates, n_train=n_train, n_test=n_test)
    for replicate, (X_train, X_test, y_train, y_test) in enumerate(rows):
        for multiple in multiples:
            gamma = multiple * median_gamma(X_train)
            model = VarianceCorrected(KernelPCA(max(n_components), kernel="rbf", gamma=gamma))
            train = model.fit_transform(X_train)
            test = model.estimator_.transform(X_test)
            measured = np.square(test).mean(axis=0) / np.square(train).mean(axis=0)
            ratios += [
                (multiple, replicate, j + 1, measured[j], model.variance_ratios_[j])
                for j in range(len(measured))
            ]
            sides = {
                "train": (train, y_train),
                "plain": (test, y_test),
                "corrected": (model.transform(X_test), y_test),
                "measured": (test / np.sqrt(measured), y_test),
            }
            accuracies += [
                (multiple, replicate, scaling, m, name, value)
                for scaling in ("unit", "whiten")
                for m in n_components
                for name, value in _accuracies(sides, m, scaling).items()
            ]
    return (
        pd.DataFrame(
            ratios, columns=["multiple", "replicate", "component", "measured", "estimated"]
        ),
        pd.DataFrame(
            accuracies,
            columns=["multiple", "replicate", "scaling", "n_components", "scores", "accuracy"],
        ),
    )


def gains(accuracy: pd.DataFrame) -> pd.DataFrame:
    """Test what the correction changes in the SVM, paired over the independent replicates.

    Parameters
    ----------
    accuracy : DataFrame
        Of `inflation`.

    Returns
    -------
    DataFrame
        One row a scaling, number of components and multiple of γ: replicates, plain and
        corrected (mean accuracy of test rows), gain (their paired difference) with its 95 %
        interval low … high, p, the verdict on a gain beyond one percentage point, and p_holm over
        the settings of one scaling.
    """
    wide = accuracy.pivot_table(index=[*SETTING, "replicate"], columns="scores", values="accuracy")
    rows = []
    for setting, values in wide.groupby(level=SETTING, sort=True):
        plain, corrected = values["plain"], values["corrected"]
        gain = interval((corrected - plain).to_numpy(), test_over_train=None)
        found = verdict(gain.low, gain.high, MARGIN[METRIC])
        means = plain.mean(), corrected.mean()
        rows.append((*setting, len(values), *means, gain.mean, gain.low, gain.high, gain.p, found))
    names = ["replicates", "plain", "corrected", "gain", "low", "high", "p", "verdict"]
    table = pd.DataFrame(rows, columns=[*SETTING, *names])
    adjusted = table.groupby("scaling")["p"].transform(lambda p: holm(p.to_numpy()))
    return table.assign(p_holm=adjusted)


def draws(
    *, seed: int, replicates: int, n_train: int, n_test: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield training rows, test rows and their labels; no two replicates share a row.

    Raises
    ------
    ValueError
        If there are not so many digits.
    """
    X, y, _ = digits()
    if replicates * (n_train + n_test) > len(X):
        raise ValueError(
            f"{replicates} draws of {n_train} + {n_test} digits without a row in common need "
            f"{replicates * (n_train + n_test)} digits, and there are {len(X)}: draw fewer."
        )
    free = np.arange(len(X))
    for replicate in range(replicates):
        rng = rng_for(seed, "inflation", replicate)
        rows = free[subsample(rng, y[free], n_train + n_test)]
        free = np.setdiff1d(free, rows)
        train, test = split_rows(rng, y[rows], n_test / len(rows))
        yield X[rows][train], X[rows][test], y[rows][train], y[rows][test]


def _accuracies(
    sides: dict[str, tuple[np.ndarray, np.ndarray]], n_components: int, scaling: str
) -> dict[str, float]:
    """Train one SVM, C by cross-validation inside the training rows, and score every side."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    train, y_train = sides["train"]
    squares = np.square(train[:, :n_components]).mean(axis=0)
    scale = 1 / np.sqrt(squares.sum() if scaling == "unit" else squares)
    search = GridSearchCV(SVC(kernel="linear"), {"C": PENALTIES}, cv=3, scoring=METRIC)
    search.fit(train[:, :n_components] * scale, y_train)
    return {
        name: float(search.score(Z[:, :n_components] * scale, y)) for name, (Z, y) in sides.items()
    }
