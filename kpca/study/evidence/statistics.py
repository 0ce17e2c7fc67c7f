"""Intervals and tests over replicates."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

ROUNDING = 1e-9  # largest difference between scores that counts as none
# Significance level of every interval, and of tests after Holm's correction for all tests.
LEVEL = 0.05
# Fraction of the variance between random splits that is added to the variance of a difference
# between two models. It is needed because training sets of one dataset resemble each other, so that
# splits vary less than datasets do. The value is the smallest multiple of 0.05 with which 95 % CIs
# contain the difference in a population in 92 % of the cases plus one standard error, for each size
# of the difference.
TRAINING_SETS = 0.1
FEWEST_GROUPS = 20  # smallest number of groups for an interval; with fewer, splits are too similar


class Interval(NamedTuple):
    """A mean with its 95 % confidence interval, and the posterior from which both follow.

    The posterior is a t distribution about the mean, with the standard error as its scale and
    J − 1 degrees of freedom for J replicates. The standard error is NaN if the values differ by no
    more than `ROUNDING` and nothing else tells their uncertainty.
    """

    mean: float
    low: float
    high: float
    error: float
    replicates: int

    def above(self, value: float) -> float:
        """Return the probability that the true mean is above a value; NaN without an error."""
        return float(special.stdtr(self.replicates - 1, (self.mean - value) / self.error))


def compare_scores(
    scores: ArrayLike,
    baseline_scores: ArrayLike,
    test_over_train: float | None,
    *,
    influences: np.ndarray | None = None,
    least: float = 0.0,
    limits: tuple[float, float] | None = None,
) -> Interval:
    """Return the mean difference between two models, with its 95 % CI and posterior.

    By default, the CI and the posterior are those of the corrected resampled t test of Nadeau and
    Bengio, "Inference for the generalization error", Machine Learning 52 (2003). Its squared
    standard error is (1/J + n_test/n_train) s², where s² is the variance of J differences, and it
    has J − 1 degrees of freedom. The Bayesian correlated t test of Benavoli, Corani, Demšar,
    Zaffalon, "Time for a change", JMLR 18 (2017), has the same posterior.

    Parameters
    ----------
    scores : array of shape (J,)
        Scores of a model on J ≥ 2 test sets.
    baseline_scores : array of shape (J,)
        Scores of the model to compare with, on the same test sets in the same order.
    test_over_train : float or None
        n_test/n_train of random splits, such as 1/9 for repeated 10-fold cross-validation. None for
        independent draws of training and test data.
    influences : array of shape (n,), default=None
        How far each row, or group of rows, moves the mean difference. If given, the variance
        between rows replaces the correction, which gives narrower intervals; see `interval`.
    least : float, default=0.0
        Smallest half-width of the interval, such as `least_half_width` of the held-out rows.
    limits : tuple of two floats or None, default=None
        Limits to which the interval is clipped: (-1, 1) for two accuracies. None for no limits.

    Returns
    -------
    Interval
        ``mean`` (positive if the first model is better), ``low``, ``high``, ``error``, and
        ``above(value)``: the probability that the true difference is above a value.

    Raises
    ------
    ValueError
        If there are fewer than two scores, not as many baseline scores, or several dimensions.

    Examples
    --------
    >>> found = compare_scores([0.76, 0.80, 0.84, 0.85], [0.74, 0.79, 0.80, 0.84], 3 / 7)
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3), round(found.above(0), 2)
    (0.02, -0.017, 0.057, 0.91)
    """
    first, second = (np.asarray(values, dtype=float) for values in (scores, baseline_scores))
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(
            f"scores have shape {first.shape} and baseline_scores {second.shape}, and both must "
            "have one score per test set, in one dimension"
        )
    differences = first - second
    differences[np.abs(differences) <= ROUNDING] = 0.0
    return interval(
        differences,
        test_over_train=test_over_train,
        influence=influences,
        shared=TRAINING_SETS,
        least=least,
        limits=limits or (-math.inf, math.inf),
    )


def interval(
    values: ArrayLike,
    *,
    test_over_train: float | None,
    influence: np.ndarray | None = None,
    shared: float = 0.0,
    least: float = 0.0,
    limits: tuple[float, float] = (-math.inf, math.inf),
) -> Interval:
    """Return a t interval for the mean of J ≥ 2 values or paired differences, one per replicate.

    ``test_over_train`` is None for independent draws. With the variance s² between replicates, the
    variance of the mean is then s²/J. For random splits of one dataset, which overlap, it is
    n_test/n_train. The variance of the mean is then (1/J + n_test/n_train) s², by Nadeau and
    Bengio, "Inference for the generalization error", Machine Learning 52 (2003). If
    ``test_over_train`` is NaN, there is no interval.

    ``influence`` is a vector v of shape (n,) that says how far each row, or group of rows, moves
    the mean over random splits; see `kpca.study.evidence.held_out.mean_influence`. With it, the
    variance of the mean is n/(n − 1) vᵀv + (1/J + ``shared``) s². ``shared`` accounts for what the
    training sets have in common; see `TRAINING_SETS`.

    The half-width is at least ``least``, see `least_half_width`. The interval is clipped to
    ``limits``, the range of the metric.

    >>> interval([1.0, 1.0, 1.0], test_over_train=None)
    Interval(mean=1.0, low=1.0, high=1.0, error=nan, replicates=3)
    """
    values = np.asarray(values, dtype=float)
    J = len(values)
    if J < 2:
        raise ValueError(f"an interval needs at least two replicates, got {J}")
    mean = float(values.mean())
    between = float(values.var(ddof=1))
    overlap = test_over_train or 0.0
    of_rows = 0.0
    if influence is not None and not math.isnan(overlap):
        rows = len(influence)
        overlap = shared
        of_rows = rows / (rows - 1) * float(influence @ influence)
    t = half_width(J)
    error = max(math.sqrt(between * (1 / J + overlap) + of_rows), least / t)
    low = max(mean - t * error, limits[0])
    high = min(mean + t * error, limits[1])
    if np.ptp(values) <= ROUNDING and not least and not of_rows:
        error = math.nan
    return Interval(mean, low, high, error, J)


def half_width(replicates: int) -> float:
    """Return the half-width of a 95 % CI in standard errors: a quantile of t."""
    return float(special.stdtrit(replicates - 1, 1 - LEVEL / 2))


def least_half_width(held_out: Sequence[int]) -> float:
    """Return the smallest half-width of a 95 % CI that a number of distinct held-out rows allows.

    ``held_out`` has the number n_c ≥ 1 of distinct held-out rows of each class c. Even if none of
    them shows a difference, the population can have one: a difference in a fraction e_c of each
    class goes unseen with probability Π (1 − e_c)^n_c. The half-width is the largest mean of e_c
    over the classes for which this probability is at least 0.025. For n rows of one class it is
    1 − 0.025^(1/n), the rule of three.
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
    """Return the two-sided p-value of a mean at the distance ``away`` from the hypothesis.

    It is the smallest α for which the 1 − α interval excludes the hypothesis; NaN if ``error`` is.
    """
    return float(2 * special.stdtr(replicates - 1, -abs(away) / error))


