"""Evaluate a setting on one replicate: by cross-validation in the training set, and on test rows.

In this module, the sides of a replicate are its whole split and its inner folds.
"""

import math
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from kpca.folds import Folds
from kpca.linear.pca import PCA
from kpca.study.datasets.dataset import Dataset, Split
from kpca.study.datasets.splits import draw_folds, sizes_within
from kpca.study.fitting import fitted_models
from kpca.study.fitting.kernels import LINEAR
from kpca.study.scoring import embeddings
from kpca.study.scoring.embeddings import Scores, names_of, pca_rank
from kpca.study.scoring.methods import METHODS, PREDICTORS, Options
from kpca.study.scoring.metrics import measures_of
from kpca.study.scoring.predictors import train
from kpca.study.scoring.settings import Cell, Outcome, Settings, main_method
from kpca.study.seeds import sample
from kpca.study.store import Arrays

_NEIGHBOUR_ROWS = 500
# (C, "train" or "test", true answers of the rows on this side, output of a method for them)
_Given = tuple[float, str, Any, Any]


@dataclass(frozen=True)
class Problem:
    """One replicate of a dataset, and its inner folds as indices into the training rows."""

    split: Split
    folds: Folds
    seed: int

    @cached_property
    def rows(self) -> Dataset:
        """The training rows, with the folds as their splits."""
        return Dataset(
            X=self.split.X_train,
            y=self.split.y_train,
            target=self.split.target_train,
            precomputed=self.split.precomputed,
            splits=tuple(self.folds),
        )

    @cached_property
    def rank(self) -> int:
        """Smallest rank of the training rows among all sides.

        With this number of components, the linear kernel only rotates the rows and therefore keeps
        all neighbours.
        """
        if self.split.precomputed:
            return self.split.X_train.shape[1]
        return min(pca_rank(PCA().fit(side.X_train)) for side in self.sides)

    def most(self, cell: Cell) -> float:
        """Return the largest number of components for which kept neighbours are measured.

        The number is `rank` minus one. Without a label or target, it is infinite for a nonlinear
        kernel, because such a kernel can have more components than the rows have columns.
        """
        curved = cell.kind == "kernel" and cell.point.kernel != LINEAR
        return math.inf if curved and self.rows.task == "none" else max(self.rank - 1, 1)

    def bounded(self, cell: Cell, wanted: Iterable[int]) -> list[int]:
        """Return the wanted numbers of components, limited to `most` without a label or target."""
        if self.rows.task != "none":
            return sorted({*wanted})
        return sorted({int(min(m, self.most(cell))) for m in wanted})

    @cached_property
    def sides(self) -> list[Split]:
        """The whole split, then every fold as a split of its own."""
        return [self.split, *map(self.rows.split, range(len(self.folds)))]


@dataclass(frozen=True)
class Fold:
    """Representations of training and test rows, their true answers, and options of methods."""

    Z_train: np.ndarray  # scores, or raw features, of shape (n_train, m)
    Z_test: np.ndarray
    truth_train: Any  # classes numbered from 0, a numeric target, or None
    truth_test: Any
    X_test: np.ndarray  # test rows in the input space
    seed: int  # seed of all random numbers
    # Whether this is a fold of cross-validation. If so, only its test rows are scored, and k-means
    # makes a quarter of its starts.
    inner: bool = False
    gamma: float = math.nan  # γ of methods with a Gaussian kernel
    most: float = 0  # largest number of components for which neighbours are compared


def make_problem(split: Split, n_folds: int, *, seed: int) -> Problem:
    """Return a split with inner folds, which respect its classes, groups and times."""
    return Problem(split, draw_folds(split, n_folds, seed), seed)


