"""Train/test splits, inner folds and subsamples of given rows.

They are stratified, by group, or in order of time.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca.study.datasets.dataset import FloatArray, IntArray, Split

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
    last = len(time) - 1  # A window without rows begins behind it.
    drawn = []
    for start, stop in pairwise(edges.round().astype(int).tolist()):
        earlier = int(np.searchsorted(time, time[min(start, last)]))
        drawn.append((np.arange(max(earlier - gap, 0)), np.arange(start, stop)))
    if groups is None:
        return drawn
    part = np.unique(groups, return_inverse=True)[1] % _GROUP_PARTS
    return [
        (train[part[train] != number % _GROUP_PARTS], test[part[test] == number % _GROUP_PARTS])
        for number, (train, test) in enumerate(drawn)
    ]


def draw_folds(split: Split, n_folds: int, seed: int) -> list[tuple[IntArray, IntArray]]:
    """Draw folds of the training rows: stratified and by group, or expanding windows of time."""
    if split.time_train is not None:
        time = split.time_train
        groups = split.groups_train
        return expanding_windows(time, n_folds, TIME_SHARE, split.gap, groups)
    y = split.y_train
    groups = split.groups_train
    drawn = splitter(n_folds, seed, classes=y is not None, groups=groups is not None)
    folds = list(drawn.split(split.X_train, y, groups))
    if y is None or groups is None or not any(one_class(y[train]) for train, _ in folds):
        return folds
    return _dealt(y, groups, n_folds)


def one_class(y: IntArray) -> bool:
    """Return whether labels have fewer than two classes."""
    return len(np.unique(y)) < 2


def _dealt(y: IntArray, groups: IntArray, n_folds: int) -> list[tuple[IntArray, IntArray]]:
    """Return folds to which groups are dealt in the order of their share of the rarest class.

    Each fold trains on at least two classes, if each class is in at least two groups.
    """
    classes, counts = np.unique(y, return_counts=True)
    number = np.unique(groups, return_inverse=True)[1]
    share = np.bincount(number, y == classes[counts.argmin()]) / np.bincount(number)
    place = np.argsort(np.argsort(-share, kind="stable"))
    fold = (place % n_folds)[number]
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(n_folds)]


def splitter(n_folds: int, seed: int, *, classes: bool, groups: bool) -> Any:
    """Return a shuffling splitter of scikit-learn: stratified for classes, by group for groups."""
    from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

    plain, grouped = (StratifiedKFold, StratifiedGroupKFold) if classes else (KFold, GroupKFold)
    kind: Any = grouped if groups else plain
    return kind(n_folds, shuffle=True, random_state=seed)


def sizes_within(sizes: Iterable[int], folds: Sequence[tuple[Any, Any]]) -> list[int]:
    """Return the numbers of components up to half of the rows of the smallest training fold.

    If all numbers are larger, this half replaces them.
    """
    half = max(min(len(train) for train, _ in folds) // 2, 1)
    return [m for m in sorted({*sizes}) if m <= half] or [half]


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
    """Return the groups that, taken in ``order``, bring class fractions nearer `test_share`.

    A group is not taken if fewer than two groups with one of its classes would be left, because
    each inner fold needs one to train and one to validate. Of two groups, one is left.
    """
    chosen = np.zeros(len(share), dtype=bool)
    taken = np.zeros(share.shape[1])
    left = np.count_nonzero(share, axis=0)
    least = np.clip(left - 1, 0, 2)
    for group in order:
        joined = taken + share[group]
        is_nearer = np.sum((joined - test_share) ** 2) < np.sum((taken - test_share) ** 2)
        if is_nearer and (left > least)[share[group] > 0].all():
            taken = joined
            left[share[group] > 0] -= 1
            chosen[group] = True
    return chosen