def holm(p_values: ArrayLike) -> np.ndarray:
    """Return p-values adjusted for several comparisons by Holm's method.

    A NaN stays NaN but counts as a comparison, so that the number of comparisons does not depend
    on the data.
    """
    p = np.asarray(p_values, dtype=float)
    order = np.argsort(p, kind="stable")[: np.isfinite(p).sum()]  # NaN comes last
    factors = len(p) - np.arange(len(order))
    adjusted = np.full_like(p, math.nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(factors * p[order]), 1.0)
    return adjusted


def verdict(low: float, high: float, margin: float) -> str:
    """Return how a method compares with another one, given the 95 % CI of their difference.

    The method is "better" if the interval is above 0, and "worse" if it is below 0. Otherwise, the
    other method is "enough" if the interval is below the margin of the metric. In all other cases,
    and without an interval, the comparison is "inconclusive".

    >>> verdict(0.001, 0.02, 0.01), verdict(-0.02, -0.001, 0.01), verdict(-0.02, 0.009, 0.01)
    ('better', 'worse', 'enough')
    >>> {verdict(-0.02, 0.02, 0.01), verdict(math.nan, math.nan, 0.01)}
    {'inconclusive'}
    """
    if low > 0:
        return "better"
    if high < 0:
        return "worse"
    return "enough" if high < margin else "inconclusive"


def intervals(rows: pd.DataFrame, keys: list[str], column: str) -> pd.DataFrame:
    """Return the `Interval` of a column over replicates, one row per group of equal ``keys``.

    The column ``overlap`` is n_test/n_train for random splits, and empty for independent draws.
    """
    means = []
    for key, group in rows.groupby(keys, sort=False):
        overlap = group["overlap"].iloc[0]
        if pd.isna(overlap):
            overlap = None
        means.append((*key, *interval(group[column], test_over_train=overlap)))
    return pd.DataFrame(means, columns=[*keys, *Interval._fields])
