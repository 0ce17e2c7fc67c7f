"""Measures on training rows by which γ and the number of components can be chosen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from kpca import KernelPCA, choice, kernel_matrix
from kpca.folds import Folds, shuffled_folds
from kpca.kernels.bandwidth import median_gamma
from kpca.study.datasets.dataset import Dataset, Split, load_dataset
from kpca.study.datasets.splits import sizes_within
from kpca.study.fitting.grid import Point
from kpca.study.scoring.evaluate import make_problem
from kpca.study.seeds import sample, seed_for
from workflow.job import script

NOISE = 0.3  # relative size of the noise that is added to held-out rows
MOST_ROWS = 500  # largest number of rows; more rows are sampled, since all eigenvectors are needed


def measures(
    dataset: Dataset, *, multiples: Sequence[float], sizes: Sequence[int], folds: int, seed: int
) -> pd.DataFrame:
    """Return every measure, by replicate, multiple of the median γ, and number of components."""
    rows = []
    for replicate in range(dataset.replicates):
        whole = dataset.split(replicate)
        median = median_gamma(whole.X_train, seed=0)
        split = _sampled(whole)
        X = split.X_train
        truth = split.target_train
        if split.y_train is not None:
            truth = choice.indicators(split.y_train)
        draw = seed_for(seed, dataset.seed_axis, replicate, "choice")
        drawn = _folds(split, folds, draw)
        scale = X.var(axis=0).sum() or 1.0
        tried = sizes_within(sizes, drawn)
        for multiple in multiples:
            gamma = multiple * median
            cell = Point("rbf", {"median": multiple}).id
            head = (dataset.name, replicate, cell, multiple, gamma)
            errors = choice.denoising_errors(X, gamma, tried, noise=NOISE, folds=drawn, seed=draw)
            for values in zip(tried, (errors / scale).mean(axis=0), strict=True):
                rows.append((*head, "input", *values))
            if truth is not None:
                rows.append((*head, "likelihood", *_relevance(X, truth, gamma)))
    columns = ["dataset", "replicate", "cell", "multiple", "gamma", "measure", "n_components"]
    return pd.DataFrame(rows, columns=[*columns, "value"])


def _sampled(split: Split) -> Split:
    rows = sample(len(split.X_train), MOST_ROWS)
    sides = {name: side for name, side in vars(split).items() if name.endswith("_train")}
    return replace(split, **{n: side[rows] for n, side in sides.items() if side is not None})


def _folds(split: Split, folds: int, seed: int) -> Folds:
    """Draw folds without the use of labels; the rows of a group stay together."""
    if split.groups_train is None:
        return list(shuffled_folds(len(split.X_train), folds, seed))
    return make_problem(replace(split, y_train=None), folds, seed=seed).folds


def _relevance(X: np.ndarray, truth: np.ndarray, gamma: float) -> tuple[int, float]:
    """Return the relevant dimension and its negative log-likelihood."""
    K = kernel_matrix(X, kernel="rbf", gamma=gamma)
    model = KernelPCA(len(X), kernel="precomputed", remove_zero_eig=True, indefinite="clip").fit(K)
    relevant = choice.relevant_dimension(model.eigenvectors_, truth)
    return relevant.dimension, relevant.likelihood[relevant.dimension - 1]


@script
def of_files(datasets: Sequence[str], **arguments: Any) -> pd.DataFrame:
    """Return the `measures` of several datasets in one table."""
    tables = [measures(load_dataset(path), **arguments) for path in datasets]
    return pd.concat(tables, ignore_index=True)
