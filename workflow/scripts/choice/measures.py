"""What the training rows of a dataset say about γ and the number of components."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import sem

from kpca import KernelPCA, choice, kernel_matrix
from kpca.folds import Folds, shuffled_folds
from kpca.kernels.bandwidth import median_gamma
from pipeline.datasets.dataset import Dataset, Split, load_dataset
from pipeline.evaluation.evaluate import make_problem
from pipeline.grid import Point
from pipeline.job import script
from pipeline.seeds import sample, seed_for

NOISE = 0.3  # relative size of the corruption of held-out rows
MOST_ROWS = 500
"""Of larger training sets a seeded sample: every measure takes eigenvectors of all its rows."""


class Measured(NamedTuple):
    """One number: the mean of a measure and the standard error of that mean."""

    measure: str
    n_components: int
    value: float
    error: float


def measures(
    dataset: Dataset, *, multiples: Sequence[float], sizes: Sequence[int], folds: int, seed: int
) -> pd.DataFrame:
    """Return every measure of every replicate over the grid of the Gaussian kernel.

    Parameters
    ----------
    dataset : Dataset
        With rows, not a kernel matrix.
    multiples : sequence of float
        Of γ at the median distance.
    sizes : sequence of int
        Numbers of components that pre-images are computed for.
    folds : int
    seed : int
        Root seed.
    """
    rows = []
    for replicate in range(dataset.replicates):
        whole = dataset.split(replicate)
        median, split = median_gamma(whole.X_train, seed=0), _sampled(whole)
        draw = seed_for(seed, dataset.seed_axis, replicate, "choice")
        drawn = _folds(split, folds, draw)
        for multiple in multiples:
            gamma = multiple * median
            errors = choice.denoising_errors(
                split.X_train, gamma, sizes, noise=NOISE, folds=drawn, seed=draw
            )
            found = [*_means(errors, split.X_train, sizes), *_relevance(split, gamma)]
            cell = Point("rbf", {"median": multiple}).id
            head = (dataset.name, replicate, cell, multiple, gamma)
            rows += [(*head, *measured) for measured in found]
    columns = ["dataset", "replicate", "cell", "multiple", "gamma", *Measured._fields]
    return pd.DataFrame(rows, columns=columns)


def _sampled(split: Split) -> Split:
    rows = sample(len(split.X_train), MOST_ROWS)
    sides = {name: side for name, side in vars(split).items() if name.endswith("_train")}
    return replace(split, **{n: side[rows] for n, side in sides.items() if side is not None})


def _folds(split: Split, folds: int, seed: int) -> Folds:
    """Draw folds that look at no label; groups stay together."""
    if split.groups_train is None:
        return list(shuffled_folds(len(split.X_train), folds, seed))
    return make_problem(replace(split, y_train=None), folds, seed=seed).folds


def _means(errors: np.ndarray, X: np.ndarray, sizes: Sequence[int]) -> Iterator[Measured]:
    errors = errors / (float(X.var(axis=0).sum()) or 1.0)
    means, deviations = errors.mean(axis=0), np.asarray(sem(errors, axis=0))
    for m, mean, deviation in zip(sizes, means, deviations, strict=True):
        yield Measured("input", m, float(mean), float(deviation))


def _relevance(split: Split, gamma: float) -> Iterator[Measured]:
    X, truth = split.X_train, split.target_train
    if split.y_train is not None:
        truth = choice.indicators(split.y_train)
    if truth is None:
        return
    K = kernel_matrix(X, kernel="rbf", gamma=gamma)
    model = KernelPCA(len(X), kernel="precomputed", remove_zero_eig=True, indefinite="clip").fit(K)
    found = choice.relevant_dimension(model.eigenvectors_, truth)
    yield Measured("likelihood", found.dimension, float(found.likelihood[found.dimension - 1]), 0.0)


@script
def of_files(datasets: Sequence[str], **arguments: Any) -> pd.DataFrame:
    """Return the `measures` of the datasets in some files."""
    found = [measures(load_dataset(path), **arguments) for path in datasets]
    return pd.concat(found, ignore_index=True)
