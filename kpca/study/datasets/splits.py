"""Stratified, group-keeping train/test splits and subsamples of given rows."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kpca.study.datasets.dataset import FloatArray, IntArray

BoolArray = NDArray[np.bool_]
TEST_SHARE = 0.3
TIME_SHARE = 0.5  # fraction of ordered rows that is tested, all windows together
SAMPLED = 20  # rows of each class that a sample keeps at least, or all that the class has
_GROUP_PARTS = 3  # Each window of time tests one part.
_GROUP_TRIALS = 25
_MOST_IMBALANCE = 0.1  # largest difference of a class's test fraction from the one that is wanted


def allocate(counts: IntArray, total: int) -> IntArray:
    """Share `total` rows among classes in proportion to `counts`, by largest remainder.

    The shares sum to `total` and differ from exact proportion by less than one row per class.
    """
    quota = counts * (total / counts.sum())
    shares = np.floor(quota).astype(np.int64)
    first = np.argsort(shares - quota, kind="stable")[: total - shares.sum()]
    shares[first] += 1
    return shares


def sample_counts(counts: IntArray, total: int) -> IntArray:
    """Rows of each class in a sample: proportional, and `SAMPLED` of a rare class where they fit.

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
    """Test rows of each class: proportional, and each class on both sides where it can be.

    >>> held_out_counts(np.array([50, 2]), 0.3)
    array([15,  1])
    """
    share = allocate(counts, round(test_share * counts.sum()))
    return np.clip(share, np.minimum(1, counts - 1), np.maximum(counts - 1, 0))


def subsample(rng: np.random.Generator, y: IntArray, rows: int) -> IntArray:
    """Draw `rows` of the rows, of each class as `sample_counts` says; ascending indices."""
    return _draw(rng, y, sample_counts(np.bincount(y), rows))


def split_rows(
    rng: np.random.Generator, y: IntArray, test_share: float, groups: IntArray | None = None
) -> tuple[IntArray, IntArray]:
    """Split rows into training and test rows: ascending, disjoint, together all rows.

    Labels y, of shape (n,), count from 0, all equal without labels. No group is on both sides.
    """
    if groups is None:
        test = _draw(rng, y, held_out_counts(np.bincount(y), test_share))
    else:
        test = np.flatnonzero(_test_groups(rng, y, groups, test_share)[groups])
    return np.setdiff1d(np.arange(len(y)), test), test


def expanding_windows(
    time: FloatArray, windows: int, test_share: float, gap: int, groups: IntArray | None = None
) -> list[tuple[IntArray, IntArray]]:
    """Split rows in the order of time: each window is tested, and the rows before it train.

    The windows share the last rows, those of `test_share`, and do not overlap. The last `gap` rows
    before a window do not train, nor do rows with the time of its first row. With groups, a third
    of them is tested in each window, and the others train, so that later times of new groups are
    tested.
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
    """Draw test groups at random: the first acceptable one of several greedy passes.

    A pass is acceptable if each class is on both sides, near the wanted fraction. If none is, the
    best balanced one is taken, which would be the same each time if the groups are few.
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
    """Take each group that brings the class shares of the test rows nearer to `test_share`."""
    chosen = np.zeros(len(share), dtype=bool)
    taken = np.zeros(share.shape[1])
    for group in order:
        joined = taken + share[group]
        if np.sum((joined - test_share) ** 2) < np.sum((taken - test_share) ** 2):
            taken = joined
            chosen[group] = True
    return chosen
