"""The rows most unlike the rest: how far each lies from what the others span."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import chi2
from sklearn.model_selection import KFold

from kpca.folds import Folds, equal_rows, shuffled_folds, sides
from kpca.inspection import contributions
from kpca.kernel_pca import KernelPCA
from kpca.study.datasets.dataset import Dataset, FloatArray, load_dataset, prepared_names
from kpca.study.ordinary_rows import MOST_ROWS, SHARE, gaussian, without_neighbours
from kpca.study.seeds import sample, seed_for
from workflow.job import script

DRAWS, FOLDS = 3, 5
FALSE_ALARM = 0.01
EXPLAINED = 10  # most novel rows of which is said which feature makes them so


def novelty(dataset: Dataset, *, seed: int) -> pd.DataFrame:
    """Return the reconstruction error of every row by the others, the largest first.

    It is the mean over `DRAWS` of folds without the row, its group and its copies, or without its
    neighbours in time. The limit of a row comes from the scores of all other rows.
    """
    X = dataset.whole().X_train
    groups = equal_rows(X) if dataset.groups is None else dataset.groups
    draws = [blocks_of_time(len(X), dataset.gap)]
    if dataset.time is None or dataset.groups is not None:
        seeds = [seed_for(seed, dataset.seed_axis, draw, "novelty") for draw in range(DRAWS)]
        draws = [[*shuffled_folds(len(X), FOLDS, each, groups)] for each in seeds]
    scores = np.mean([_held_out(X, folds, dataset.precomputed) for folds in draws], axis=0)
    numbers = np.arange(len(X)) + 1 if dataset.file_rows is None else dataset.file_rows
    order = np.argsort(-scores, kind="stable")
    limits = np.array([residual_limit(np.delete(scores, i), FALSE_ALARM) for i in order])
    table = pd.DataFrame(
        {
            "dataset": dataset.name,
            "row": numbers[order],
            "score": scores[order],
            "limit": limits,
            "novel": scores[order] > limits,
            "feature": "",
            "feature_share": np.nan,
        }
    )
    if not dataset.precomputed:
        shares = _shares(X, order[:EXPLAINED], order[EXPLAINED:])
        names = np.array(prepared_names(dataset, np.arange(len(X))))
        table.loc[: len(shares) - 1, "feature"] = names[shares.argmax(axis=1)]
        table.loc[: len(shares) - 1, "feature_share"] = shares.max(axis=1)
    return table


def blocks_of_time(n: int, gap: int) -> Folds:
    """Return folds of consecutive rows, which leave out as many rows on both sides as the gap has.

    The gap is at most a fold, so that rows are left.
    """
    rows = np.arange(n)
    return without_neighbours(KFold(FOLDS).split(rows), rows, min(gap, n // FOLDS))


def _held_out(X: FloatArray, folds: Folds, precomputed: bool) -> FloatArray:
    """Return the squared distance of every row's image from what the rows of other folds span."""
    errors = np.empty(len(X))
    for kept, left_out in folds:
        kept = kept[sample(len(kept), MOST_ROWS)]
        model, diagonal = gaussian(), None
        if precomputed:
            model = KernelPCA(SHARE, kernel="precomputed", remove_zero_eig=True, indefinite="clip")
            diagonal = X.diagonal()[left_out]
        inner, outer = sides(str(model.kernel), X, kept, left_out)
        errors[left_out] = model.fit(inner).reconstruction_error(outer, diagonal)
    return np.maximum(errors, 0)  # an indefinite matrix has negative distances


def residual_limit(errors: FloatArray, false_alarm: float) -> float:
    """Return the limit of held-out errors by matching mean and variance to g χ²_h.

    g = v/(2m) and h = 2m²/v with m and v mean and variance of the errors (Box 1954, Annals of
    Mathematical Statistics 25).
    """
    mean, variance = float(np.mean(errors)), float(np.var(errors, ddof=1))
    if mean == 0 or variance == 0:
        return mean
    return variance / (2 * mean) * float(chi2.ppf(1 - false_alarm, 2 * mean**2 / variance))


def _shares(X: FloatArray, novel: np.ndarray, others: np.ndarray) -> FloatArray:
    """Return the share of each feature in what makes rows novel, as the other rows see them."""
    kept = X[others[sample(len(others), MOST_ROWS)]]
    model = gaussian().fit(kept)
    added = np.maximum(contributions(model, X[novel]), 0)
    total = added.sum(axis=1, keepdims=True)
    return np.divide(added, total, out=np.zeros_like(added), where=total > 0)


@script
def table(datasets: Sequence[str], seed: int) -> pd.DataFrame:
    """Return what is measured of several datasets."""
    found = [novelty(load_dataset(path), seed=seed) for path in datasets]
    return pd.concat(found, ignore_index=True)
