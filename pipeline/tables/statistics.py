"""Intervals and tests over replicates."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special

ROUNDING = 1e-9
"""Differences between scores that are no more than this are none."""

LEVEL = 0.05
"""Of every verdict, after Holm's correction for all that are given together."""

FEWEST_GROUPS = 20
"""With fewer groups, splits resemble each other too much for an interval."""


class Interval(NamedTuple):
    """A mean with its 95 % confidence interval, its standard error, and a two-sided p-value.

    p is that of a mean that is no other than was asked. Standard error and p are NaN if the
    values differ by no more than `ROUNDING`: a t test asks for a spread.
    """

    mean: float
    low: float
    high: float
    error: float
    p: float


def interval(
    values: Sequence[float] | np.ndarray,
    *,
    test_over_train: float | None,
    influence: np.ndarray | None = None,
    least: float = 0.0,
    null: float = 0.0,
    limits: tuple[float, float] = (-math.inf, math.inf),
) -> Interval:
    """Return a t interval for the mean of J ≥ 2 values, one per replicate, or paired differences.

    Parameters
    ----------
    values : array of shape (J,)
    test_over_train : float or None
        None for independent draws: se² = s²/J. For random splits of one dataset, which overlap, it
        is n_test/n_train, and se² = (1/J + n_test/n_train) s² is Nadeau and Bengio's corrected
        variance. NaN gives no interval.
    influence : ndarray of shape (n,), default=None
        How far each row, or group of rows, moves the mean over random splits; see
        `pipeline.tables.held_out.mean_influence`. With it, se² = n/(n − 1) Σ influence² + s²/J.
    least : float, default=0.0
        Least half-width, see `least_half_width`.
    null : float, default=0.0
        The mean under the null hypothesis of the p-value.
    limits : tuple of float, default=(-inf, inf)
        Where the metric ends, and with it the interval.

    References
    ----------
    Nadeau and Bengio, "Inference for the generalization error", Machine Learning 52 (2003).

    Examples
    --------
    >>> interval([1.0, 1.0, 1.0], test_over_train=None)
    Interval(mean=1.0, low=1.0, high=1.0, error=nan, p=nan)
    """
    values = np.asarray(values, dtype=float)
    J = len(values)
    if J < 2:
        raise ValueError(f"an interval needs at least two replicates, got {J}")
    mean = float(values.mean())
    spread = float(values.var(ddof=1))
    variance = spread * (1 / J + (test_over_train or 0.0))
    if influence is not None and not math.isnan(variance):
        rows = len(influence)
        variance = spread / J + rows / (rows - 1) * float(influence @ influence)
    t = float(special.stdtrit(J - 1, 1 - LEVEL / 2))
    error = max(math.sqrt(variance), least / t)
    low, high = max(mean - t * error, limits[0]), min(mean + t * error, limits[1])
    if np.ptp(values) <= ROUNDING and not least and influence is None:
        error = math.nan
    return Interval(mean, low, high, error, p_value(mean - null, error, J))


def least_half_width(held_out: Sequence[int]) -> float:
    """Return the half-width of a 95 % CI that the number of distinct held-out rows allows at best.

    If no held-out row shows a difference, the population can still differ: fractions e_c of the
    classes c that differ go unseen with probability Π (1 − e_c)^n_c. The half-width is the largest
    mean of e_c over the classes for which this is at least 0.025. For n rows of one class it is
    1 − 0.025^(1/n), the rule of three.

    Parameters
    ----------
    held_out : sequence of int
        Distinct held-out rows of each class, at least 1 each.

    >>> [round(least_half_width(n), 3) for n in ([368], [184, 184], [20, 348])]
    [0.01, 0.01, 0.084]
    """
    n = np.sort(np.asarray(held_out, dtype=float))
    # At the optimum 1 − e_c = min(1, λ n_c): only the smaller classes differ.
    logs = np.log(n)
    counts = np.cumsum(n)
    log_lambda = (math.log(0.025) - np.cumsum(n * logs)) / counts
    differing = (log_lambda + logs < 0).nonzero()[0].max()
    fractions = 1 - np.exp(log_lambda[differing] + logs[: differing + 1])
    return float(fractions.sum() / len(n))


def p_value(away: float, error: float, replicates: int) -> float:
    """Return the two-sided p-value of a mean so far away from where it is supposed to be.

    It is the smallest α whose 1 − α interval leaves that place out; without an error, NaN.
    """
    return float(2 * special.stdtr(replicates - 1, -abs(away) / error))


def holm(p_values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return p-values adjusted for several comparisons by Holm's method.

    A NaN stays one, and counts as a comparison: how many there are is not left to the data.

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=float)
    order = np.argsort(p, kind="stable")[: np.isfinite(p).sum()]  # NaN comes last
    factors = len(p) - np.arange(len(order))
    adjusted = np.full_like(p, math.nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(factors * p[order]), 1.0)
    return adjusted


def verdict(gain: float, high: float, p: float, p_adjusted: float, *, margin: float) -> str:
    """Return how a method compares with another one.

    Parameters
    ----------
    gain, high : float
        Mean difference, and the upper end of its 95 % CI.
    p, p_adjusted : float
        p-value of the hypothesis that the difference equals the margin, before and after Holm's
        correction; NaN if the difference has no interval.
    margin : float
        The smallest difference that matters.

    Returns
    -------
    str
        "worse" if the CI lies below −margin; "better" or "enough" (a relevant improvement is ruled
        out) if the adjusted p is at most `LEVEL`; else "inconclusive".

    >>> verdict(0.03, 0.05, 0.005, 0.01, margin=0.01)
    'better'
    >>> verdict(-0.03, -0.02, 0.005, 0.01, margin=0.01)
    'worse'
    """
    if math.isnan(p):
        return "inconclusive"
    if high < -margin:
        return "worse"
    if p_adjusted > LEVEL:
        return "inconclusive"
    return "better" if gain > margin else "enough"


def curve(scores: pd.DataFrame, along: str, overlap: float | None) -> pd.DataFrame:
    """Return mean, low and high over replicates for each value of the column ``along``.

    The overlap is n_test/n_train for random splits, None for independent draws.
    """
    rows = [
        (x, *interval(values.to_numpy(), test_over_train=overlap)[:3])
        for x, values in scores.groupby(along, sort=True)["value"]
    ]
    return pd.DataFrame(rows, columns=[along, "mean", "low", "high"])
