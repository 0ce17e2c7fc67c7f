"""Test whether neighbouring samples are alike, and therefore not exchangeable.

Conformal p-values hold for exchangeable samples. Samples of a process, however, resemble their
neighbours in time. A model that leaves out single samples is still fitted to their neighbours,
which are almost the same samples.
"""

from typing import Any

import numpy as np
from scipy.stats import rankdata

from kpca.types import Array, Floats
from kpca.validation import warn

LAGS = 50  # largest lag; it is also at most a tenth of the length of the series
COMPONENTS = 20  # number of components whose scores are tested
SIGNIFICANT = 2.8  # significance limit in standard errors, which 0.3 % of normal sums exceed
HARMLESS = 1.5  # memory, in groups, below which p-values are nearly valid
MEMORIES = 3  # length of a block over the memory; most samples are then far from other blocks


def memory(values: Floats, scores: Floats, groups: Array) -> float:
    """Return the number of samples over which neighbours are alike, or 1 if that is not shown.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Novelty statistic of the samples, in their order. Only its ranks are used.
    scores : ndarray of shape (n, k)
        Scores of the samples.
    groups : integer ndarray of shape (n,)
        Group of each sample, numbered from 0 in order of appearance. Means of groups are compared,
        since samples within a group may be alike.

    Returns
    -------
    float
        1 + 2 Σ ρ_l, where ρ_l is the autocorrelation at lag l, and the sum ends before the first
        lag that is not significant. This is computed for the ranks and for the scores, and the
        larger number is returned. The result is 1 if neither the first lag nor all lags together
        are significant, or if it is less than 1.5 groups and groups have several samples.
    """
    sizes = np.bincount(groups)
    table = np.column_stack([rankdata(values), scores[:, :COMPONENTS]])
    means = np.array([np.bincount(groups, column) / sizes for column in table.T]).T
    longest = max(_memory(means[:, :1]), _memory(means[:, 1:]))
    size = sizes.mean()
    if size > 1 and longest < HARMLESS:
        return 1.0
    return float(longest * size)


def _memory(series: Floats) -> Any:
    """Return the memory of a series of vectors, computed from inner products at each lag."""
    n = len(series)
    lags = np.arange(1, min(LAGS, n // 10) + 1)
    series = series - series.mean(axis=0)
    # Standard deviation of the inner product of two vectors, if they are independent.
    by_chance = np.linalg.norm(series.T @ series) / n
    products = np.array([np.vdot(series[lag:], series[:-lag]) for lag in lags])
    errors = by_chance * np.sqrt(n - lags)
    # In a constant series, all products and errors are 0, so that none is significant. A short
    # series has no lags.
    if (products > SIGNIFICANT * errors)[:1].any():
        products *= np.logical_and.accumulate(products >= 2 * errors)
    elif products.sum() <= SIGNIFICANT * np.linalg.norm(errors):
        return 1.0
    correlations = products / (n - lags) * n / np.vdot(series, series)
    return 1 + 2 * correlations.sum()


def block_length(memory: float) -> int:
    """Return the number of samples in each block that is left out, given the memory."""
    return int(np.ceil(MEMORIES * memory))


def fewest(level: float) -> int:
    """Return the smallest number of samples, groups or blocks with p-values as small as `level`."""
    return int(np.ceil(1 / level - 1e-9)) - 1


def warn_of_memory(memory: float, n: int, false_alarm: float) -> None:
    """Warn that n samples have a memory larger than 1, and say what to do."""
    if memory <= 1:
        return
    block = block_length(memory)
    needed = fewest(false_alarm)
    remedy = (
        f"there may be more false alarms than {false_alarm:g}. Leave out blocks of {block} samples "
        f"together, by groups=np.arange({n}) // {block}. If the order of the samples means "
        "nothing, shuffle them."
    )
    if n < needed * block:
        remedy = (
            f"no rate of false alarms can be promised, since {needed} blocks of {block} samples "
            f"are needed, and there are {n} samples. Collect more."
        )
    warn(f"Samples next to each other are alike, over about {memory:.0f} samples: {remedy}")