def evaluate_cell(
    problem: Problem,
    cell: Cell,
    settings: Settings,
    fit: Arrays | None = None,
    only: Collection[str] | None = None,
) -> Arrays:
    """Return all scores of a setting as columns, with facts such as its rank and parameters.

    The scores are those of the whole split and, as split ``cv``, the means over the folds. Numbers
    of components are those of the whole split; a fold of lower rank uses all components that it
    has. Numbers that are too large for the folds are left out. For kernel PCA, ``fit`` is the model
    of the whole split, and the models of the folds are fitted here. ``only`` names the methods that
    are scored; by default, all methods of the cell are.
    """
    most = max(sizes_within([settings.largest], problem.folds))
    settings = settings.within(problem.folds)
    sizes = problem.bounded(cell, settings.n_components)
    settings = replace(settings, n_components=tuple(sizes))
    following = cell.methods(problem.rows.task, settings)
    methods = [name for name in following if only is None or name in only]
    X = problem.split.X_train
    parameters = {} if cell.point.callable else fitted_models.arguments(cell.point, X)
    facts = {name: float(value) for name, value in parameters.items()}
    if cell.kind == "kernel":
        scored = fitted_models.fold_scores(cell.point, X, problem.folds, n_components=most)
        whole, variance = _kernel_pca(problem, cell, settings, fit)
        sides = [whole, *(embeddings.leading(*scores, sizes) for scores in scored)]
        facts |= variance
    else:
        sides = [_represented(side, cell, settings) for side in problem.sides]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gamma = facts.get("gamma", np.nan)
        judged = problem.most(cell) if "embedding" in methods else 0
        folded = partial(Fold, seed=problem.seed, gamma=gamma, most=judged)
        rows = _scored(problem, sides, methods, settings, folded)
    others = [one for one in caught if not issubclass(one.category, ConvergenceWarning)]
    for one in others:
        warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    facts |= {"unconverged": len(caught) - len(others)}
    return as_arrays(rows) | {name: np.array(value) for name, value in facts.items()}


def validate_cell(
    problem: Problem, cell: Cell, settings: Settings, followers: Collection[str] = tuple(METHODS)
) -> Arrays:
    """Return the cross-validation scores of a setting on rows without a test set.

    Raw features are scored by every predictor. All other representations are scored by the method
    that chooses kernels. Methods that are not among the ``followers`` are left out. Numbers of
    components are at most the largest rank of the folds, because no model is fitted to all rows.
    """
    main = [main_method(problem.rows.task, settings)]
    choosing = PREDICTORS if cell.kind in ("raw", "gaussian") else main
    return evaluate_cell(problem, cell, settings, only={*choosing}.intersection(followers))


def as_arrays(rows: Sequence[Outcome]) -> Arrays:
    """Return outcomes as columns, for a store."""
    kinds = Outcome.__annotations__.items()
    return {name: np.array([getattr(row, name) for row in rows], dtype=k) for name, k in kinds}


def truth_of(split: Split) -> tuple[Any, Any]:
    """Return the labels of training and test rows, or their targets if there are no labels."""
    if split.y_train is not None:
        return split.y_train, split.y_test
    return split.target_train, split.target_test


def _represented(split: Split, cell: Cell, settings: Settings) -> dict[int, Scores]:
    """Return representations of a split by PCA, a method or raw rows; empty without test rows."""
    if not len(split.X_test):
        return {}
    if cell.kind == "method":
        return embeddings.own_method(cell.point, split, settings)
    if cell.kind == "pca":
        return embeddings.pca(split, settings)
    return {split.X_train.shape[1]: (split.X_train, split.X_test)}


def _kernel_pca(
    problem: Problem, cell: Cell, settings: Settings, fit: Arrays | None
) -> tuple[dict[int, Scores], dict[str, float]]:
    """Return kernel PCA scores of the whole split, and facts about ``fit``; empty without it."""
    if fit is None:
        return {}, {}
    model = fitted_models.stored_model(fit, problem.split.X_train)
    train = fitted_models.training_scores(model)
    test = model.transform(problem.split.X_test)
    share = fitted_models.components_for(settings.variance_share, model.explained_variance_ratio_)
    tuned = settings.n_components
    rank = train.shape[1]
    # The variance rule applies to the fit to the whole training set only, not to the folds.
    of_share = problem.bounded(cell, [share] if share else [])
    sizes = {*tuned, *of_share}
    ordered = sorted(sizes, key=lambda m: (min(m, rank), m not in tuned))
    facts = {"components_for_share": float(share), "rank": float(rank)}
    return embeddings.leading(train, test, ordered), facts


