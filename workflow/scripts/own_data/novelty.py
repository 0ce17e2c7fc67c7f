"""Novelty of each row: its reconstruction error by kernel PCA of other rows."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import gamma, rankdata
from sklearn.model_selection import KFold

from kpca.folds import Folds, equal_rows, shuffled_folds, sides
from kpca.inspection import contributions
from kpca.novelty.explanation import explained
from kpca.novelty.statistics import hotelling
from kpca.study.datasets.dataset import Dataset, FloatArray, load_dataset, prepared_names
from kpca.study.monitoring.ordinary_rows import MOST_ROWS, gaussian, without_neighbours
from kpca.study.seeds import sample, seed_for
from workflow.job import script

DRAWS = 3
FOLDS = 5
FALSE_ALARM = 0.01
EXPLAINED = 10  # number of most novel rows for which the responsible features are named


def novelty(dataset: Dataset, *, seed: int) -> pd.DataFrame:
    """Return the reconstruction error of every row by models of other rows, the largest first.

    The error and T² are means over `DRAWS` sets of folds, in which models are fitted without the
    row, its group and its copies. For rows in the order of time, models are fitted once, without
    the row's neighbours in time. The limit of a row comes from the errors of all other rows.
    Responsible variables are named for novel rows, and for the first `EXPLAINED` rows of the table.
    """
    X = dataset.whole().X_train
    rows = np.arange(len(X))
    draws: list[Folds] = [blocks_of_time(len(X), dataset.gap)]
    if dataset.time is None or dataset.groups is not None:
        groups = equal_rows(X) if dataset.groups is None else dataset.groups
        seeds = [seed_for(seed, dataset.seed_axis, draw, "novelty") for draw in range(DRAWS)]
        draws = [[*shuffled_folds(len(X), FOLDS, fold_seed, groups)] for fold_seed in seeds]
    held_out = [_held_out(X, folds, dataset.precomputed) for folds in draws]
    scores, hotelling = np.mean(held_out, axis=0)
    limits = np.array([residual_limit(np.delete(scores, row)) for row in rows])
    novel = scores > limits
    order = np.argsort(-scores, kind="stable")
    shares = np.zeros(X.shape)
    names = len(X) * [""]  # A kernel matrix has no features.
    if not dataset.precomputed:
        names = prepared_names(dataset, rows)
        is_first = novel[order] | (rows < EXPLAINED)
        first = order[is_first]
        others = order[~is_first] if (~is_first).sum() > 1 else rows
        model = gaussian().fit(X[others[sample(len(others), MOST_ROWS)]])
        shares[first] = contributions(model, X[first])
    p_values = rankdata(-scores, method="max") / len(scores)
    measured = [scores, limits, novel, p_values, hotelling]
    times = rows + 1 if dataset.time is None else dataset.time
    if dataset.time_is_date:
        times = times.astype("datetime64[s]").astype(str)
    columns = {"dataset": dataset.name, "row": dataset.row_numbers, "time": times}
    table = pd.DataFrame(columns | explained(measured, shares, names))
    return table.iloc[order].reset_index(drop=True)


def blocks_of_time(n: int, gap: int) -> Folds:
    """Return folds of consecutive rows; training leaves out ``gap`` rows on both sides of a fold.

    The gap is limited to the size of a fold, so that training rows remain.
    """
    rows = np.arange(n)
    return without_neighbours(KFold(FOLDS).split(rows), rows, min(gap, n // FOLDS))


def _held_out(X: FloatArray, folds: Folds, precomputed: bool) -> FloatArray:
    """Return the reconstruction error and T² of every row by models of the other folds."""
    statistics = np.empty((2, len(X)))
    for training, left_out in folds:
        training = training[sample(len(training), MOST_ROWS)]
        model = gaussian()
        diagonal = None
        if precomputed:
            model.set_params(kernel="precomputed", gamma=None, indefinite="clip")
            diagonal = X.diagonal()[left_out]
        inner, outer = sides(str(model.kernel), X, training, left_out)
        statistics[0, left_out] = model.fit(inner).reconstruction_error(outer, diagonal)
        statistics[1, left_out] = hotelling(model, outer)
    return statistics


def residual_limit(errors: FloatArray) -> float:
    """Return the limit that a fraction `FALSE_ALARM` of errors exceeds if they follow g χ²_h.

    g = v/(2m) and h = 2m²/v, where m and v are the mean and variance of the errors (Box 1954,
    Annals of Mathematical Statistics 25). The distribution of g χ²_h is a gamma distribution.
    """
    mean = errors.mean()
    variance = errors.var(ddof=1)
    if mean <= 0 or variance == 0:
        return mean
    scale = variance / mean
    return gamma.isf(FALSE_ALARM, mean / scale, scale=scale)


@script
def table(datasets: Sequence[str], seed: int) -> pd.DataFrame:
    """Return the `novelty` of several datasets in one table."""
    tables = [novelty(load_dataset(path), seed=seed) for path in datasets]
    return pd.concat(tables, ignore_index=True)
