"""Intervals, adjusted p-values and the influence of rows, against other numbers."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.svm import SVC

from kpca.study.datasets.dataset import Dataset
from kpca.study.evidence.held_out import Predictions, mean_influence, row_influence
from kpca.study.evidence.statistics import (
    compare_scores,
    holm,
    interval,
    intervals,
    least_half_width,
    p_value,
    verdict,
)
from kpca.study.scoring.metrics import METRICS

# Five splits 70/30: mean 0.8, s² = 0.001, t(0.975, 4) = 2.776445.
SPLITS = [0.76, 0.78, 0.80, 0.82, 0.84]


@pytest.mark.parametrize(
    ("overlap", "error"),
    # Nadeau and Bengio's se² = (1/5 + 3/7) · 0.001 = 0.00062857
    [(None, math.sqrt(0.001 / 5)), (30 / 70, 0.02507133)],
)
def test_an_interval_is_that_of_its_kind_of_replicate(overlap, error):
    computed = interval(SPLITS, test_over_train=overlap)
    half = 2.776445 * error
    expected = (0.8, 0.8 - half, 0.8 + half)
    assert (computed.mean, computed.low, computed.high) == pytest.approx(expected, abs=1e-7)
    with pytest.raises(ValueError, match="at least two replicates, got 1"):
        interval([0.5], test_over_train=overlap)


def test_the_p_value_is_that_of_a_t_test():
    values = np.random.default_rng(0).normal(0.3, 1, 12)
    expected = stats.ttest_1samp(values, 0).pvalue
    assert p_value(values.mean(), values.std(ddof=1) / 12**0.5, 12) == pytest.approx(expected)


def test_a_comparison_has_the_numbers_that_scikit_learn_publishes():
    """Its example "Statistical comparison of models using grid search", 10 times 10 folds.

    Published are the corrected t of 0.750 with p = 0.227, the probabilities 0.773 (the Gaussian
    SVM is better) and 0.432 (the two differ by at most 0.01), and the interval of 95 %.
    """
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    rbf, linear = (
        cross_val_score(SVC(kernel=kernel), X, y, cv=folds, scoring="roc_auc")
        for kernel in ("rbf", "linear")
    )
    computed = compare_scores(rbf, linear, 1 / 9)
    assert computed.mean / computed.error == pytest.approx(0.750, abs=5e-4)
    assert 1 - computed.above(0) == pytest.approx(0.227, abs=5e-4)
    assert computed.above(0) == pytest.approx(0.773, abs=5e-4)
    assert computed.above(-0.01) - computed.above(0.01) == pytest.approx(0.432, abs=5e-4)
    assert (computed.low, computed.high) == pytest.approx((-0.016445, 0.036445), abs=5e-7)
    turned = compare_scores(linear, rbf, 1 / 9)
    assert (turned.mean, turned.low) == pytest.approx((-computed.mean, -computed.high))


def test_scores_of_a_comparison_are_paired():
    with pytest.raises(ValueError, match=r"shape \(5,\) and baseline_scores \(4,\), and both"):
        compare_scores(SPLITS, SPLITS[:4], 3 / 7)
    with pytest.raises(ValueError, match="one score per test set, in one dimension"):
        compare_scores([SPLITS], [SPLITS], 3 / 7)


def test_influences_of_zero_tell_no_uncertainty():
    computed = compare_scores([0.8, 0.8], [0.7, 0.7], 0.3, influences=np.zeros(10))
    assert math.isnan(computed.above(0))


@given(st.floats(-0.1, 0.1), st.floats(0, 0.1), st.sampled_from([0.01, 0.02]))
def test_no_word_contradicts_its_interval(low, width, margin):
    high = low + width
    word = verdict(low, high, margin)
    assert (word == "better") == (low > 0)
    assert (word == "worse") == (high < 0)
    assert (word == "enough") == (low <= 0 <= high < margin)


@pytest.mark.parametrize("value", [0.0, 0.5, 0.1 + 0.2])
@pytest.mark.parametrize("rounding", [0.0, 1e-12])
def test_values_without_spread_have_no_error(value, rounding):
    computed = interval([value, value, value + rounding], test_over_train=0.4)
    assert (computed.low, computed.high) == pytest.approx((value, value), abs=1e-11)
    assert math.isnan(computed.error)


@pytest.mark.parametrize("n", [1, 2, 5, 20])
def test_holm_follows_its_definition(n):
    p = np.random.default_rng(n).integers(1, 20, n) / 100  # some are equal
    # Each p times the number of those that are not smaller; never less than what a smaller p has.
    factors = (p >= p[:, None]).sum(axis=1)
    expected = [min(1, (factors * p)[p <= value].max()) for value in p]
    np.testing.assert_allclose(holm(p), expected, rtol=1e-15)
    # What has no p is a comparison all the same.
    np.testing.assert_allclose(holm([0.02, math.nan, 0.01]), [0.04, math.nan, 0.03])


@pytest.mark.parametrize("held_out", [[368], [184, 184], [20, 348], [5, 7, 300], [10] * 10, [1]])
def test_the_least_half_width_is_the_largest_unseen_difference(held_out):
    """No set of fractions that goes unseen with probability 0.025 has a larger mean."""
    n = np.array(held_out)
    width = least_half_width(held_out)
    shares = np.random.default_rng(0).dirichlet(np.ones(len(n)), 2000) * math.log(0.025)
    others = (1 - np.exp(shares / n)).mean(axis=1)
    assert others.max() <= width + 1e-12
    assert others.max() == pytest.approx(width, rel=0.1)
    assert least_half_width([368]) <= 0.01 < least_half_width([367])


def test_each_group_has_the_interval_of_its_kind_of_replicate():
    drawn = pd.DataFrame({"dataset": "a", "overlap": None, "value": [0.0, 1.0, 2.0]})
    both = pd.concat([drawn, drawn.assign(dataset="b", overlap=0.5)])
    table = intervals(both, ["dataset"], "value")
    for row, overlap in zip(table.itertuples(index=False), (None, 0.5), strict=True):
        assert row[1:] == interval([0.0, 1.0, 2.0], test_over_train=overlap)


RNG = np.random.default_rng(0)
CLASSES = RNG.choice(3, 400, p=[0.6, 0.3, 0.1])
TARGET = RNG.standard_normal(400)


@pytest.mark.parametrize(
    ("metric", "truth", "predicted"),
    [
        ("balanced_accuracy", CLASSES, np.where(RNG.random(400) < 0.7, CLASSES, 1)),
        ("correlation", TARGET, TARGET + 0.5 * RNG.standard_normal(400)),
    ],
)
def test_influence_is_what_leaving_a_row_out_changes(metric, truth, predicted):
    score = METRICS[metric].measure
    left_out = [
        score(np.delete(truth, i), np.delete(predicted, i)) - score(truth, predicted)
        for i in range(len(truth))
    ]
    computed = row_influence(metric, truth, predicted)
    assert computed.sum() == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(computed, -np.array(left_out), atol=0.05 * np.abs(computed).max())
    assert row_influence(metric, truth, 0 * truth) == pytest.approx(0)  # constant predictions


def test_the_mean_over_splits_counts_each_row_or_group_once():
    y = np.array([0, 0, 1, 1, 0, 1])
    groups = np.array([7, 7, 9, 9, 8, 8])
    splits = ((np.array([4, 5]), np.arange(4)), (np.array([0, 1]), np.arange(2, 6)))
    dataset = Dataset(name="", X=np.zeros((6, 1)), y=y, groups=groups, splits=splits)
    predicted = [
        Predictions(y[:4], np.array([0, 1, 1, 1]), None),
        Predictions(y[2:], np.array([1, 1, 0, 0]), None),
    ]
    first, second = (
        row_influence("balanced_accuracy", side.truth, side.predicted) for side in predicted
    )
    rows = np.pad(first, (0, 2)) / 2 + np.pad(second, (2, 0)) / 2
    influence = mean_influence(dataset, "balanced_accuracy", predicted)
    assert influence == pytest.approx([rows[:2].sum(), rows[4:].sum(), rows[2:4].sum()])


def test_an_interval_adds_the_spread_of_rows_and_of_splits():
    influence = np.array([0.01, -0.01, 0.02, -0.02, 0.0])
    computed = interval([0.7, 0.8, 0.9], test_over_train=0.4, influence=influence)
    assert computed.error**2 == pytest.approx(0.01 / 3 + 5 / 4 * 0.001)
    few_groups = interval(SPLITS, test_over_train=math.nan, least=0.1, influence=influence)
    assert few_groups.mean == pytest.approx(0.8)
    assert np.isnan([few_groups.low, few_groups.high, few_groups.error]).all()