def _scored(
    problem: Problem,
    sides: Sequence[dict[int, Scores]],
    methods: Sequence[str],
    settings: Settings,
    folded: Callable[..., Fold],
) -> list[Outcome]:
    """Return the outcomes of the first of ``sides`` and, as split cv, means over the others."""
    names = names_of(sides)
    listed: list[list[Outcome]] = []
    for split, representations in zip(problem.sides, sides, strict=True):
        truth = truth_of(split)
        inner = split is not problem.split
        of_split = []
        for m, scores in representations.items():
            if m in names:
                fold = folded(*scores, *truth, split.X_test, inner=inner)
                for name in methods:
                    for outcome in outcomes(fold, settings, name):
                        of_split.append(outcome._replace(n_components=names[m]))
        listed.append(of_split)
    rows, *validated = listed
    return rows + list(_means(validated))


def _means(folds: Sequence[list[Outcome]]) -> Iterator[Outcome]:
    """Yield, as split ``cv``, the mean over the folds of each outcome that all folds have."""
    by_setting: dict[tuple[object, ...], list[Outcome]] = {}
    for outcome in chain.from_iterable(folds):
        setting = (outcome.n_components, outcome.method, str(outcome.C), outcome.metric)
        by_setting.setdefault(setting, []).append(outcome)
    for same in by_setting.values():
        if len(same) == len(folds):
            values = [outcome.value for outcome in same]
            error = float(np.std(values, ddof=1)) / len(values) ** 0.5
            yield same[0]._replace(split="cv", value=float(np.mean(values)), error=error)


def outcomes(fold: Fold, settings: Settings, name: str) -> Iterator[Outcome]:
    """Train a method, and yield an outcome per C, metric and split; for inner folds, only test."""
    gives = METHODS[name].gives
    follow = {"clusters": _clustered, "neighbours": _placed}.get(gives, _predicted)
    for C, split, truth, result in follow(fold, settings, name):
        if split == "test" or not fold.inner:
            for metric, record in measures_of(gives).items():
                value = record.measure(truth, result)
                yield Outcome(fold.Z_train.shape[1], name, C, metric, split, value)


def _predicted(fold: Fold, settings: Settings, name: str) -> Iterator[_Given]:
    for C in settings.C if METHODS[name].tuned else (math.nan,):
        options = Options(C, settings.class_weight, fold.gamma, fold.seed)
        rule = train(name, fold.Z_train, fold.truth_train, options)
        if not fold.inner:
            yield C, "train", fold.truth_train, rule.predict(fold.Z_train)
        yield C, "test", fold.truth_test, rule.predict(fold.Z_test)


def _clustered(fold: Fold, settings: Settings, name: str) -> Iterator[_Given]:
    """Yield as many clusters as classes; test rows join that of the nearest centroid or row."""
    from sklearn.cluster import KMeans, SpectralClustering
    from sklearn.metrics import pairwise_distances_argmin

    starts = -(-settings.kmeans_starts // 4) if fold.inner else settings.kmeans_starts
    options = {"n_init": starts, "random_state": fold.seed}
    classes = len(np.unique(fold.truth_train))
    if name == "kmeans":
        model = KMeans(classes, **options).fit(fold.Z_train)
        test = model.predict(fold.Z_test)
    else:
        model = SpectralClustering(classes, gamma=fold.gamma, **options).fit(fold.Z_train)
        test = model.labels_[pairwise_distances_argmin(fold.Z_test, fold.Z_train)]
    yield math.nan, "train", fold.truth_train, model.labels_
    yield math.nan, "test", fold.truth_test, test


def _placed(fold: Fold, settings: Settings, name: str) -> Iterator[_Given]:
    """Yield test rows and scores, or a random sample of many rows, because files may be sorted."""
    del settings, name
    if fold.Z_test.shape[1] <= fold.most:
        rows = sample(len(fold.X_test), _NEIGHBOUR_ROWS)
        if len(rows) > 2:
            yield math.nan, "test", fold.X_test[rows], fold.Z_test[rows]
