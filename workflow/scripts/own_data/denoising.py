"""Error left by m after noise is removed from held-out rows, compared with PCA."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd

from kpca import choice
from kpca.kernels.bandwidth import median_gamma
from kpca.linear.pca import PCA
from pipeline.datasets.dataset import Dataset
from pipeline.job import run
from pipeline.seeds import seed_for
from workflow.scripts.own_data.setting import of_files, some

NOISE = 0.3  # its square is 9 % of the variance of the rows
MULTIPLES = (0.1, 1.0, 10.0)
SIZES = (1, 2, 3, 5, 8, 12, 20, 32)
MOST_TRAIN, MOST_TEST = 500, 200
COLUMNS = ["dataset", "replicate", "method", "multiple", "n_components", "error"]


def errors(dataset: Dataset, *, seed: int) -> pd.DataFrame:
    """Return the error of denoised test rows over the variance of all rows.

    Columns: dataset, replicate, method (``none``: the noise that was added, ``pca``, ``rbf``),
    multiple (of the γ of the median heuristic), n_components, error. Sizes go up to what the
    training rows allow, for PCA to one less than there are columns.
    """
    rows: list[tuple[object, ...]] = []
    for replicate in range(dataset.replicates):
        split, draw = (
            dataset.split(replicate),
            seed_for(seed, dataset.seed_axis, replicate, "denoising"),
        )
        train, test = some(split.X_train, MOST_TRAIN), some(split.X_test, MOST_TEST)
        X = np.vstack([train, test])
        fold = np.arange(len(train)), np.arange(len(train), len(X))
        sizes = [m for m in SIZES if m < len(train)] or [1]
        corrupted = choice.corrupt(X, NOISE, draw)[fold[1]]
        variance = float(X.var(axis=0).sum())
        head = (dataset.name, replicate)
        noise = np.square(corrupted - test).sum(axis=1).mean()
        rows.append((*head, "none", np.nan, 0, noise / variance))
        rows += [
            (*head, "pca", np.nan, m, error / variance)
            for m, error in _by_pca(train, test, corrupted, sizes)
        ]
        for multiple in MULTIPLES:
            gamma = multiple * median_gamma(train)
            found = choice.denoising_errors(
                X, gamma, sizes, noise=NOISE, folds=[fold], seed=draw
            ).mean(axis=0)
            rows += [
                (*head, "rbf", multiple, m, error / variance)
                for m, error in zip(sizes, found.tolist(), strict=True)
            ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _by_pca(
    train: np.ndarray, test: np.ndarray, corrupted: np.ndarray, sizes: Sequence[int]
) -> Iterator[tuple[int, float]]:
    """Yield the mean squared error by PCA; with all columns nothing would be taken off."""
    columns = train.shape[1]
    for m in sizes:
        if m < columns:
            model = PCA(m).fit(train)
            denoised = model.inverse_transform(model.transform(corrupted))
            yield m, float(np.square(denoised - test).sum(axis=1).mean())


if __name__ == "__main__":
    run(partial(of_files, errors))
