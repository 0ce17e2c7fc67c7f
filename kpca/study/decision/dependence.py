"""Whether rows depend on each other, and by how much random splits then overrate a score.

Two rows belong together if they have an equal value in some column, as rows of one subject do, or
if they are next to each other in the file.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from kpca.folds import Folds
from kpca.novelty import KernelPCANovelty
from kpca.study.datasets.dataset import Dataset, FloatArray, IntArray, Split
from kpca.study.datasets.sizes import GROUPS_OF_CLASS, LEAST_FOLDS
from kpca.study.datasets.splits import draw_folds, one_class
from kpca.study.decision.record import Decision
from kpca.study.evidence.held_out import row_influence
from kpca.study.evidence.selection import RAW_FEATURES
from kpca.study.fitting.fitted_models import fold_scores
from kpca.study.fitting.grid import Point
from kpca.study.monitoring.ordinary_rows import MOST_ROWS, gaussian
from kpca.study.scoring.evaluate import truth_of
from kpca.study.scoring.metrics import METRICS
from kpca.study.scoring.predictors import train
from kpca.study.seeds import sample

PERMUTATIONS = 199
LEAST_EXCESS = 0.05  # smallest `share` − `chance` of a `Resemblance` that counts
FEWEST_VALUES = 10  # smallest number of values of a column by which rows can belong together
FEWEST_ROWS = 8  # smallest number of rows of a class within which neighbours are searched
FIFTHS = 5  # number of parts, cut by the target, within which neighbours are searched
# A numeric column counts as nominal if neighbours have equal values at least this many times as
# often as adjacent values, where both frequencies are relative to chance.
NOMINAL = 2.0
BLOCKS_OF_CLASS = 8  # number of blocks of neighbouring rows within a class
BLOCKS = 20  # number of blocks of neighbouring rows in the file
MOST_TESTED = 50  # largest number of columns with repeated values that are tested
MOST_COLUMNS = 3  # largest number of columns whose groups are scored
FOLDS = 5


@dataclass(frozen=True)
class Resemblance:
    """How often a row and its nearest neighbour belong together, compared with chance."""

    column: str = ""  # rows with equal values in it belong together; "" if adjacent rows do
    share: float = math.nan  # fraction of the rows that belong together with the nearest neighbour
    chance: float = math.nan  # the mean share after permutation
    by_chance_at_most: float = 1.0  # the largest share after permutation
    # Whether the column determines the class, because each of its values occurs in one class only.
    # `share` and `chance` are then the fractions of the rows with such values.
    settles: bool = False

    @property
    def shown(self) -> bool:
        """Whether the share is larger than after each permutation, and by enough to matter."""
        excess = self.share - self.chance
        return self.share > self.by_chance_at_most and excess >= LEAST_EXCESS


class Memory(NamedTuple):
    """How many neighbouring rows are alike."""

    length: float  # number of neighbouring rows that are alike; 1 if that is not shown
    rows: int  # number of rows in which this was measured
    by_time: bool  # whether a column of time orders the rows; models then leave out blocks of rows


@dataclass(frozen=True)
class Dependence:
    """A resemblance of rows, and the scores of the exported predictor by two kinds of folds."""

    resemblance: Resemblance
    by_rows: float = math.nan  # score by folds of random rows
    by_groups: float = math.nan  # score by folds of whole groups, or of blocks of neighbouring rows
    allowed: float = math.nan  # margin of the metric plus standard error of the difference
    fewest_groups: int = GROUPS_OF_CLASS  # number of groups of the class that lies in the fewest

    @property
    def harmful(self) -> bool:
        """Whether folds of random rows overrate the score."""
        return self.by_rows - self.by_groups > self.allowed


def dependence(
    dataset: Dataset, decision: Decision, point: Point, class_weight: str | None
) -> Dependence | None:
    """Return how rows depend on each other, and how much this changes the score of the predictor.

    Rows depend on each other if, more often than after a permutation, the nearest neighbour of a
    row stands next to it in the file, or shares its value in a column of repeated values.
    Neighbours are searched within each class, or within each of five parts of a target. A column of
    repeated values may also determine the class of its rows, as the name of a subject does.

    For each such finding, the predictor of ``decision``, whose kernel is ``point``, is scored
    twice: by folds of random rows, and by folds that keep together the rows that belong together.
    The first dependence that harms the score is returned. If none does, it is the first that is
    shown. A column whose folds would train on one class only is skipped.

    The result is None if replicates are not random splits, or if there is no score. The test
    extends that of Cummings, Snorrason, Mueller, "Detecting dataset drift and non-IID sampling via
    k-nearest neighbors" (2023), to classes and columns.
    """
    is_declared = dataset.groups is not None or dataset.time is not None
    is_random = not (dataset.independent or dataset.precomputed or is_declared)
    if not is_random or dataset.task == "none" or not decision.recommended:
        return None
    rows = dataset.whole()
    in_order, *columns = _resemblances(dataset, rows)
    # Columns with more values come first, because a column cannot determine another one that has
    # more values: persons determine their age, but not the reverse.
    columns.sort(key=lambda one: len(np.unique(_cells(dataset, one.column))), reverse=True)
    candidates = columns[:MOST_COLUMNS] + _settling(dataset)
    if in_order.shown:
        candidates.append(in_order)
    harmless = None
    for resemblance in candidates:
        groups = _groups(dataset, rows, resemblance.column)
        random, grouped = (_folds(rows, units) for units in (None, groups))
        if rows.y_train is not None and any(one_class(rows.y_train[train]) for train, _ in grouped):
            continue  # No predictor can be trained, because a class lies in one group.
        scored = _scored(rows, (random, grouped), groups, decision, point, class_weight)
        dependent = Dependence(resemblance, *scored, _fewest_groups(rows, groups))
        if dependent.harmful:
            return dependent
        # A column can also determine the class by the size of its values, without any dependence
        # of rows. Therefore such a column counts only if it is harmful.
        if not resemblance.settles:
            harmless = harmless or dependent
    return harmless or Dependence(in_order)


def memory_of(dataset: Dataset) -> Memory | None:
    """Return how many neighbouring rows are alike, by a novelty model of at most `MOST_ROWS` rows.

    The result is None for a kernel matrix, for groups and for generators, and also if there are
    labels or a target but no time, because the order of the rows then has no known meaning.
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
    """Return the rows of each class, or of five parts of a target, in the order of the file.

    The rows are sorted by the target and cut into parts of equal size. A class or part with fewer
    than `FEWEST_ROWS` rows is left out.
    """
    if rows.y_train is None:
        assert rows.target_train is not None
        rank = np.argsort(np.argsort(rows.target_train, kind="stable"))
        part = rank * FIFTHS // len(rank)
    else:
        part = rows.y_train
    members = (np.flatnonzero(part == number) for number in np.unique(part))
    return [rows_of_part for rows_of_part in members if len(rows_of_part) >= FEWEST_ROWS]


