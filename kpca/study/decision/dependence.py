"""Whether rows depend on each other, and how far random splits overrate a score because of it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from kpca.novelty import KernelPCANovelty
from kpca.study.datasets.dataset import Dataset, FloatArray, IntArray, Split
from kpca.study.decision.record import Decision
from kpca.study.evidence.held_out import row_influence
from kpca.study.evidence.selection import RAW_FEATURES
from kpca.study.fitting.fitted_models import fold_scores, splitter
from kpca.study.fitting.grid import Point
from kpca.study.monitoring.ordinary_rows import MOST_ROWS, gaussian
from kpca.study.scoring.evaluate import truth_of
from kpca.study.scoring.metrics import METRICS
from kpca.study.scoring.predictors import train
from kpca.study.seeds import sample

PERMUTATIONS = 199
LEAST_EXCESS = 0.05  # smallest share of rows above chance that counts
FEWEST_VALUES = 10  # of a column that may say which rows belong together
FEWEST_ROWS = 8  # of a class in which neighbours are sought
FIFTHS = 5  # parts of the rows by the size of a target, in each of which neighbours are sought
NOMINAL = 2.0  # how much more often equal values must occur than next ones, in units of chance
BLOCKS_OF_CLASS = 8  # of neighbouring rows within a class
BLOCKS = 20  # of neighbouring rows in the file
MOST_TESTED = 50  # columns whose equal values are compared with those of neighbours
MOST_COLUMNS = 3  # whose groups are scored
FOLDS = 5


@dataclass(frozen=True)
class Resemblance:
    """How often the nearest neighbour of a row belongs to it, compared with chance."""

    column: str = ""  # whose equal values say what belongs together; empty for the order of rows
    share: float = math.nan  # of the rows
    chance: float = math.nan  # the mean share after permutation
    by_chance_at_most: float = 1.0  # the largest share after permutation
    settles: bool = False  # whether rows with an equal value all have one class, as shares count

    @property
    def shown(self) -> bool:
        """Whether it is larger than after each permutation, and large enough to matter."""
        excess = self.share - self.chance
        return self.share > self.by_chance_at_most and excess >= LEAST_EXCESS


class Memory(NamedTuple):
    """Over how many rows those next to each other are alike."""

    length: float  # 1 if it is not shown
    rows: int
    by_time: bool  # whether a column of time orders the rows, so that models leave out blocks


@dataclass(frozen=True)
class Dependence:
    """A resemblance of rows, and the scores of the exported predictor by two kinds of folds."""

    resemblance: Resemblance
    by_rows: float = math.nan  # score of folds of random rows
    by_groups: float = math.nan  # of folds of whole groups, or of blocks of neighbouring rows
    allowed: float = math.nan  # margin of the metric, and standard error of the difference

    @property
    def harmful(self) -> bool:
        """Whether folds of random rows overrate the score."""
        return self.by_rows - self.by_groups > self.allowed


def dependence(
    dataset: Dataset, decision: Decision, point: Point, class_weight: str | None
) -> Dependence | None:
    """Return whether rows resemble those they belong to, and what that does to the score.

    A column of repeated values may settle the class of its rows, as the name of a subject does.
    Within each class, or fifth of a target, the nearest neighbour of a row should not stand next to
    it in the file, or have an equal value in a column of repeated values, more often than after a
    permutation. If it does, the predictor of the ``decision``, whose kernel is ``point``, is scored
    by folds of random rows and by folds of what belongs together. The first dependence that harms
    the score is returned, or else the first that is shown.

    None if replicates are no random splits, or if there is no score. The test extends that of
    Cummings, Snorrason, Mueller, "Detecting dataset drift and non-IID sampling via k-nearest
    neighbors" (2023), to classes and columns.
    """
    is_declared = dataset.groups is not None or dataset.time is not None
    is_random = not (dataset.independent or dataset.precomputed or is_declared)
    if not is_random or dataset.task == "none" or not decision.recommended:
        return None
    rows = dataset.whole()
    in_order, *columns = _resemblances(dataset, rows)
    # A column determines none with more values: that of persons comes before their age.
    columns.sort(key=lambda one: len(np.unique(_cells(dataset, one.column))), reverse=True)
    candidates = columns[:MOST_COLUMNS] + _settling(dataset)
    if in_order.shown:
        candidates.append(in_order)
    harmless = None
    for resemblance in candidates:
        groups = _groups(dataset, rows, resemblance.column)
        dependent = Dependence(resemblance, *_scored(rows, groups, decision, point, class_weight))
        if dependent.harmful:
            return dependent
        if not resemblance.settles:  # the class may follow from the size of the value
            harmless = harmless or dependent
    return harmless or Dependence(in_order)


def memory_of(dataset: Dataset) -> Memory | None:
    """Return over how many rows of at most `MOST_ROWS` those next to each other are alike.

    None for a kernel matrix, groups and generators, and for rows with labels or a target, whose
    order is not said to be that of time.
    """
    is_answered = dataset.task != "none" and dataset.time is None
    if dataset.precomputed or dataset.independent or dataset.groups is not None or is_answered:
        return None
    X = dataset.whole().X_train
    detector = KernelPCANovelty()
    detector.estimator_ = gaussian().fit(X[sample(len(X), MOST_ROWS)])
    detector._calibrate()
    return Memory(detector.memory_, len(detector.calibration_), dataset.time is not None)


def _strata(rows: Split) -> list[IntArray]:
    """Return the rows of each class, or fifth of the target, in the order of the file."""
    if rows.y_train is None:
        assert rows.target_train is not None
        rank = np.argsort(np.argsort(rows.target_train, kind="stable"))
        part = rank * FIFTHS // len(rank)
    else:
        part = rows.y_train
    members = (np.flatnonzero(part == number) for number in np.unique(part))
    return [rows_of_part for rows_of_part in members if len(rows_of_part) >= FEWEST_ROWS]


def _resemblances(dataset: Dataset, rows: Split) -> Iterator[Resemblance]:
    """Yield what the order of the rows says, then what columns say that group them."""
    strata = _strata(rows)
    if not strata:
        yield Resemblance()
        return
    rng = np.random.default_rng(0)
    neighbours = [_nearest(rows.X_train[members]) for members in strata]
    places = [np.arange(len(members)) for members in strata]
    yield _tested("", _counts(rng, places, neighbours, distance=1))
    for column in _repeated_columns(dataset):
        X = dataset.X.copy()
        # A constant in its place, since equal values of the column would make rows neighbours.
        X[:, column] = np.nanmax(X[:, column])
        without = replace(dataset, X=X).whole().X_train
        neighbours = [_nearest(without[members]) for members in strata]
        codes = np.unique(dataset.X[:, column], return_inverse=True)[1]
        values = [codes[members] for members in strata]
        equal = _counts(rng, values, neighbours, distance=0)
        resemblance = _tested(dataset.feature_names[column], equal)
        if not resemblance.shown:
            continue
        beside = _counts(rng, values, neighbours, distance=1) - equal
        # Near values of a measurement occur more often than by chance, too.
        equal_by_chance = equal[1:].mean()
        beside_by_chance = beside[1:].mean()
        is_nominal = equal[0] * beside_by_chance >= NOMINAL * beside[0] * equal_by_chance
        if resemblance.column in dataset.categories or is_nominal:
            yield resemblance


def _settling(dataset: Dataset) -> list[Resemblance]:
    """Return the first column of repeated values of which each has rows of one class alone.

    If classes change between next values at less than half of the rate by chance, the size of the
    value can tell the class, and the column is none that names subjects.
    """
    if dataset.y is None:
        return []
    labels = np.random.default_rng(0).permuted(np.tile(dataset.y, (PERMUTATIONS + 1, 1)), axis=1)
    labels[0] = dataset.y
    for column in _repeated_columns(dataset):
        _, first, codes = np.unique(dataset.X[:, column], return_index=True, return_inverse=True)
        of_value = pd.DataFrame(labels.T).groupby(codes)
        shares = (of_value.transform("min") == of_value.transform("max")).mean().to_numpy()
        of_values = dataset.y[first]
        changes = np.mean(np.diff(of_values) != 0)
        frequencies = np.bincount(of_values) / len(of_values)
        by_chance = 1 - frequencies @ frequencies
        resemblance = _tested(dataset.feature_names[column], shares)
        if resemblance.shown and resemblance.share == 1 and changes >= by_chance / 2:
            return [replace(resemblance, settles=True)]
    return []


def _nearest(X: FloatArray) -> IntArray:
    """Return the number of the nearest other row of each row."""
    from sklearn.neighbors import NearestNeighbors

    nearest = NearestNeighbors(n_neighbors=1).fit(X).kneighbors(return_distance=False)
    return np.asarray(nearest[:, 0])


def _counts(
    rng: np.random.Generator,
    values: Sequence[IntArray],
    neighbours: Sequence[IntArray],
    *,
    distance: int,
) -> FloatArray:
    """Return the share of rows whose neighbours have values within a distance.

    The first number is that of the rows, the others are those of permutations. There is one array
    of values, and one of the numbers of nearest neighbours, per class.
    """
    near = np.zeros(PERMUTATIONS + 1)
    for own, nearest in zip(values, neighbours, strict=True):
        permuted = rng.permuted(np.tile(own, (PERMUTATIONS, 1)), axis=1)
        listed = np.vstack([own, permuted])
        near += (np.abs(listed - listed[:, nearest]) <= distance).sum(axis=1)
    return near / sum(map(len, values))


def _tested(column: str, shares: FloatArray) -> Resemblance:
    """Return the resemblance of the rows, given with those of the permutations."""
    permuted = shares[1:]
    return Resemblance(column, float(shares[0]), float(permuted.mean()), float(permuted.max()))


def _repeated_columns(dataset: Dataset) -> list[int]:
    """Return the columns with many values, most of which stand in two or more rows.

    Of more than `MOST_TESTED` those with the most values: subjects are many.
    """
    values = {}
    for column in range(len(dataset.feature_names)):
        cells = dataset.X[:, column]
        _, times = np.unique(cells[~np.isnan(cells)], return_counts=True)
        if len(times) >= FEWEST_VALUES and 2 * np.count_nonzero(times > 1) > len(times):
            values[column] = len(times)
    return sorted(sorted(values, key=lambda column: -values[column])[:MOST_TESTED])


def _cells(dataset: Dataset, column: str) -> FloatArray:
    return dataset.X[:, dataset.feature_names.index(column)]


def _groups(dataset: Dataset, rows: Split, column: str) -> IntArray:
    """Return the groups of rows with equal values of a column, or blocks of neighbouring rows."""
    if column:
        return np.unique(_cells(dataset, column), return_inverse=True)[1]
    # Within classes, so that a file that is sorted by class has all of them on both sides.
    blocks = BLOCKS
    classes = pd.Series(0, range(len(dataset.X)))
    if rows.y_train is not None:
        blocks = BLOCKS_OF_CLASS
        classes = pd.Series(rows.y_train)
    of_class = classes.groupby(classes)
    return (
        classes * blocks + of_class.cumcount() * blocks // of_class.transform("size")
    ).to_numpy()


def _scored(
    rows: Split,
    groups: IntArray,
    decision: Decision,
    point: Point,
    class_weight: str | None,
) -> tuple[float, float, float]:
    """Return the scores by random rows and by groups, and how far they may differ."""
    X = rows.X_train
    metric = METRICS[decision.measure]
    truth, _ = truth_of(rows)
    scores = []
    moved = []
    for grouped in (False, True):
        splits = splitter(FOLDS, 0, classes=rows.y_train is not None, groups=grouped)
        folds = list(splits.split(X, rows.y_train, groups if grouped else None))
        if decision.recommended == RAW_FEATURES:
            sides = [(X[train_rows], X[test_rows]) for train_rows, test_rows in folds]
        else:
            sides = fold_scores(point, X, folds, n_components=decision.n_components)
        predicted = np.zeros_like(truth)
        for (train_rows, test_rows), (Z, Z_test) in zip(folds, sides, strict=True):
            options = decision.options(class_weight)
            predictor = train(decision.predictor, Z, truth[train_rows], options)
            predicted[test_rows] = predictor.predict(Z_test)
        scores.append(metric.measure(truth, predicted))
        moved.append(row_influence(decision.measure, truth, predicted))
    of_groups = np.bincount(groups, weights=moved[0] - moved[1])
    many = np.count_nonzero(np.bincount(groups))
    error = math.sqrt(many / (many - 1) * float(of_groups @ of_groups))
    return scores[0], scores[1], metric.margin + error
