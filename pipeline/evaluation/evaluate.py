"""Evaluate a setting on one replicate: cross-validation inside, then the test rows once."""

import itertools
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS
from pipeline.datasets.dataset import Dataset, Split
from pipeline.evaluation import embeddings
from pipeline.evaluation.downstream import BY_TASK, METHODS, Downstream, Fold, Outcome
from pipeline.evaluation.embeddings import Embedding, KernelPCAScores, Scores
from pipeline.evaluation.settings import COLUMNS, TASKS, Cell, Settings
from pipeline.fitted_models import arguments, components_for, resolve_gamma, stored_model
from pipeline.store import Arrays

Row = tuple[int, Outcome]
Index = np.ndarray


@dataclass(frozen=True)
class Problem:
    """One replicate with its inner folds, the same for every method.

    The folds hold row numbers within the training rows; the seed is that of k-means and the like.
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

    def bounded(self, m: int) -> int:
        """Return m, or without labels and target at most the number of columns less one.

        With as many components as columns the linear kernel only rotates the rows, and keeps
        every neighbourhood.
        """
        most = max(self.split.X_train.shape[1] - 1, 1)
        return min(m, most) if self.task == "none" else m

    @cached_property
    def sides(self) -> list[Split]:
        """The whole split, then every fold as a split of its own."""
        return [self.split, *(_inner(self.split, *fold) for fold in self.folds)]


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
) -> list[Row]:
    """Return every outcome of an embedding that is refitted on every training side.

    The downstream methods are by default those of the task.
    """
    methods = BY_TASK[problem.task] if downstream is None else downstream
    return score(problem, _embedded(problem.sides, embedding), methods, settings)


def score(
    problem: Problem,
    scores: Sequence[dict[int, Scores]],
    methods: Sequence[Downstream],
    settings: Settings,
) -> list[Row]:
    """Return every outcome of representations that are known for each of ``problem.sides``.

    The split of an outcome is train, test, or cv: the mean over the validation folds.
    """
    rows, *folds = (
        list(_outcomes(split, found, methods, settings, problem.seed, inner=number > 0))
        for number, (split, found) in enumerate(zip(problem.sides, scores, strict=True))
    )
    return rows + _means(folds)


def as_arrays(rows: Iterable[Row]) -> Arrays:
    """Return rows as columns, for a store."""
    listed = [(m, *outcome) for m, outcome in rows]
    columns = zip(*listed, strict=True) if listed else [()] * len(COLUMNS)
    kinds = (np.int64, np.str_, np.float64, np.str_, np.str_, np.float64, np.float64)
    return {
        name: np.array(column, dtype=kind)
        for name, column, kind in zip(COLUMNS, columns, kinds, strict=True)
    }


def _outcomes(
    split: Split,
    scores: dict[int, Scores],
    methods: Sequence[Downstream],
    settings: Settings,
    seed: int,
    *,
    inner: bool,
) -> Iterator[Row]:
    for m, (Z_train, Z_test) in scores.items():
        fold = Fold(Z_train, Z_test, *_truth(split), split.X_test, seed, inner)
        for method in methods:
            for outcome in method(fold, settings):
                yield m, outcome


def _truth(split: Split) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return labels, else targets, of the training and test rows."""
    if split.y_train is not None:
        return split.y_train, split.y_test
    return split.target_train, split.target_test


def _inner(split: Split, train: Index, held_out: Index) -> Split:
    """Return a fold of the training rows as a split of its own."""
    rows = Dataset(
        X=split.X_train,
        y=split.y_train,
        target=split.target_train,
        precomputed=split.precomputed,
        splits=((train, held_out),),
    )
    return rows.split(0)


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
            values = [other.value for _, other in same]
            error = float(np.std(values, ddof=1)) / len(values) ** 0.5
            mean = float(np.mean(values))
            rows.append((m, outcome._replace(split="cv", value=mean, error=error)))
    return rows


Facts = dict[str, float]
"""What else the tables say of a setting: its parameters, and what the variance asks for."""

