"""Evaluate a setting on one replicate: cross-validation inside, then the test rows once."""

import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from kpca.folds import Folds
from pipeline.datasets.dataset import Dataset, Split
from pipeline.evaluation import embeddings
from pipeline.evaluation.downstream import METHODS, Fold
from pipeline.evaluation.embeddings import Scores
from pipeline.evaluation.settings import RAW, Cell, Outcome, Settings, main_method
from pipeline.fitted_models import arguments, components_for, stored_model, training_scores
from pipeline.grid import Point
from pipeline.store import Arrays


@dataclass(frozen=True)
class Problem:
    """One replicate with its inner folds, the same for every method.

    The folds hold row numbers within the training rows; the seed is that of k-means and the like.
    """

    split: Split
    folds: Folds
    seed: int

    @cached_property
    def rows(self) -> Dataset:
        """The training rows, with the folds as their splits."""
        own = self.split
        return Dataset(
            X=own.X_train,
            y=own.y_train,
            target=own.target_train,
            precomputed=own.precomputed,
            splits=tuple(self.folds),
        )

    def bounded(self, m: int) -> int:
        """Return m, or without labels and target at most the number of columns less one.

        With as many components as columns the linear kernel only rotates the rows, and keeps
        every neighbourhood.
        """
        most = max(self.split.X_train.shape[1] - 1, 1)
        return min(m, most) if self.rows.task == "none" else m

    @cached_property
    def sides(self) -> list[Split]:
        """The whole split, then every fold as a split of its own."""
        return [self.split, *map(self.rows.split, range(len(self.folds)))]


def make_problem(split: Split, n_folds: int, *, seed: int) -> Problem:
    """Draw the inner folds: stratified by class, groups together."""
    y, groups = split.y_train, split.groups_train
    folds = splitter(n_folds, seed, classes=y is not None, groups=groups is not None)
    return Problem(split, list(folds.split(split.X_train, y, groups)), seed)


def splitter(n_folds: int, seed: int, *, classes: bool, groups: bool) -> Any:
    """Return scikit-learn's shuffled folds: stratified by class, groups together."""
    from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

    plain, grouped = (StratifiedKFold, StratifiedGroupKFold) if classes else (KFold, GroupKFold)
    kind: Any = grouped if groups else plain
    return kind(n_folds, shuffle=True, random_state=seed)


def evaluate_cell(
    problem: Problem,
    cell: Cell,
    settings: Settings,
    fit: Arrays | None = None,
    *,
    only: Collection[str] | None = None,
) -> Arrays:
    """Return all scores of a setting as columns, and the facts about it.

    They are those of the whole split and, as ``cv``, the mean over the folds if all of them have
    the same number of components. A kernel PCA comes with its ``fit``. ``only`` names the methods
    that are scored; None means all methods of the cell. The facts are the parameters of the kernel,
    what the variance asks for, and how many fits stopped before they converged.
    """
    sizes = settings.components_up_to(problem.bounded(max(settings.n_components)))
    settings = replace(settings, n_components=tuple(sizes))
    following = cell.methods(problem.rows.task, settings)
    methods = [name for name in following if only is None or name in only]
    parameters = {} if cell.point.callable else arguments(cell.point, problem.split.X_train)
    facts = {name: float(value) for name, value in parameters.items()}
    if cell.kind == "kernel":
        sides, variance = _kernel_pca(problem, cell.point, facts.get("gamma"), settings, fit)
        facts |= variance
    else:
        sides = [_represented(side, cell, settings) for side in problem.sides]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = _scored(problem, sides, methods, settings, facts.get("gamma", np.nan))
    others = [one for one in caught if not issubclass(one.category, ConvergenceWarning)]
    for one in others:
        warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    facts |= {"unconverged": len(caught) - len(others)}
    return as_arrays(rows) | {name: np.array(value) for name, value in facts.items()}


def validate_cell(problem: Problem, cell: Cell, settings: Settings) -> Arrays:
    """Return the validation scores of a setting on rows of which none are held out for a test.

    They are those of the method that a kernel is chosen by, an SVM at its first scaling, and of
    every predictor on raw features. Every number of components counts that all folds have: there is
    no fit to all rows to compare with.
    """
    main = [main_method(problem.rows.task, settings)]
    only = RAW if cell.kind in ("raw", "gaussian") else main
    return evaluate_cell(problem, cell, settings, only=only)


def as_arrays(rows: Sequence[Outcome]) -> Arrays:
    """Return outcomes as columns, for a store."""
    return {
        name: np.array([getattr(row, name) for row in rows], dtype=kind)
        for name, kind in Outcome.__annotations__.items()
    }


def truth_of(split: Split) -> tuple[Any, Any]:
    """Return labels, else targets, of the training and test rows."""
    if split.y_train is not None:
        return split.y_train, split.y_test
    return split.target_train, split.target_test


def _represented(split: Split, cell: Cell, settings: Settings) -> dict[int, Scores]:
    """Return the representations of a split without a stored fit; none if it has no test rows."""
    if not len(split.X_test):
        return {}
    if cell.kind == "method":
        return embeddings.own_method(cell.point, split, settings)
    if cell.kind == "pca":
        return embeddings.pca(split, settings)
    return {split.X_train.shape[1]: (split.X_train, split.X_test)}


def _kernel_pca(
    problem: Problem, point: Point, gamma: float | None, settings: Settings, fit: Arrays | None
) -> tuple[list[dict[int, Scores]], dict[str, float]]:
    """Return the representations of all sides, without a fit only of the folds, and the facts."""
    split, facts, whole = problem.split, {}, {}
    if fit is not None:
        model = stored_model(fit, split)
        train, test = training_scores(model), model.transform(split.X_test)
        share = components_for(settings.variance_share, model.explained_variance_ratio_)
        facts = {"components_for_share": share, "rank": train.shape[1]}
        sizes = settings.components_up_to(train.shape[1])
        if share:  # not tuned: the whole split alone
            sizes = sorted({*sizes, problem.bounded(share)})
        whole = embeddings.leading(train, test, sizes)
    folds = embeddings.kernel_pca(point, gamma, split.X_train, problem.folds, settings)
    return [whole, *folds], facts


def _scored(
    problem: Problem,
    sides: Sequence[dict[int, Scores]],
    methods: Sequence[str],
    settings: Settings,
    gamma: float,
) -> list[Outcome]:
    """Return every outcome of representations that are known for each of ``problem.sides``.

    The split of an outcome is train, test, or cv: the mean over the validation folds.
    """
    listed: list[list[Outcome]] = []
    for split, representations in zip(problem.sides, sides, strict=True):
        truth, inner = truth_of(split), split is not problem.split
        folds = [
            Fold(*scores, *truth, split.X_test, problem.seed, inner, gamma)
            for scores in representations.values()
        ]
        found = (METHODS[name](fold, settings) for fold in folds for name in methods)
        listed.append([*chain.from_iterable(found)])
    rows, *validated = listed
    return rows + list(_means(validated))


def _means(folds: Sequence[list[Outcome]]) -> Iterator[Outcome]:
    """Average over the folds what all of them have, as split ``cv``."""
    by_setting: dict[tuple[object, ...], list[Outcome]] = {}
    for outcome in chain.from_iterable(folds):
        setting = (outcome.n_components, outcome.method, str(outcome.C), outcome.metric)
        by_setting.setdefault(setting, []).append(outcome)
    for same in by_setting.values():
        if len(same) == len(folds):
            values = [outcome.value for outcome in same]
            error = float(np.std(values, ddof=1)) / len(values) ** 0.5
            yield same[0]._replace(split="cv", value=float(np.mean(values)), error=error)
