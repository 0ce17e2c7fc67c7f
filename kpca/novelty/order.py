"""Whether samples next to each other are alike, so that they are not exchangeable.

Conformal p-values hold for exchangeable samples. Those of a process resemble their neighbours in
time, so that models which leave single samples out know them nearly.
"""

from typing import Any

import numpy as np
from scipy.stats import rankdata

from kpca.types import Array, Floats
from kpca.validation import warn

LAGS = 50  # largest lag in samples; a tenth of the samples if these are fewer
COMPONENTS = 20  # number of components whose scores are tested
SIGNIFICANT = 2.8  # standard errors of sums of products; 0.3 % of normal ones are larger
HARMLESS = 1.5  # memory of groups, in groups, below which levels hold nearly
MEMORIES = 3  # A block is this many memories long, so that most of its samples are far from others.


def memory(values: Floats, scores: Floats, groups: Array) -> float:
    """Return over how many samples those next to each other are alike; 1 if it is not shown.

    Parameters
    ----------
    values : ndarray of shape (n,)
        A novelty statistic of the samples in their order, of which ranks are taken.
    scores : ndarray of shape (n, k)
        Scores of the samples.
    groups : integer ndarray of shape (n,)
        Group of each sample, numbered from 0 in the order of their appearance. Means of groups are
        compared, since samples of a group may be alike.

    Returns
    -------
    float
        1 + 2 Σ ρ_l, with ρ_l the autocorrelation at lag l, up to the first that is not significant;
        the larger one of the ranks and the scores. 1 if neither the first lag nor all lags
        together are significant, or if it is less than 1.5 groups of several samples.
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
    """Return the memory of a series of vectors, by the inner products at each lag."""
    n = len(series)
    lags = np.arange(1, min(LAGS, n // 10) + 1)
    series = series - series.mean(axis=0)
    by_chance = np.linalg.norm(series.T @ series) / n  # standard deviation of a product
    products = np.array([np.vdot(series[lag:], series[:-lag]) for lag in lags])
    errors = by_chance * np.sqrt(n - lags)
    # Of a constant series all products and errors are 0, and none is larger. A short series has no
    # lag.
    if (products > SIGNIFICANT * errors)[:1].any():
        products *= np.logical_and.accumulate(products >= 2 * errors)
    elif products.sum() <= SIGNIFICANT * np.linalg.norm(errors):
        return 1.0
    correlations = products / (n - lags) * n / np.vdot(series, series)
    return 1 + 2 * correlations.sum()


def block_length(memory: float) -> int:
    """Return how many samples a block has that is left out together."""
    return int(np.ceil(MEMORIES * memory))


def fewest(level: float) -> int:
    """Return how many samples, groups or blocks give p-values as small as a level."""
    return int(np.ceil(1 / level - 1e-9)) - 1


def warn_of_memory(memory: float, n: int, false_alarm: float) -> None:
    """Warn of what a memory in n samples means, and of what helps, unless it is 1."""
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
