"""Scores of one representation of one replicate."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS
from pipeline.errors import InputError
from pipeline.evaluation import embeddings
from pipeline.evaluation.cells import Cell
from pipeline.evaluation.downstream import METHODS, Downstream
from pipeline.evaluation.embeddings import Embedding, Scores
from pipeline.evaluation.evaluate import Problem, Row, score_and_count
from pipeline.evaluation.settings import Score, Settings, Size
from pipeline.fits import components_for, stored_model
from pipeline.grid import Point
from pipeline.kernels import resolve_gamma
from pipeline.store import Arrays

Facts = dict[str, float]
"""What else the tables say of a representation: its parameters, and what the variance asks for."""

_Sides = list[dict[int, Scores]]
"""Number of components → scores, for each of `Problem.sides`."""


def evaluate_cell(
    problem: Problem, cell: Cell, settings: Settings, wanted: Iterable[Score], fit: Arrays | None
) -> tuple[Facts, dict[str, list[Row]]]:
    """Return the facts about a cell, and the outcomes of each of the wanted scores by its name.

    They are those of the whole split and, as ``cv``, the mean over the folds where all of them
    have the same number of components. A kernel PCA comes with its stored ``fit``.
    """
    wanted = list(wanted)
    settings = settings.at_most(problem.bounded(max(settings.n_components)))
    facts, of_size = _represented(problem, cell, settings, fit)
    sides = {size: of_size(size) for size in dict.fromkeys(one.size for one in wanted)}
    found: dict[object, list[Row]] = {}
    rows = {}
    for one in wanted:
        method: Downstream = METHODS[one.method]
        if cell.kind == "gaussian":
            method = partial(METHODS[one.method], gamma=facts["gamma"])
        # Several sizes beyond the rank are the same scores.
        arrays = tuple(id(scores) for side in sides[one.size] for scores in side.values())
        work = (one.method, one.settings, arrays)
        if work not in found:
            found[work] = score_and_count(problem, sides[one.size], method, one.settings)
        rows[one.name] = found[work]
    return facts, rows


def _represented(
    problem: Problem, cell: Cell, settings: Settings, fit: Arrays | None
) -> tuple[Facts, Callable[[Size], _Sides]]:
    """Return the facts about a cell, and the scores of its representation by their size."""
    if cell.kind == "kernel":
        assert fit is not None
        return _kernel_pca(problem, cell, settings, fit)
    path = str(cell.point.callable)
    if cell.kind == "method" and embeddings.takes_components(path):
        return {}, partial(_own_method, problem, cell.point, settings)
    facts: Facts = {}
    if cell.kind == "method":  # its size is its own
        sides = _embedded(problem, embeddings.own_method(path, cell.point.parameters, settings))
        return facts, lambda _: sides
    sides = _embedded(problem, embeddings.pca(settings) if cell.kind == "pca" else embeddings.raw)
    if cell.kind == "gaussian":
        X = problem.split.X_train
        facts["gamma"] = resolve_gamma(cell.point, X) or 1 / X.shape[1]
    return facts, partial(_of_size, sides)


def _kernel_pca(
    problem: Problem, cell: Cell, settings: Settings, fit: Arrays
) -> tuple[Facts, Callable[[Size], _Sides]]:
    split = problem.split
    model = stored_model(fit, split)
    train, test = embeddings.training_scores(model), model.transform(split.X_test)
    rank = train.shape[1]
    share = components_for(settings.variance_share, model.explained_variance_ratio_)
    embedding = embeddings.KernelPCAScores(
        cell.point, resolve_gamma(cell.point, split.X_train), settings
    )
    sides = [
        embeddings.leading(train, test, settings.components_up_to(rank)),
        *embedding.of_folds(split.X_train, problem.folds),
    ]

    def of_size(size: Size) -> _Sides:
        if size == "share":  # not tuned: the whole split alone
            kept = [problem.bounded(share)] if share else []
            return [embeddings.leading(train, test, kept), *({} for _ in problem.folds)]
        return _of_size(sides, size)

    facts = _parameters(model) | {"components_for_share": share, "rank": rank}
    return facts, of_size


def _parameters(model: KernelPCA) -> Facts:
    """Return the values of γ, d and c, of those that the kernel reads."""
    uses = KERNELS[model.kernel].uses if model.kernel in KERNELS else ()
    values = {"gamma": model.gamma_, "degree": model.degree, "coef0": model.coef0}
    return {name: float(values[name]) for name in values if name in uses}


def _own_method(problem: Problem, point: Point, settings: Settings, size: Size) -> _Sides:
    """Fit the user's own method with so many components, on the sides where it can have as many."""
    m = min(int(size), max(settings.n_components))
    narrowed = replace(settings, n_components=(m,))
    embedding = embeddings.own_method(str(point.callable), point.parameters, narrowed)

    def embed(X_train: np.ndarray, X_test: np.ndarray, y: np.ndarray | None) -> dict[int, Scores]:
        try:
            return embedding(X_train, X_test, y)
        except InputError:
            if m == min(settings.n_components):
                raise
            return {}

    return _embedded(problem, embed)


def _embedded(problem: Problem, embedding: Embedding) -> _Sides:
    return [embedding(side.X_train, side.X_test, side.y_train) for side in problem.sides]


def _of_size(sides: Sequence[dict[int, Scores]], size: Size) -> _Sides:
    """Take of each side so many components, or as many as it has."""
    if size == "all":
        return list(sides)
    return [{m: Z for m, Z in side.items() if m == min(int(size), max(side))} for side in sides]
