"""Stratification and groups."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.datasets.splits import allocate, held_out_counts, split_rows, subsample

counts_and_total = st.lists(st.integers(1, 50), min_size=1, max_size=8).flatmap(
    lambda counts: st.tuples(st.just(np.array(counts)), st.integers(0, sum(counts)))
)


def _rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@given(counts_and_total)
def test_allocation_is_whole_and_proportional(case: tuple[np.ndarray, int]) -> None:
    counts, total = case
    shares = allocate(counts, total)
    assert shares.sum() == total
    assert (shares <= counts).all()
    assert (np.abs(shares - counts * total / counts.sum()) < 1).all()


def test_each_class_is_on_both_sides_where_it_can_be() -> None:
    np.testing.assert_array_equal(held_out_counts(np.array([96, 2, 1, 0]), 0.3), [29, 1, 0, 0])
    np.testing.assert_array_equal(held_out_counts(np.array([96, 2]), 0.99), [95, 1])


@settings(deadline=None)
@given(st.lists(st.integers(2, 30), min_size=1, max_size=5), st.integers(0, 99))
def test_a_split_is_a_stratified_partition(sizes: list[int], seed: int) -> None:
    y = np.repeat(np.arange(len(sizes)), sizes)
    train, test = split_rows(_rng(seed), y, 0.3)
    np.testing.assert_array_equal(train, np.setdiff1d(np.arange(len(y)), test))
    np.testing.assert_array_equal(test, np.unique(test))
    held = np.bincount(y[test], minlength=len(sizes))
    np.testing.assert_array_equal(held, held_out_counts(np.array(sizes), 0.3))


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_never_split_and_classes_stay_balanced(seed: int) -> None:
    rng = _rng(seed)
    groups = rng.integers(0, 40, 600)
    groups = np.unique(groups, return_inverse=True)[1]
    # A class that is rare, and unevenly spread over the groups.
    y = (rng.random(600) < np.where(groups < 10, 0.4, 0.05)).astype(int)
    train, test = split_rows(rng, y, 0.3, groups)

    assert not set(groups[train]) & set(groups[test])
    assert len(train) + len(test) == 600
    np.testing.assert_allclose(np.bincount(y[test]) / np.bincount(y), 0.3, atol=0.1)


def test_few_groups_are_split_at_random() -> None:
    """The best balanced split alone would be the same one in each replicate."""
    groups = np.repeat(np.arange(8), [5, 9, 4, 12, 7, 6, 10, 8])
    y = np.random.default_rng(0).integers(0, 2, len(groups))
    tests = {tuple(np.unique(groups[split_rows(_rng(s), y, 0.3, groups)[1]])) for s in range(10)}
    assert len(tests) >= 6


def test_three_groups_of_each_class_are_enough_for_both_sides() -> None:
    """One class a group, as with patients that are ill or well."""
    groups = np.repeat(np.arange(6), 5)
    y = groups % 2
    for seed in range(10):
        train, test = split_rows(_rng(seed), y, 0.3, groups)
        assert set(y[train]) == set(y[test]) == {0, 1}


def test_one_large_group_stays_in_training() -> None:
    groups = np.concatenate([np.zeros(70, dtype=int), np.arange(1, 31)])
    train, test = split_rows(_rng(), np.zeros(100, dtype=int), 0.3, groups)
    assert 0 in groups[train]
    assert len(test) == 30


def test_a_subsample_keeps_proportions() -> None:
    y = np.repeat([0, 1, 2], [500, 300, 200])
    index = subsample(_rng(), y, 100)
    np.testing.assert_array_equal(np.bincount(y[index]), [50, 30, 20])
    assert (np.diff(index) > 0).all()
