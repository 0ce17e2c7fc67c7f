"""Scores of one setting on one replicate, or on all rows."""

from collections.abc import Collection, Sequence
from functools import partial

import numpy as np

from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS
from pipeline.datasets.dataset import Split
from pipeline.evaluation import embeddings
from pipeline.evaluation.cells import Cell
from pipeline.evaluation.downstream import METHODS, Downstream
from pipeline.evaluation.embeddings import Embedding, KernelPCAScores, Scores
from pipeline.evaluation.evaluate import Problem, as_arrays, score_and_count
from pipeline.evaluation.settings import TASKS, Settings
from pipeline.fits import components_for, stored_model
from pipeline.kernels import arguments, resolve_gamma
from pipeline.store import Arrays

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
    rows, unconverged = score_and_count(problem, sides, methods, settings)
    facts = facts | {"unconverged": unconverged}
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
