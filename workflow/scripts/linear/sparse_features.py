"""Sparse components before the SVM: what sparsity costs in accuracy, and saves in variables."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from kpca.linear.pca import PCA
from kpca.linear.sparse_pca import SparsePCA
from pipeline.datasets.dataset import Dataset, load_dataset
from pipeline.evaluation.downstream import METHODS
from pipeline.evaluation.evaluate import Problem, Row, evaluate, make_problem
from pipeline.evaluation.settings import Settings
from pipeline.job import run
from pipeline.seeds import seed_for
from workflow.scripts.linear.sparse_fits import N_COMPONENTS, TOLERANCE, largest_penalty

METRIC = "balanced_accuracy"
STRENGTHS = (0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def table(datasets: Sequence[str], settings: dict[str, Any], seed: int) -> pd.DataFrame:
    """Return the scores of every dataset, replicate and strength; see `sparse_features`."""
    chosen = Settings.from_config(settings)
    return pd.concat(
        sparse_features(
            dataset, STRENGTHS, n_components=N_COMPONENTS[dataset.name], settings=chosen, seed=seed
        )
        for dataset in map(load_dataset, datasets)
    )


def sparse_features(
    dataset: Dataset,
    strengths: Sequence[float],
    *,
    n_components: int,
    settings: Settings,
    seed: int,
) -> pd.DataFrame:
    """Train the linear SVM on ordinary and on sparse scores, C by cross-validation.

    Strength 0 means ordinary PCA; above it, sparse PCA with soft thresholds at the cube of the
    strength. Columns dataset, replicate, strength, nonzeros (mean over the components), variables
    (with a nonzero loading in any component), C, value (balanced accuracy on the test rows),
    overlap (test over training rows; NaN where replicates are independent draws).
    """
    rows = []
    for replicate in range(dataset.replicates):
        fold_seed = seed_for(seed, dataset.seed_axis, replicate, "folds")
        problem = make_problem(dataset.split(replicate), settings.folds, seed=fold_seed)
        for strength in strengths:
            used = _reduction(problem.split.X_train, n_components, strength).components_ != 0
            sizes = used.sum(axis=1).mean(), used.any(axis=0).sum()
            chosen = _tuned(problem, n_components, strength, settings)
            rows.append((dataset.name, replicate, strength, *sizes, *chosen, _overlap(dataset)))
    columns = ["dataset", "replicate", "strength", "nonzeros", "variables", "C", "value", "overlap"]
    return pd.DataFrame(rows, columns=columns)


def _overlap(dataset: Dataset) -> float:
    train, test = dataset.splits[0]
    return math.nan if dataset.independent else len(test) / len(train)


def _tuned(
    problem: Problem, n_components: int, strength: float, settings: Settings
) -> tuple[float, float]:
    """Return the C with the best validation score, the smallest of several, and its test score."""
    embedding = partial(_embed, n_components=n_components, strength=strength)
    outcomes = evaluate(problem, embedding, settings, downstream=[METHODS["linear_svm"]])
    validation, test = (_by_penalty(outcomes, split) for split in ("cv", "test"))
    C = max(sorted(validation), key=lambda c: round(validation[c], 10))
    return C, test[C]


def _by_penalty(outcomes: Sequence[Row], split: str) -> dict[float, float]:
    return {o.C: o.value for _, o in outcomes if o.metric == METRIC and o.split == split}


def _embed(
    X_train: np.ndarray, X_test: np.ndarray, _: object, *, n_components: int, strength: float
) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    model = _reduction(X_train, n_components, strength)
    return {n_components: (model.transform(X_train), model.transform(X_test))}


def _reduction(X: np.ndarray, n_components: int, strength: float) -> PCA | SparsePCA:
    if strength == 0:
        return PCA(n_components).fit(X)
    penalty = strength**3 * largest_penalty(np.cov(X, rowvar=False))
    return SparsePCA(n_components, l1_penalty=penalty, l2_penalty=np.inf, tol=TOLERANCE).fit(X)


if __name__ == "__main__":
    run(table)
