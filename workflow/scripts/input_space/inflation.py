"""Variance inflation on digits: its size, its estimate from training rows, its cost in the SVM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from kpca.bandwidth import median_gamma
from kpca.inflation import VarianceCorrected
from kpca.kernel_pca import KernelPCA
from pipeline.datasets.splits import split_rows, subsample
from pipeline.seeds import rng_for
from pipeline.tables.metrics import METRICS
from pipeline.tables.statistics import holm, interval, verdict
from workflow.scripts.input_space.images import digits

PENALTIES = (0.1, 1.0, 10.0, 100.0)
FOLDS = 3
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
        Columns multiple, replicate, scaling ("unit" or "whiten"), n_components, scores ("plain"
        or "corrected"), accuracy: the balanced accuracy of a linear SVM on test rows.
    """
    ratios, accuracies = [], []
    rows = draws(seed=seed, replicates=replicates, n_train=n_train, n_test=n_test)
    for replicate, (X_train, X_test, y_train, y_test) in enumerate(rows):
        folds = list(StratifiedKFold(FOLDS).split(X_train, y_train))
        for multiple in multiples:
            gamma = multiple * median_gamma(X_train)
            model = VarianceCorrected(KernelPCA(max(n_components), kernel="rbf", gamma=gamma))
            whole = _scored(model, (X_train, y_train), (X_test, y_test))
            inner = [
                _scored(model, (X_train[kept], y_train[kept]), (X_train[out], y_train[out]))
                for kept, out in folds
            ]
            squares = (np.square(Z).mean(axis=0) for Z in (whole.new["plain"], whole.train))
            measured = np.divide(*squares)
            ratios += [
                (multiple, replicate, j + 1, measured[j], whole.ratios[j])
                for j in range(len(measured))
            ]
            accuracies += [
                (multiple, replicate, scaling, m, name, _tuned(whole, inner, name, m, scaling))
                for scaling in ("unit", "whiten")
                for m in n_components
                for name in whole.new
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
        found = verdict(gain.low, gain.high, METRICS[METRIC].margin)
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


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores of training rows, and of new rows as they are and corrected, with their classes."""

    train: np.ndarray
    new: dict[str, np.ndarray]
    y_train: np.ndarray
    y_new: np.ndarray
    ratios: np.ndarray

    def accuracy(self, name: str, n_components: int, scaling: str, C: float) -> float:
        """Train a linear SVM on the training rows and score the new ones."""
        from sklearn.metrics import balanced_accuracy_score
        from sklearn.svm import SVC

        train, new = (Z[:, :n_components] for Z in (self.train, self.new[name]))
        squares = np.square(train).mean(axis=0)
        scale = 1 / np.sqrt(squares.sum() if scaling == "unit" else squares)
        svm = SVC(kernel="linear", C=C).fit(train * scale, self.y_train)
        return float(balanced_accuracy_score(self.y_new, svm.predict(new * scale)))


Rows = tuple[np.ndarray, np.ndarray]  # and their classes


def _scored(model: VarianceCorrected, train: Rows, new: Rows) -> Scored:
    """Fit to training rows and score both."""
    Z = model.fit_transform(train[0])
    scores = {"plain": model.estimator_.transform(new[0]), "corrected": model.transform(new[0])}
    return Scored(Z, scores, train[1], new[1], model.variance_ratios_)


def _tuned(
    whole: Scored, inner: Sequence[Scored], name: str, n_components: int, scaling: str
) -> float:
    """Return the accuracy on test rows, C by folds in each of which all was fitted anew.

    Scores of rows that were in the fit are inflated: C would be chosen for scores that test
    rows never have.
    """

    def validated(C: float) -> float:
        return sum(fold.accuracy(name, n_components, scaling, C) for fold in inner)

    return whole.accuracy(name, n_components, scaling, max(PENALTIES, key=validated))
