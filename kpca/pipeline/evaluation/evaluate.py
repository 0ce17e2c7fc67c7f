"""Evaluate a representation on one split: cross-validation inside, then the test rows once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kpca.pipeline.datasets.dataset import Split
from kpca.pipeline.evaluation.downstream import BY_TASK, Downstream, Fold, Outcome
from kpca.pipeline.evaluation.embeddings import Embedding, Scores
from kpca.pipeline.evaluation.settings import Settings
from kpca.pipeline.store import Arrays

COLUMNS = ("n_components", "method", "C", "metric", "split", "value")

Row = tuple[int, Outcome]
Index = np.ndarray


@dataclass(frozen=True)
class Problem:
    """One replicate with its inner folds, the same for every method.

    Attributes
    ----------
    split : Split
        Training and test rows.
    folds : sequence of (train, validation)
        Row numbers within the training rows.
    seed : int
        Seed of k-means and the like.
    """

    split: Split
    folds: Sequence[tuple[Index, Index]]
    seed: int

    @property
    def task(self) -> str:
        """What can be evaluated: classification, regression or none."""
        if self.split.y_train is not None:
            return "classification"
        return "none" if self.split.target_train is None else "regression"

    @property
    def truth(self) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Labels or targets of the training and test rows."""
        split = self.split
        if self.task == "classification":
            return split.y_train, split.y_test
        return split.target_train, split.target_test


def make_problem(split: Split, n_folds: int, *, seed: int) -> Problem:
    """Draw the inner folds: stratified by class, groups together."""
    from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

    grouped, labelled = split.groups_train is not None, split.y_train is not None
    kind = {
        (False, False): KFold,
        (False, True): StratifiedKFold,
        (True, False): GroupKFold,
        (True, True): StratifiedGroupKFold,
    }[grouped, labelled]
    folds = kind(n_folds, shuffle=True, random_state=seed).split(
        split.X_train, split.y_train, split.groups_train
    )
    return Problem(split, list(folds), seed)


def evaluate(
    problem: Problem,
    embedding: Embedding,
    settings: Settings,
    *,
    downstream: Sequence[Downstream] | None = None,
    outer: dict[int, Scores] | None = None,
) -> list[Row]:
    """Return every outcome on training, validation and test rows.

    Parameters
    ----------
    problem : Problem
        The replicate.
    embedding : callable
        The representation; fitted anew on every inner training fold.
    settings : Settings
        Grids of m and C.
    downstream : sequence of callables, optional
        By default those of the task.
    outer : dict, optional
        Scores of the outer split, where they are known already.

    Returns
    -------
    list of (m, Outcome)
        ``split`` is train, test, or cv: the mean over the validation folds.
    """
    methods = BY_TASK[problem.task] if downstream is None else tuple(downstream)
    split, (truth_train, truth_test) = problem.split, problem.truth
    if outer is None:
        outer = embedding(split.X_train, split.X_test, split.y_train)
    rows = list(_outcomes(problem, outer, truth_train, truth_test, split.X_test, methods, settings))
    validation: dict[tuple[int, str, float, str], list[float]] = {}
    for train, held_out in problem.folds:
        X_fit, X_held_out = _inner_rows(split, train, held_out)
        labels = None if split.y_train is None else split.y_train[train]
        scores = embedding(X_fit, X_held_out, labels)
        sides = (_rows(truth_train, train), _rows(truth_train, held_out))
        for m, outcome in _outcomes(problem, scores, *sides, X_held_out, methods, settings):
            if outcome.split == "test":
                C = -1.0 if math.isnan(outcome.C) else outcome.C
                key = (m, outcome.method, C, outcome.metric)
                validation.setdefault(key, []).append(outcome.value)
    return rows + list(_validation_rows(validation))


def as_arrays(rows: Iterable[Row]) -> Arrays:
    """Return rows as columns, for a store."""
    listed = [(m, *outcome) for m, outcome in rows]
    columns = zip(*listed, strict=True) if listed else [()] * len(COLUMNS)
    kinds = (np.int64, np.str_, np.float64, np.str_, np.str_, np.float64)
    return {
        name: np.array(column, dtype=kind)
        for name, column, kind in zip(COLUMNS, columns, kinds, strict=True)
    }


def _outcomes(
    problem: Problem,
    scores: dict[int, Scores],
    truth_train: np.ndarray | None,
    truth_test: np.ndarray | None,
    X_test: np.ndarray,
    methods: Sequence[Downstream],
    settings: Settings,
) -> Iterator[Row]:
    for m, (Z_train, Z_test) in scores.items():
        fold = Fold(Z_train, Z_test, truth_train, truth_test, X_test, problem.seed)
        for method in methods:
            for outcome in method(fold, settings):
                yield m, outcome


def _validation_rows(collected: dict[tuple[int, str, float, str], list[float]]) -> Iterator[Row]:
    for (m, method, C, metric), values in collected.items():
        known_C = math.nan if C < 0 else C
        yield m, Outcome(method, known_C, metric, "cv", float(np.mean(values)))


def _inner_rows(split: Split, train: Index, held_out: Index) -> tuple[np.ndarray, np.ndarray]:
    """Cut training rows; of a kernel matrix, its blocks."""
    if split.precomputed:
        return split.X_train[np.ix_(train, train)], split.X_train[np.ix_(held_out, train)]
    return split.X_train[train], split.X_train[held_out]


def _rows(values: np.ndarray | None, index: Index) -> np.ndarray | None:
    return None if values is None else values[index]