_Sides = list[dict[int, Scores]]
"""Number of components → scores, for each of `Problem.sides`."""


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
    that are scored; None means all methods of the cell.
    """
    settings = settings.at_most(problem.bounded(max(settings.n_components)))
    facts, sides = _represented(problem, cell, settings, fit)
    width = {"gamma": facts["gamma"]} if cell.kind == "gaussian" else {}
    names = cell.methods(problem.task)
    methods = [partial(METHODS[name], **width) for name in names if only is None or name in only]
    return _arrays(problem, sides, methods, settings, facts)


def validate_cell(problem: Problem, cell: Cell, settings: Settings) -> Arrays:
    """Return the validation scores of a setting on rows of which none are held out for a test.

    They are those of the method that a kernel is chosen by, an SVM at its first scaling. Every
    number of components counts that all folds have: there is no fit to all rows to compare with.
    """
    settings = settings.at_most(problem.bounded(max(settings.n_components))).first_scaling()
    X, point, facts = problem.split.X_train, cell.point, Facts()
    if cell.kind == "pca":
        folds = _embedded(problem.sides[1:], embeddings.pca(settings))
    else:
        folds = KernelPCAScores(point, resolve_gamma(point, X), settings).of_folds(X, problem.folds)
        if not point.callable:
            facts = {name: float(value) for name, value in arguments(point, X).items()}
    methods: list[Downstream] = [METHODS[TASKS[problem.task][0]]]
    return _arrays(problem, [{}, *folds], methods, settings, facts)


def _arrays(
    problem: Problem, sides: _Sides, methods: Sequence[Downstream], settings: Settings, facts: Facts
) -> Arrays:
    """Return every outcome as columns, and how many fits stopped before they converged."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = score(problem, sides, methods, settings)
    others = [one for one in caught if not issubclass(one.category, ConvergenceWarning)]
    for one in others:
        warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    facts = facts | {"unconverged": len(caught) - len(others)}
    return as_arrays(rows) | {name: np.array(value) for name, value in facts.items()}


def _represented(
    problem: Problem, cell: Cell, settings: Settings, fit: Arrays | None
) -> tuple[Facts, _Sides]:
    """Return the facts about a setting, and its representation of each side."""
    if cell.kind == "kernel":
        assert fit is not None
        return _kernel_pca(problem, cell, settings, fit)
    if cell.kind == "method":
        path = str(cell.point.callable)
        own = embeddings.own_method(path, cell.point.parameters, settings)
        return {}, _embedded(problem.sides, own)
    facts: Facts = {}
    if cell.kind == "gaussian":
        X = problem.split.X_train
        facts["gamma"] = resolve_gamma(cell.point, X) or 1 / X.shape[1]
    embedding = embeddings.pca(settings) if cell.kind == "pca" else embeddings.raw
    return facts, _embedded(problem.sides, embedding)


def _kernel_pca(
    problem: Problem, cell: Cell, settings: Settings, fit: Arrays
) -> tuple[Facts, _Sides]:
    split = problem.split
    model = stored_model(fit, split)
    train, test = embeddings.training_scores(model), model.transform(split.X_test)
    rank = train.shape[1]
    share = components_for(settings.variance_share, model.explained_variance_ratio_)
    sizes = settings.components_up_to(rank)
    if share:  # not tuned: the whole split alone
        sizes = sorted({*sizes, problem.bounded(share)})
    embedding = KernelPCAScores(cell.point, resolve_gamma(cell.point, split.X_train), settings)
    folds = embedding.of_folds(split.X_train, problem.folds)
    facts = _parameters(model) | {"components_for_share": share, "rank": rank}
    return facts, [embeddings.leading(train, test, sizes), *folds]


def _parameters(model: KernelPCA) -> Facts:
    """Return the values of γ, d and c, of those that the kernel reads."""
    uses = KERNELS[model.kernel].uses if model.kernel in KERNELS else ()
    values = {"gamma": model.gamma_, "degree": model.degree, "coef0": model.coef0}
    return {name: float(values[name]) for name in values if name in uses}


def _embedded(sides: Sequence[Split], embedding: Embedding) -> _Sides:
    return [embedding(side.X_train, side.X_test, side.y_train) for side in sides]
