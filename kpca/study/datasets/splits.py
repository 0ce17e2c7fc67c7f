"""Train/test splits and subsamples of given rows: stratified, by group, or in order of time."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kpca.study.datasets.dataset import FloatArray, IntArray

BoolArray = NDArray[np.bool_]
TEST_SHARE = 0.3
TIME_SHARE = 0.5  # fraction of the rows that is tested in all expanding windows together
SAMPLED = 20  # smallest number of rows of a class in a sample, if it has so many
_GROUP_PARTS = 3  # number of parts into which groups are divided; each expanding window tests one
_GROUP_TRIALS = 25
_MOST_IMBALANCE = 0.1  # largest accepted difference of a class's test fraction from `test_share`


def allocate(counts: IntArray, total: int) -> IntArray:
    """Return how many of ``total`` rows each class gets, in proportion to its ``counts``.

    By the method of largest remainders, the shares sum to `total` and differ from exact
    proportion by less than one row per class.
    """
    quota = counts * (total / counts.sum())
    shares = np.floor(quota).astype(np.int64)
    first = np.argsort(shares - quota, kind="stable")[: total - shares.sum()]
    shares[first] += 1
    return shares


def sample_counts(counts: IntArray, total: int) -> IntArray:
    """Return the number of rows per class in a sample of `total` rows.

    The numbers are proportional to `counts`, except that a rare class keeps `SAMPLED` rows if
    `total` allows it.

    >>> sample_counts(np.array([4000, 1990, 10]), 1000)
    array([661, 329,  10])
    """
    least = np.minimum(counts, min(SAMPLED, total // len(counts)))
    shares = allocate(counts, total)
    rare = np.zeros(len(counts), dtype=bool)
    while (short := shares < least).any():
        rare |= short
        shares[rare] = least[rare]
        shares[~rare] = allocate(counts[~rare], total - int(least[rare].sum()))
    return shares


def held_out_counts(counts: IntArray, test_share: float) -> IntArray:
    """Return the number of test rows per class, in proportion to its rows.

    A class with two rows or more has rows in both the training and the test set.

    >>> held_out_counts(np.array([50, 2]), 0.3)
    array([15,  1])
    """
    share = allocate(counts, round(test_share * counts.sum()))
    return np.clip(share, np.minimum(1, counts - 1), np.maximum(counts - 1, 0))


def subsample(rng: np.random.Generator, y: IntArray, rows: int) -> IntArray:
    """Draw ``rows`` rows, with classes by `sample_counts`, and return their ascending indices."""
    return _draw(rng, y, sample_counts(np.bincount(y), rows))


def split_rows(
    rng: np.random.Generator, y: IntArray, test_share: float, groups: IntArray | None = None
) -> tuple[IntArray, IntArray]:
    """Return ascending indices of the training rows and of the test rows, which are all other rows.

    Labels y, of shape (n,), are integers from 0; if there are no labels, all are equal. No group
    is on both sides.
    """
    if groups is None:
        test = _draw(rng, y, held_out_counts(np.bincount(y), test_share))
    else:
        test = np.flatnonzero(_test_groups(rng, y, groups, test_share)[groups])
    return np.setdiff1d(np.arange(len(y)), test), test


def expanding_windows(
    time: FloatArray, windows: int, test_share: float, gap: int, groups: IntArray | None = None
) -> list[tuple[IntArray, IntArray]]:
    """Return (train, test) indices per window; all training rows are earlier than the test rows.

    The windows share the last rows, a fraction ``test_share`` of all, as test rows. Rows with the
    time of a window's first row are not used for training, and neither are the last ``gap`` rows
    before that time. With groups, each window tests a third of them and trains on the others, so
    that its test rows are later than its training rows and belong to other groups.
    """
    edges = np.linspace(len(time) - round(test_share * len(time)), len(time), windows + 1)
    drawn = [
        (np.arange(max(int(np.searchsorted(time, time[start])) - gap, 0)), np.arange(start, stop))
        for start, stop in pairwise(edges.round().astype(int).tolist())
    ]
    if groups is None:
        return drawn
    part = np.unique(groups, return_inverse=True)[1] % _GROUP_PARTS
    return [
        (train[part[train] != number % _GROUP_PARTS], test[part[test] == number % _GROUP_PARTS])
        for number, (train, test) in enumerate(drawn)
    ]


def _draw(rng: np.random.Generator, y: IntArray, counts: IntArray) -> IntArray:
    members = (np.flatnonzero(y == label) for label in range(len(counts)))
    drawn = [rng.permutation(rows)[:n] for rows, n in zip(members, counts, strict=True)]
    return np.sort(np.concatenate(drawn))


def _test_groups(
    rng: np.random.Generator, y: IntArray, groups: IntArray, test_share: float
) -> BoolArray:
    """Return randomly drawn test groups: the first acceptable result of several greedy passes.

    A pass is acceptable if each class is on both sides, with a test fraction near `test_share`. If
    no pass is acceptable, the best balanced one is taken. Always taking the best balanced one would
    select the same groups in every draw if there are few groups.
    """
    table = np.zeros((groups.max() + 1, y.max() + 1))
    np.add.at(table, (groups, y), 1)
    share = table / table.sum(axis=0)
    trials = []
    for _ in range(_GROUP_TRIALS):
        chosen = _greedy(rng.permutation(len(table)), share, test_share)
        held = share[chosen].sum(axis=0)
        training = share[~chosen].sum(axis=0)
        one_sided = np.sum(held == 0) + np.sum(training == 0)
        distance = np.abs(held - test_share).max()
        if not one_sided and distance <= _MOST_IMBALANCE:
            return chosen
        trials.append((one_sided, distance, chosen))
    return min(trials, key=lambda trial: trial[:2])[2]


def _greedy(order: IntArray, share: FloatArray, test_share: float) -> BoolArray:
    """Return the groups that, taken in ``order``, bring class fractions nearer `test_share`."""
    chosen = np.zeros(len(share), dtype=bool)
    taken = np.zeros(share.shape[1])
    for group in order:
        joined = taken + share[group]
        if np.sum((joined - test_share) ** 2) < np.sum((taken - test_share) ** 2):
            taken = joined
            chosen[group] = True
    return chosen
