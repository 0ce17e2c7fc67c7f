"""Rows by slices are the rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpca.sharing.runs import LONG, Runs, grouped


@given(st.lists(st.integers(0, 30), min_size=1, max_size=40), st.data())
def test_slices_reach_the_rows_that_were_named(rows: list[int], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(rows) - 1))
    stop = data.draw(st.integers(start + 1, len(rows)))
    values, out = np.arange(31), np.full(stop - start, -1)

    for chosen, own in Runs(np.array(rows)).within(slice(start, stop)):
        out[own] = values[chosen]

    np.testing.assert_array_equal(out, rows[start:stop])


def test_no_bounds_mean_all_rows() -> None:
    ((chosen, own),) = Runs(np.arange(5, 9)).within(slice(None))
    assert (chosen, own) == (slice(5, 9), slice(0, 4))


@pytest.mark.parametrize(("step", "expected"), [(1, True), (2, False)])
def test_only_long_runs_are_worth_it(step: int, expected: bool) -> None:
    assert Runs(np.arange(0, step * 2 * LONG, step)).are_long is expected


def test_folds_become_slices() -> None:
    rows = np.random.default_rng(0).permutation(100)
    folds = [np.sort(part) for part in np.split(rows, 5)]

    place = np.argsort(grouped(folds, 100))

    for held_out in folds:
        train = np.setdiff1d(rows, held_out)
        assert np.ptp(place[held_out]) == len(held_out) - 1
        assert len([*Runs(np.sort(place[train])).within(slice(None))]) <= 2
