"""Whether samples next to each other are alike, so that they are not exchangeable.

Conformal p-values hold for exchangeable samples. Those of a process resemble their neighbours in
time, so that models which leave single samples out know them nearly.
"""

import numpy as np
from scipy.stats import rankdata

from kpca.types import Array, Floats

LAGS = 50  # at most, in samples; at most a tenth of the samples
COMPONENTS = 20  # whose scores are tested
SIGNIFICANT = 2.8  # standard errors of sums of products; 0.3 % of normal ones are larger
HARMLESS = 1.5  # memory of groups, in groups, below which levels hold nearly
MEMORIES = 3  # of which a block consists, so that most of its samples are far from the others


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
    size = float(sizes.mean())
    if longest == 1 or (size > 1 and longest < HARMLESS):
        return 1.0
    return longest * size


def _memory(series: Floats) -> float:
    """Return the memory of a series of vectors, by the inner products at each lag."""
    n = len(series)
    lags = np.arange(1, min(LAGS, n // 10) + 1)
    series = series - series.mean(axis=0)
    by_chance = float(np.linalg.norm(series.T @ series)) / n  # standard deviation of a product
    if by_chance == 0 or len(lags) == 0:
        return 1.0
    products = np.array([np.vdot(series[lag:], series[:-lag]) for lag in lags])
    errors = by_chance * np.sqrt(n - lags)
    last = len(lags)
    if products[0] >= SIGNIFICANT * errors[0]:
        last = int(np.argmax(np.append(products < 2 * errors, True)))
    elif products.sum() < SIGNIFICANT * np.linalg.norm(errors):
        return 1.0
    correlations = products / (n - lags) * n / float(np.vdot(series, series))
    return float(1 + 2 * correlations[:last].sum())


def block_length(memory: float) -> int:
    """Return how many samples a block has that is left out together."""
    return int(np.ceil(MEMORIES * memory))


def fewest(level: float) -> int:
    """Return how many samples, groups or blocks give p-values as small as a level."""
    return int(np.ceil(1 / level - 1e-9)) - 1


def dependence(memory: float, n: int, false_alarm: float) -> str:
    """Return what a memory in n samples means and what helps, or nothing if it is 1 or NaN."""
    if not memory > 1:
        return ""
    block = block_length(memory)
    needed = fewest(false_alarm)
    alike = f"Samples next to each other are alike, over about {memory:.0f} samples"
    if n < needed * block:
        return (
            f"{alike}: no rate of false alarms can be promised, since {needed} blocks of {block} "
            f"samples are needed, and there are {n} samples. Collect more."
        )
    return (
        f"{alike}: there may be more false alarms than {false_alarm:g}. Leave out blocks of "
        f"{block} samples together, by groups=np.arange({n}) // {block}. If the order of the "
        "samples means nothing, shuffle them."
    )
