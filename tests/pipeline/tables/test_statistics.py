"""Intervals, adjusted p-values and verdicts against numbers from elsewhere."""

import math

import numpy as np
import pytest
from scipy import stats

from pipeline.tables.statistics import holm, interval, verdict

# Five splits 70/30: mean 0.8, s² = 0.001, t(0.975, 4) = 2.776445.
SPLITS = [0.76, 0.78, 0.80, 0.82, 0.84]


@pytest.mark.parametrize(
    ("overlap", "error"),
    # Nadeau and Bengio's se² = (1/5 + 3/7) · 0.001 = 0.00062857
    [(None, math.sqrt(0.001 / 5)), (30 / 70, 0.02507133)],
)
def test_an_interval_is_that_of_its_kind_of_replicate(overlap: float | None, error: float) -> None:
    found = interval(SPLITS, test_over_train=overlap)

    half = 2.776445 * error
    expected = (0.8, 0.8 - half, 0.8 + half)
    assert (found.mean, found.low, found.high) == pytest.approx(expected, abs=1e-7)


def test_the_p_value_is_that_of_a_t_test() -> None:
    values = np.random.default_rng(0).normal(0.3, 1, 12)

    expected = stats.ttest_1samp(values, 0).pvalue
    assert interval(values, test_over_train=None).p == pytest.approx(expected)


def test_the_interval_and_the_p_value_agree_at_the_edge() -> None:
    wide = interval(SPLITS, test_over_train=0.5, level=0.9)
    shifted = interval(np.array(SPLITS) - wide.low, test_over_train=0.5)

    assert shifted.p == pytest.approx(0.1)


def test_the_p_value_of_a_margin_is_that_of_the_values_less_the_margin() -> None:
    at_margin = interval(SPLITS, test_over_train=0.5, null=0.75)
    shifted = interval(np.array(SPLITS) - 0.75, test_over_train=0.5)

    assert at_margin.p == pytest.approx(shifted.p)
    assert (at_margin.mean, at_margin.error) == pytest.approx((0.8, shifted.error))


@pytest.mark.parametrize("value", [0.0, 0.5, 0.1 + 0.2])
@pytest.mark.parametrize("rounding", [0.0, 1e-12])
def test_values_without_spread_have_no_p(value: float, rounding: float) -> None:
    found = interval([value, value, value + rounding], test_over_train=0.4)

    assert (found.low, found.high) == pytest.approx((value, value), abs=1e-11)
    assert math.isnan(found.p)
    assert math.isnan(found.error)


def test_what_has_no_p_is_a_comparison_all_the_same() -> None:
    np.testing.assert_allclose(holm([0.02, math.nan, 0.01]), [0.04, math.nan, 0.03])


def test_one_replicate_has_no_interval() -> None:
    with pytest.raises(ValueError, match="at least two replicates, got 1"):
        interval([0.5], test_over_train=None)


@pytest.mark.parametrize(
    "p",
    [
        [0.01, 0.02, 0.03, 0.04],
        [0.04, 0.01, 0.03, 0.02],
        [0.5, 0.6],
        [0.01, 0.01, 0.2],
        np.random.default_rng(0).random(20) / 10,
    ],
)
def test_holm_follows_its_definition(p: list[float]) -> None:
    order, largest, expected = np.argsort(p, kind="stable"), 0.0, np.empty(len(p))
    for rank, index in enumerate(order):
        largest = max(largest, (len(p) - rank) * p[index])
        expected[index] = min(1.0, largest)

    np.testing.assert_allclose(holm(p), expected, rtol=1e-15)


@pytest.mark.parametrize(
    ("gain", "p", "expected"),
    [
        (0.02, 0.05, "holds"),
        (0.02, 0.051, "undecided"),
        (-0.05, 0.01, "fails"),
        (0.005, 0.01, "fails"),
        (0.5, math.nan, "undecided"),
    ],
)
def test_a_verdict_needs_a_small_p(gain: float, p: float, expected: str) -> None:
    assert verdict(gain, p, 0.01) == expected
