"""What the claims about accuracy share: kernels, datasets, and the classifier that follows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.kernels import kernel_matrix
from kpca.types import Array, Floats
from pipeline.datasets import make_dataset
from pipeline.datasets.dataset import Dataset, Split
from pipeline.evaluation import metrics
from pipeline.grid import Point
from pipeline.kernels import estimator, resolve_gamma
from workflow.scripts.claims.claim import Bounds, Claim, Rule, averaged

KERNELS = {
    "linear": Point("linear"),
    "poly": Point("poly", {"degree": 2, "scale": 1, "coef0": 1}),
    "rbf": Point("rbf", {"median": 1}),
    "laplacian": Point("laplacian", {"median": 1}),
    "sigmoid": Point("sigmoid", {"scale": 0.1, "coef0": 0}),
    "cosine": Point("cosine"),
}
"""One point a kernel, at scales that follow the data; sigmoid keeps its positive part."""

SEMIDEFINITE = ("linear", "poly", "rbf", "laplacian", "cosine")
REPLICATES = 10
DATA: dict[str, dict[str, Any]] = {
    "rings": {"generator": "rings", "n_train": 150, "n_test": 2000, "noise": 0.08},
    "moons": {"generator": "moons", "n_train": 150, "n_test": 2000, "noise": 0.2},
    "spirals": {"generator": "spirals", "n_train": 150, "n_test": 2000, "noise": 0.05},
    "iris": {"sklearn": "iris"},
    "wine": {"sklearn": "wine", "standardize": True},
    "breast_cancer": {"sklearn": "breast_cancer", "standardize": True, "max_rows": 250},
    "digits": {"sklearn": "digits", "max_rows": 300},
}
"""What accuracies are compared on, whatever the sweep is about; sources as in the configuration."""

MARGIN = 0.01
"""Of balanced accuracy: the smallest difference that matters."""

PENALTY = 10.0
SVM_STEPS = 200_000


def draws(
    datasets: Mapping[str, dict[str, Any]], *, seed: int, replicates: int
) -> Iterator[tuple[str, float | None, list[Split]]]:
    """Yield the name, the overlap of its replicates and the splits of every dataset."""
    for name, spec in datasets.items():
        dataset = make_dataset(name, spec, seed=seed, replicates=replicates)
        yield name, overlap(dataset), [dataset.split(r) for r in range(replicates)]


def units(
    datasets: Mapping[str, dict[str, Any]], kernels: Iterable[str], *, seed: int, replicates: int
) -> Iterator[tuple[dict[str, Any], Split]]:
    """Yield what a measurement is made on: the first columns of its row, and the split.

    Parameters
    ----------
    datasets : mapping
        Name → its source, as in the configuration.
    kernels : iterable of str
        Keys of `KERNELS`.
    seed, replicates : int

    Yields
    ------
    unit : dict
        Columns dataset, kernel, replicate, overlap.
    split : Split
    """
    for name, share, splits in draws(datasets, seed=seed, replicates=replicates):
        for kernel in kernels:
            for r, split in enumerate(splits):
                yield {"dataset": name, "kernel": kernel, "replicate": r, "overlap": share}, split


def overlap(dataset: Dataset) -> float | None:
    """Return n_test/n_train of re-drawn splits, None for independent draws."""
    train, test = dataset.splits[0]
    return None if dataset.independent else len(test) / len(train)


def fitted(
    kernel: str, X: Floats, n_components: int, *, gamma: float | None = None, **options: Any
) -> KernelPCA:
    """Return kernel PCA of rows at the one point of a kernel.

    Parameters
    ----------
    kernel : str
        Key of `KERNELS`.
    X : ndarray of shape (n, d)
    n_components : int
    gamma : float, optional
        In place of the one that follows from X.
    **options
        Of `kpca.KernelPCA`, such as ``center``.
    """
    point = KERNELS[kernel]
    coefficient = resolve_gamma(point, X, seed=0) if gamma is None else gamma
    return estimator(point, coefficient, n_components=n_components, **options).fit(X)


def kernel_of(model: KernelPCA, X: Floats | None = None, Y: Floats | None = None) -> Floats:
    """Return k(x, y) of the rows of X and Y, both by default the training points of a model."""
    return kernel_matrix(
        model.X_fit_ if X is None else X,
        model.X_fit_ if Y is None else Y,
        kernel=str(model.kernel),
        gamma=model.gamma_,
        degree=model.degree,
        coef0=model.coef0,
    )


def balanced_accuracy(
    train: Floats, test: Floats, truth: tuple[Array | None, Array | None]
) -> float:
    """Return the balanced accuracy of a linear SVM (C = 10) on test scores.

    Scores are scaled by one number to total training variance 1: neither a constant nor the
    units of a kernel then act as another C.

    Parameters
    ----------
    train, test : ndarray of shape (n_train, m) and (n_test, m)
    truth : tuple of int arrays
        Classes of the training and test rows.
    """
    from sklearn.svm import SVC

    scale = 1 / np.sqrt(train.var(axis=0).sum())
    svm = SVC(kernel="linear", C=PENALTY, max_iter=SVM_STEPS).fit(train * scale, truth[0])
    return metrics.balanced_accuracy(np.asarray(truth[1]), svm.predict(test * scale))


def bounds(
    rows: pd.DataFrame, keys: list[str], column: str, joint: str = "dataset"
) -> pd.DataFrame:
    """Return the mean of a column over replicates with its interval, a row for every group.

    Parameters
    ----------
    rows : DataFrame
        One row a replicate, with the columns dataset and overlap.
    keys : list of str
        What makes a group.
    column : str
        What is averaged.
    joint : str
        The column over whose values the intervals hold together.

    Returns
    -------
    DataFrame
        The keys, mean, low, high.
    """
    comparisons = rows[joint].nunique()
    found = []
    for key, group in rows.groupby(keys, sort=False):
        share = group["overlap"].iloc[0]
        independent = None if pd.isna(share) else float(share)
        values = averaged(group[column].to_numpy(), independent, comparisons=comparisons)
        found.append((*key, *values))
    return pd.DataFrame(found, columns=[*keys, "mean", "low", "high"])


def bounds_of(row: Mapping[Hashable, Any]) -> Bounds:
    """Return measured, low and high of a row of `bounds`."""
    return float(row["mean"]), float(row["low"]), float(row["high"])


def row_claims(
    rows: pd.DataFrame,
    *,
    claim: str,
    statement: str,
    source: str,
    rule: Rule,
    figure: str,
    case: str = "",
) -> Iterator[Claim]:
    """Yield one claim for every row of `bounds`, all judged by one rule.

    Parameters
    ----------
    rows : DataFrame
    claim, statement, case : str
        As for `Claim`, with columns of the rows in braces, such as ``{kernel}``.
    source, rule, figure : str, Rule, str
        As for `Claim`.
    """
    for row in rows.to_dict("records"):
        # Keys of a DataFrame's records are its columns, which are text here.
        named = {str(column): value for column, value in row.items()}
        name, said, of = (text.format(**named) for text in (claim, statement, case))
        yield Claim(name, said, source, *bounds_of(row), rule, figure, of)
