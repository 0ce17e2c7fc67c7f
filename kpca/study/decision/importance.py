"""What drives the recommended predictor: how far its score falls if a column is permuted."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kpca.study.datasets.dataset import Dataset, FloatArray, IntArray, Split, feature_places
from kpca.study.decision.record import Decision
from kpca.study.decision.sentence import difference
from kpca.study.evidence.comparison import overlap_of
from kpca.study.evidence.described import describe
from kpca.study.evidence.selection import RAW_FEATURES
from kpca.study.evidence.statistics import compare_scores, interval
from kpca.study.fitting.fitted_models import estimator, resolve_gamma
from kpca.study.fitting.grid import Point
from kpca.study.scoring.evaluate import truth_of
from kpca.study.scoring.methods import unfitted
from kpca.study.scoring.metrics import METRICS, Metric
from kpca.study.seeds import sample

REPEATS = 5  # number of permutations of a column in each split
MOST_COLUMNS = 50  # largest number of columns, or parts of a spectrum, that are permuted
MOST_ROWS = 500  # largest number of held-out rows of a split that are used
MOST_NAMED = 3  # largest number of columns in the sentence
COLUMNS = [*("dataset", "column", "last_column", "importance", "low", "high")]
COLUMNS += ["direction", "direction_low", "direction_high", "toward"]


class _Refit(NamedTuple):
    """The exported setting, fitted to the training rows of a split, and test rows of this split."""

    steps: list[Any]
    X: FloatArray
    truth: np.ndarray
    places: IntArray  # column of X → index of the feature from which it is computed

    def correlations(self, parts: Sequence[IntArray], classes: int) -> FloatArray:
        """Return the rank correlation of each part of the features with each prediction.

        The shape is (parts, predictions). With classes, prediction j is whether class j is
        predicted.
        """
        from scipy.stats import rankdata
        from sklearn.pipeline import make_pipeline

        predicted = make_pipeline(*self.steps).predict(self.X)[:, None]
        if classes:
            predicted = predicted == np.arange(classes)
        columns = [self.X[:, np.isin(self.places, part)].mean(axis=1) for part in parts]
        ranks = rankdata(np.column_stack([*columns, predicted]), axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):  # A constant has no correlation.
            tied = np.asarray(np.corrcoef(ranks, rowvar=False))
        return np.nan_to_num(tied[: len(parts), len(parts) :])

    def scores(
        self, parts: Sequence[IntArray], metric: Metric, seed: int
    ) -> tuple[float, FloatArray]:
        """Return the score of the test rows, and the scores if one part of features is permuted."""
        from sklearn.inspection import permutation_importance
        from sklearn.pipeline import Pipeline, make_pipeline
        from sklearn.preprocessing import FunctionTransformer

        part_of = np.full(self.places.max() + 1, -1)
        for number, part in enumerate(parts):
            part_of[part] = number
        source = part_of[self.places]
        moved = np.flatnonzero(source >= 0)

        def rows(numbers: IntArray) -> FloatArray:
            X = self.X.copy()
            X[:, moved] = self.X[numbers[:, source[moved]], moved]
            return X

        def score(model: Pipeline, numbers: IntArray, truth: np.ndarray) -> float:
            return metric.measure(truth, model.predict(numbers))

        # Indices of rows are permuted instead of values, so that all columns of a category, or of a
        # part of a spectrum, move together.
        numbers = np.tile(np.arange(len(self.X))[:, None], len(parts))
        model = make_pipeline(FunctionTransformer(rows), *self.steps)
        drops = permutation_importance(
            model, numbers, self.truth, scoring=score, n_repeats=REPEATS, random_state=seed
        ).importances_mean
        whole = score(model, numbers, self.truth)
        return whole, whole - drops


def importance(
    dataset: Dataset, decision: Decision, point: Point, class_weight: str | None
) -> pd.DataFrame:
    """Return the permutation importance of the columns of a table, measured on held-out rows.

    The exported setting is fitted to each training set. The importance of a column is how far the
    score of the test rows falls if its values are permuted, with the 95 % CI of `compare_scores`
    over the splits. The direction is the rank correlation of the column with the prediction. With
    classes, it is the correlation with whether the class ``toward`` is predicted; ``toward`` is the
    class for which this correlation is largest. A column of categories has no direction.

    If there are more than `MOST_COLUMNS` columns, and their names are increasing or decreasing
    numbers, as in a spectrum, neighbouring columns are permuted together, from ``column`` to
    ``last_column``. If the names are not such numbers, only the columns with the largest
    correlations are permuted.

    Parameters
    ----------
    dataset : Dataset
        Dataset with its splits, and labels or a target.
    decision : Decision
        The row of ``tables/decisions.csv``.
    point : Point
        The kernel of the exported model.
    class_weight : {"balanced"} or None
        Class weight of the predictor.

    Returns
    -------
    DataFrame
        The columns of ``tables/importance.csv``.
    """
    refits = []
    for number, (train, _) in enumerate(dataset.splits):
        split = dataset.split(number)
        rows = sample(len(split.X_test), MOST_ROWS)
        steps = _fitted(split, decision, point, class_weight)
        truth = truth_of(split)[1][rows]
        refits.append(_Refit(steps, split.X_test[rows], truth, feature_places(dataset, train)))
    names = dataset.feature_names
    classes = len(dataset.class_names)
    parts: list[IntArray] = [*np.arange(len(names))[:, None]]
    if len(names) > MOST_COLUMNS and are_positions(names):
        parts = np.array_split(np.arange(len(names)), MOST_COLUMNS)
    tied = np.array([refit.correlations(parts, classes) for refit in refits])
    if len(parts) > MOST_COLUMNS:
        strength = np.abs(tied.mean(axis=0)).max(axis=1)
        strongest = np.sort(np.argsort(-strength, kind="stable")[:MOST_COLUMNS])
        parts = [parts[at] for at in strongest]
        tied = tied[:, strongest]
    metric = METRICS[decision.measure]
    scored = [refit.scores(parts, metric, seed) for seed, refit in enumerate(refits)]
    whole, permuted = (np.array(values) for values in zip(*scored, strict=True))
    overlap = overlap_of(describe(dataset))
    table = []
    for at, part in enumerate(parts):
        first = names[part[0]]
        last = names[part[-1]]
        drop = compare_scores(whole, permuted[:, at], overlap)
        best = int(tied[:, at].mean(axis=0).argmax())
        direction = interval(tied[:, at, best], test_over_train=overlap, limits=(-1.0, 1.0))[:3]
        toward = dataset.class_names[best] if classes else ""
        if first in dataset.categories:
            direction = (math.nan, math.nan, math.nan)
            toward = ""
        table.append((dataset.name, first, last, *drop[:3], *direction, toward))
    return pd.DataFrame(table, columns=COLUMNS)


def _fitted(split: Split, decision: Decision, point: Point, class_weight: str | None) -> list[Any]:
    """Return the steps of the exported setting, fitted to the training rows of a split."""
    Z = split.X_train
    steps = []
    if decision.recommended != RAW_FEATURES:
        size = decision.n_components
        steps = [estimator(point, resolve_gamma(point, Z), n_components=size)]
        Z = steps[0].fit_transform(Z)
    truth, _ = truth_of(split)
    return [*steps, unfitted(decision.predictor, Z, decision.options(class_weight)).fit(Z, truth)]


def are_positions(names: Sequence[str]) -> bool:
    """Return whether names are increasing or decreasing numbers, such as wavelengths.

    >>> are_positions(["850", "850.5", "851"]), are_positions(["a", "b"]), are_positions(["1", "1"])
    (True, False, False)
    """
    try:
        steps = np.diff([float(name) for name in names])
    except ValueError:
        return False
    return len(steps) > 1 and bool((steps > 0).all() or (steps < 0).all())


def importance_sentence(table: pd.DataFrame, decision: Decision) -> str:
    """Return a sentence on which columns drive the prediction; empty without intervals."""
    if table.empty or not decision.sentence_predict or table["low"].isna().all():
        return ""
    shown = table[table["low"] > 0].sort_values("importance", ascending=False, kind="stable")
    if shown.empty:
        return (
            "No column alone is shown to drive the prediction: others may hold the same "
            "information, or there are too few splits."
        )
    first, *others = importance_words(shown, decision.measure).head(MOST_NAMED).to_numpy()
    measure = METRICS[decision.measure].words
    text = f"{first[0]} drives the prediction most: permuted, {measure} falls by {first[1]}"
    if first[2]:
        text += f", and {first[2]}"
    if others:
        names = " and ".join(row[0] for row in others)
        text += f"; {names} {'are' if len(others) > 1 else 'is'} shown to matter, too"
    return f"{text}."


def importance_words(table: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return the columns of a table with their importance and direction in words."""
    rows = []
    for row in table.to_dict("records"):
        name = repr(str(row["column"]))
        if row["last_column"] != row["column"]:
            name += f" to {str(row['last_column'])!r}"
        size = difference(measure, row["importance"], row["low"], row["high"])
        rows.append((name, size, _direction(row)))
    return pd.DataFrame(rows, columns=["column", "importance", "direction"])


def _direction(row: Mapping[Any, Any]) -> str:
    """Return which predictions go with higher values of a column; empty if that is not shown."""
    if row["direction_low"] > 0:
        return f"higher values go with {row['toward'] or 'higher predictions'}"
    if row["direction_high"] < 0:
        return "higher values go with lower predictions"
    return ""
