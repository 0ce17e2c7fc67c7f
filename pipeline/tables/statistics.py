"""Intervals and tests over replicates."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

ROUNDING = 1e-9
"""Differences between scores that are no more than this are none."""

LEVEL = 0.05
"""Of every verdict, after Holm's correction for all that are given together."""


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % confidence interval, its standard error, and a two-sided p-value.

    p is that of a mean that is no other than was asked. Standard error and p are NaN where the
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
    level: float = 0.95,
    null: float = 0.0,
) -> Interval:
    """Return a t interval for the mean of J ≥ 2 values, one a replicate, or one paired difference.

    For independent draws (``test_over_train`` is None) se² = s²/J. For re-drawn splits of one
    dataset, which overlap, it is n_test/n_train, and se² = (1/J + n_test/n_train) s² is Nadeau and
    Bengio's corrected one. The p-value is that of the mean ``null``.

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
    variance = float(values.var(ddof=1)) * (1 / J + (test_over_train or 0.0))
    error = math.sqrt(variance)
    half = float(special.stdtrit(J - 1, (1 + level) / 2)) * error
    if np.ptp(values) <= ROUNDING:
        error = math.nan
    return Interval(mean, mean - half, mean + half, error, p_value(mean - null, error, J))


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


def verdict(gain: float, p: float, margin: float) -> str:
    """Return whether a gain beyond ``margin`` holds, fails or is undecided.

    It is decided where p, of a gain that equals the margin, is at most `LEVEL`; without a p, as
    where all replicates agree, it is not.

    >>> verdict(0.03, 0.01, 0.01), verdict(0.0, 0.01, 0.01), verdict(0.03, 0.2, 0.01)
    ('holds', 'fails', 'undecided')
    """
    if not p <= LEVEL:
        return "undecided"
    return "holds" if gain > margin else "fails"