def _resemblances(dataset: Dataset, rows: Split) -> Iterator[Resemblance]:
    """Yield the resemblance by the order of the rows, then one for each column that groups rows."""
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
        # Make the column constant, because its equal values would make rows neighbours.
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
        # In a measurement, neighbours also have adjacent values more often than by chance. In a
        # nominal column they do not.
        equal_by_chance = equal[1:].mean()
        beside_by_chance = beside[1:].mean()
        is_nominal = equal[0] * beside_by_chance >= NOMINAL * beside[0] * equal_by_chance
        if resemblance.column in dataset.categories or is_nominal:
            yield resemblance


def _settling(dataset: Dataset) -> list[Resemblance]:
    """Return a list with the first column of repeated values that determine the class, if any.

    Each value of such a column occurs in one class only. The size of a value can tell the class if
    the class changes between adjacent values less than half as often as by chance. Such a column
    does not name subjects, and is skipped.
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
    """Return the index of the nearest other row for each row."""
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
    """Return the share of rows whose nearest neighbour has a value at most ``distance`` away.

    The first share is that of the values as they are, and the others are those of permuted values.
    Per class, there is one array in ``values``, and one of row indices in ``neighbours``.
    """
    near = np.zeros(PERMUTATIONS + 1)
    for own, nearest in zip(values, neighbours, strict=True):
        permuted = rng.permuted(np.tile(own, (PERMUTATIONS, 1)), axis=1)
        listed = np.vstack([own, permuted])
        near += (np.abs(listed - listed[:, nearest]) <= distance).sum(axis=1)
    return near / sum(map(len, values))


def _tested(column: str, shares: FloatArray) -> Resemblance:
    """Return the resemblance; ``shares`` are the observed share, then those of permutations."""
    permuted = shares[1:]
    return Resemblance(column, float(shares[0]), float(permuted.mean()), float(permuted.max()))


def _repeated_columns(dataset: Dataset) -> list[int]:
    """Return the indices of columns with many values, most of which occur in two or more rows.

    If there are more than `MOST_TESTED` such columns, those with the most values are returned,
    because a dataset usually has many subjects.
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
    """Return the group of each row: by its value of ``column``, or by blocks if that is ""."""
    if column:
        return np.unique(_cells(dataset, column), return_inverse=True)[1]
    # Blocks are made within classes, so that all classes are on both sides of a fold even if the
    # file is sorted by class.
    blocks = BLOCKS
    classes = pd.Series(0, range(len(dataset.X)))
    if rows.y_train is not None:
        blocks = BLOCKS_OF_CLASS
        classes = pd.Series(rows.y_train)
    of_class = classes.groupby(classes)
    return (
        classes * blocks + of_class.cumcount() * blocks // of_class.transform("size")
    ).to_numpy()


def _folds(rows: Split, groups: IntArray | None) -> Folds:
    """Return at most `FOLDS` folds, and no more than the smallest class has rows."""
    n_folds = FOLDS
    if rows.y_train is not None:
        smallest = np.unique(rows.y_train, return_counts=True)[1].min()
        n_folds = max(min(FOLDS, int(smallest)), LEAST_FOLDS)
    return draw_folds(replace(rows, groups_train=groups), n_folds, seed=0)


def _fewest_groups(rows: Split, groups: IntArray) -> int:
    """Return the number of groups in which the least widespread class lies."""
    of_class = np.zeros(len(groups)) if rows.y_train is None else rows.y_train
    return int(pd.Series(groups).groupby(of_class).nunique().min())


def _scored(
    rows: Split,
    of_units: Sequence[Folds],
    groups: IntArray,
    decision: Decision,
    point: Point,
    class_weight: str | None,
) -> tuple[float, float, float]:
    """Return the score by random folds, the score by folds of groups, and the allowed difference.

    ``of_units`` are both kinds of folds. The allowed difference is the margin of the metric plus
    the standard error of the difference.
    """
    X = rows.X_train
    metric = METRICS[decision.measure]
    truth, _ = truth_of(rows)
    scores = []
    moved = []
    for folds in of_units:
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
