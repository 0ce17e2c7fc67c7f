"""One number for several datasets: the median of Hodges and Lehmann, with its exact interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kpca.pipeline.studies.claims.claim import Bounds

LEAST_DATASETS = 6
"""With fewer no interval of level 95 % exists: all signs agree by chance in one of 2⁵⁻¹ draws."""


def signed_rank_interval(values: Sequence[float] | np.ndarray, *, level: float = 0.95) -> Bounds:
    """Return the median of the Walsh averages (x_i + x_j)/2, i ≤ j, and its interval.

    The interval holds the shifts that Wilcoxon's signed-rank test does not reject: from the
    c-th smallest to the c-th largest Walsh average, c the largest whole number with
    2 P(W < c) ≤ 1 − level, W the sum of the ranks with positive sign.

    Parameters
    ----------
    values : sequence of float
        One a dataset, such as its mean gain; at least six.
    level : float
        Confidence level, kept at least.

    References
    ----------
    Hollander, Wolfe and Chicken, Nonparametric Statistical Methods (2014), 3.3.

    Examples
    --------
    >>> signed_rank_interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    (3.5, 1.0, 6.0)
    """
    x = np.asarray(values, dtype=float)
    if len(x) < LEAST_DATASETS:
        raise ValueError(f"{len(x)} datasets allow no claim across them: give six or more")
    i, j = np.triu_indices(len(x))
    walsh = np.sort((x[i] + x[j]) / 2)
    below = np.cumsum(rank_sums(len(x))) / 2 ** len(x)
    c = int((2 * below <= 1 - level).sum())
    return float(np.median(walsh)), float(walsh[c - 1]), float(walsh[-c])


def rank_sums(n: int) -> np.ndarray:
    """Return how many of the 2ⁿ choices of signs give each sum of the ranks 1, …, n.

    >>> rank_sums(2).tolist()
    [1, 1, 1, 1]
    """
    counts = np.ones(1, dtype=np.int64)
    for rank in range(1, n + 1):
        counts = np.pad(counts, (0, rank)) + np.pad(counts, (rank, 0))
    return counts
