"""Train/test splits of given rows, and samples of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from kpca.study.datasets.splits import (
    allocate,
    held_out_counts,
    sample_counts,
    split_rows,
    subsample,
)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.floats(0, 1))
def test_allocation_is_whole_and_proportional(sizes, share):
    counts = np.array(sizes)
    total = round(share * sum(sizes))
    shares = allocate(counts, total)
    assert shares.sum() == total
    assert (shares <= counts).all()
    assert (np.abs(shares - counts * total / counts.sum()) < 1).all()


@given(st.lists(st.integers(1, 200), min_size=1, max_size=8), st.floats(0, 1))
def test_a_sample_keeps_rare_classes(sizes, share):
    counts = np.array(sizes)
    total = round(share * sum(sizes))
    sampled = sample_counts(counts, total)
    assert sampled.sum() == total
    assert (sampled <= counts).all()
    assert (sampled >= np.minimum(counts, min(20, total // len(counts)))).all()
    proportional = allocate(counts, total)
    if (proportional >= np.minimum(counts, 20)).all():
        np.testing.assert_array_equal(sampled, proportional)
    y = np.repeat(np.arange(len(counts)), counts)
    drawn = y[subsample(default_rng(0), y, total)]
    np.testing.assert_array_equal(drawn, np.repeat(np.arange(len(counts)), sampled))


@given(st.lists(st.integers(2, 30), min_size=1, max_size=5), st.integers(0, 99))
def test_a_split_is_a_stratified_partition(sizes, seed):
    y = np.repeat(np.arange(len(sizes)), sizes)
    train, test = split_rows(default_rng(seed), y, 0.3)
    np.testing.assert_array_equal(train, np.setdiff1d(np.arange(len(y)), test))
    np.testing.assert_array_equal(test, np.unique(test))
    held = np.bincount(y[test], minlength=len(sizes))
    np.testing.assert_array_equal(held, held_out_counts(np.array(sizes), 0.3))


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_never_split_and_classes_stay_balanced(seed):
    rng = default_rng(seed)
    groups = np.unique(rng.integers(0, 40, 600), return_inverse=True)[1]
    # A class that is rare, and unevenly spread over the groups.
    y = (rng.random(600) < np.where(groups < 10, 0.4, 0.05)).astype(int)
    train, test = split_rows(rng, y, 0.3, groups)
    assert not set(groups[train]) & set(groups[test])
    assert len(train) + len(test) == 600
    np.testing.assert_allclose(np.bincount(y[test]) / np.bincount(y), 0.3, atol=0.1)


def test_few_groups_are_split_at_random():
    """The best balanced split alone would be the same one in each replicate."""
    groups = np.repeat(np.arange(8), [5, 9, 4, 12, 7, 6, 10, 8])
    y = default_rng(0).integers(0, 2, len(groups))
    splits = [split_rows(default_rng(seed), y, 0.3, groups) for seed in range(10)]
    assert len({tuple(np.unique(groups[test])) for _, test in splits}) >= 6


def test_a_class_in_three_groups_is_on_both_sides_and_one_large_group_stays_in_training():
    groups = np.repeat(np.arange(6), 5)
    y = groups % 2  # Labels are those of groups, as of ill and healthy patients.
    for seed in range(10):
        train, test = split_rows(default_rng(seed), y, 0.3, groups)
        assert set(y[train]) == set(y[test]) == {0, 1}
    groups = np.concatenate([np.zeros(70, dtype=int), np.arange(1, 31)])
    train, test = split_rows(default_rng(0), np.zeros(100, dtype=int), 0.3, groups)
    assert 0 in groups[train]
    assert len(test) == 29  # Two groups are left for inner folds.
