"""Evaluate a representation on one split: cross-validation inside, then the test rows once."""

from __future__ import annotations

import itertools
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
    inner: Sequence[dict[int, Scores]] | None = None,
) -> list[Row]:
    """Return every outcome on training, validation and test rows.

    Parameters
    ----------
    problem : Problem
        The replicate.
    embedding : callable
        The representation; fitted anew on every inner training fold, where ``inner`` is unknown.
    settings : Settings
        Grids of m and C.
    downstream : sequence of callables, optional
        By default those of the task.
    outer : dict, optional
        Scores of the outer split, where they are known already.
    inner : sequence of dict, optional
        Scores of every inner fold, where they are known already.

    Returns
    -------
    list of (m, Outcome)
        ``split`` is train, test, or cv: the mean over the validation folds.
    """
    from sklearn import config_context

    methods = BY_TASK[problem.task] if downstream is None else tuple(downstream)
    split, (truth_train, truth_test) = problem.split, problem.truth
    # The data were checked when they were read; checking them at each of a hundred thousand
    # small fits would take longer than the fits.
    with config_context(assume_finite=True, skip_parameter_validation=True):
        if outer is None:
            outer = embedding(split.X_train, split.X_test, split.y_train)
        if inner is None:
            inner = [_embedded(problem, embedding, *fold) for fold in problem.folds]
        whole = _View(truth_train, truth_test, split.X_test)
        rows = list(_outcomes(problem, outer, whole, methods, settings))
        folds = [
            list(_fold_outcomes(problem, scores, *fold, methods, settings))
            for scores, fold in zip(inner, problem.folds, strict=True)
        ]
    return rows + _means(folds)


def as_arrays(rows: Iterable[Row]) -> Arrays:
    """Return rows as columns, for a store."""
    listed = [(m, *outcome) for m, outcome in rows]
    columns = zip(*listed, strict=True) if listed else [()] * len(COLUMNS)
    kinds = (np.int64, np.str_, np.float64, np.str_, np.str_, np.float64)
    return {
        name: np.array(column, dtype=kind)
        for name, column, kind in zip(COLUMNS, columns, kinds, strict=True)
    }


@dataclass(frozen=True)
class _View:
    """What is known of the two sides of a split, beside their scores."""

    truth_train: np.ndarray | None
    truth_test: np.ndarray | None
    X_test: np.ndarray
    inner: bool = False


def _outcomes(
    problem: Problem,
    scores: dict[int, Scores],
    view: _View,
    methods: Sequence[Downstream],
    settings: Settings,
) -> Iterator[Row]:
    for m, (Z_train, Z_test) in scores.items():
        fold = Fold(Z_train, Z_test, **vars(view), seed=problem.seed)
        for method in methods:
            for outcome in method(fold, settings):
                yield m, outcome


def _embedded(
    problem: Problem, embedding: Embedding, train: Index, held_out: Index
) -> dict[int, Scores]:
    """Fit a representation to the training rows of an inner fold."""
    X_fit, X_held_out = _inner_rows(problem.split, train, held_out)
    return embedding(X_fit, X_held_out, _rows(problem.split.y_train, train))


def _fold_outcomes(
    problem: Problem,
    scores: dict[int, Scores],
    train: Index,
    held_out: Index,
    methods: Sequence[Downstream],
    settings: Settings,
) -> Iterator[Row]:
    truth, _ = problem.truth
    X_held_out = _inner_rows(problem.split, train, held_out)[1]
    view = _View(_rows(truth, train), _rows(truth, held_out), X_held_out, inner=True)
    return _outcomes(problem, scores, view, methods, settings)


def _means(folds: Sequence[list[Row]]) -> list[Row]:
    """Average over the folds what all of them have, as split ``cv``."""
    by_setting: dict[tuple[object, ...], list[Row]] = {}
    for m, outcome in itertools.chain.from_iterable(folds):
        setting = (m, outcome.method, str(outcome.C), outcome.metric)
        by_setting.setdefault(setting, []).append((m, outcome))
    rows = []
    for same in by_setting.values():
        if len(same) == len(folds):
            m, outcome = same[0]
            value = float(np.mean([other.value for _, other in same]))
            rows.append((m, outcome._replace(split="cv", value=value)))
    return rows


def _inner_rows(split: Split, train: Index, held_out: Index) -> tuple[np.ndarray, np.ndarray]:
    """Cut training rows; of a kernel matrix, its blocks."""
    if split.precomputed:
        return split.X_train[np.ix_(train, train)], split.X_train[np.ix_(held_out, train)]
    return split.X_train[train], split.X_train[held_out]


def _rows(values: np.ndarray | None, index: Index) -> np.ndarray | None:
    return None if values is None else values[index]
