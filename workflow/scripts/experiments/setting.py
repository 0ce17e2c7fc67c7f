"""Kernels, datasets and the classifier on scores that the experiments share."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from sklearn.svm import SVC

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bound import kernel_matrix
from kpca.study.datasets.dataset import Split
from kpca.study.datasets.make import make_dataset
from kpca.study.evidence.selection import by_main_metric
from kpca.study.evidence.statistics import intervals
from kpca.study.fitting.fitted_models import estimator, fit_arrays, resolve_gamma
from kpca.study.fitting.grid import Point
from kpca.study.scoring import metrics
from kpca.study.scoring.evaluate import evaluate_cell, make_problem
from kpca.study.scoring.methods import SVM_STEPS
from kpca.study.scoring.settings import Cell, Outcome, Settings
from kpca.types import Floats

SETTINGS = yaml.safe_load(Path(__file__).with_name("settings.yaml").read_text(encoding="utf-8"))
DATASETS = SETTINGS["datasets"]
DATA = DATASETS["accuracy"]
GRIDS = SETTINGS["grids"]
KERNELS = {kernel: Point(kernel, parameters) for kernel, parameters in SETTINGS["kernels"].items()}
SEMIDEFINITE = ("linear", "poly", "rbf", "laplacian", "cosine")
REPLICATES = 10
PENALTY = 10.0


def units(
    datasets: Mapping[str, Mapping[str, Any]], kernels: Iterable[str], seed: int, replicates: int
) -> Iterator[tuple[dict[str, Any], Split]]:
    """Yield, for each measurement, the cells that begin its row, and the split to measure on.

    The cell ``overlap`` is n_test/n_train for random splits, and None for independent draws.
    """
    for name, spec in datasets.items():
        dataset = make_dataset(name, spec, seed=seed, replicates=replicates)
        train, test = dataset.splits[0]
        overlap = None if dataset.independent else len(test) / len(train)
        splits = enumerate(map(dataset.split, range(replicates)))
        for kernel, (r, split) in product(kernels, splits):
            yield {"dataset": name, "kernel": kernel, "replicate": r, "overlap": overlap}, split


def first_split(name: str, spec: Mapping[str, Any], seed: int) -> Split:
    """Return the first split of a dataset."""
    return make_dataset(name, spec, seed=seed, replicates=1).split(0)


def fitted(kernel: str, X: Floats, n_components: int, *, center: bool = True) -> KernelPCA:
    """Return kernel PCA fitted to X with the parameters of ``kernel`` in `KERNELS`."""
    return fitted_point(KERNELS[kernel], X, n_components, center=center)


def fitted_point(point: Point, X: Floats, n_components: int | None, **options: Any) -> KernelPCA:
    """Return kernel PCA fitted to X with the kernel and the parameters of ``point``.

    If ``n_components`` is None, all components are kept.
    """
    model = estimator(point, resolve_gamma(point, X), n_components=n_components, **options)
    return model.fit(X)


def kernel_of(model: KernelPCA, X: Floats | None = None, Y: Floats | None = None) -> Floats:
    """Return the kernel matrix of X and Y, each by default the training points of the model."""
    first, right = (model.X_fit_ if rows is None else rows for rows in (X, Y))
    parameters = {"gamma": model.gamma_, "degree": model.degree, "coef0": model.coef0}
    return kernel_matrix(first, right, kernel=str(model.kernel), **parameters)


def unit_functions(model: KernelPCA) -> Floats:
    """Return the coefficients a_j/√λ_j of the axes v_j, one axis per column."""
    return model.eigenvectors_ / np.sqrt(model.eigenvalues_)


def balanced_accuracy(train: Floats, test: Floats, split: Split) -> float:
    """Return the balanced accuracy of a linear SVM (C = 10) on scores ``train`` and ``test``."""
    # Scale to total training variance 1; otherwise the units would change the effect of C.
    scale = 1 / np.sqrt(train.var(axis=0).sum())
    rule = SVC(kernel="linear", C=PENALTY, max_iter=SVM_STEPS).fit(train * scale, split.y_train)
    return metrics.balanced_accuracy(np.asarray(split.y_test), rule.predict(test * scale))


def tuned(split: Split, point: Point, settings: Settings) -> pd.DataFrame:
    """Return accuracies of a linear SVM by number of components, at the best C by validation.

    Kernel PCA is fitted to the training rows of each fold.
    """
    most = max(settings.n_components)
    problem = make_problem(split, settings.folds, seed=0)
    fit = fit_arrays(point, split.X_train, n_components=most, variance_share=0.0)
    outcome = evaluate_cell(problem, Cell("kernel", point), settings, fit, only=["linear_svm"])
    scores = by_main_metric(pd.DataFrame({name: outcome[name] for name in Outcome._fields}))
    by = scores.pivot(index=["n_components", "C"], columns="split", values="value").dropna()
    best = by["cv"].round(10).groupby("n_components").idxmax()
    return by.loc[best].droplevel("C")


def limited(rows: pd.DataFrame, keys: list[str], column: str, room: str) -> pd.DataFrame:
    """Return the `intervals` of a column, with the mean of the column ``room`` as ``highest``.

    The column ``room`` has the largest value that is possible in each row.
    """
    rooms = rows.groupby(keys, sort=False)[room].mean()
    return intervals(rows, keys, column).assign(highest=rooms.to_numpy())


def best_of_others(scores: Any, values: Any, keys: list[str]) -> Floats:
    """Return each row's value in the column that has the best scores in other rows of its group.

    ``scores`` and ``values`` have one column per choice, and one row per replicate of a group. The
    levels ``keys`` of the index identify the group.
    """
    return at_best(scores.groupby(level=keys, dropna=False).transform("sum") - scores, values)


def at_best(scores: Any, values: Any) -> Floats:
    """Return the value of each row in the column with the largest score."""
    best = scores.to_numpy().argmax(axis=1)
    return values.to_numpy()[np.arange(len(values)), best]
