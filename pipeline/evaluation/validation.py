"""Validation scores of one representation on rows of which none are held out for a test."""

from collections.abc import Iterable

from pipeline.evaluation.cells import Cell
from pipeline.evaluation.downstream import METHODS
from pipeline.evaluation.embeddings import KernelPCAScores, pca
from pipeline.evaluation.evaluate import Problem, Row, score_and_count
from pipeline.evaluation.settings import Score, Settings
from pipeline.kernels import arguments, resolve_gamma


def validate_cell(
    problem: Problem, cell: Cell, settings: Settings, wanted: Iterable[Score]
) -> tuple[dict[str, float], dict[str, list[Row]]]:
    """Return γ, d and c of a cell, and the means of the wanted scores over the inner folds by name.

    As `pipeline.evaluation.families.evaluate_cell` has them, but that every number of components
    counts that all folds have: there is no fit to all rows to compare them with.
    """
    settings = settings.at_most(problem.bounded(max(settings.n_components)))
    X, point = problem.split.X_train, cell.point
    if cell.kind == "pca":
        embed = pca(settings)
        folds = [embed(side.X_train, side.X_test, None) for side in problem.sides[1:]]
    else:
        embedding = KernelPCAScores(point, resolve_gamma(point, X), settings)
        folds = embedding.of_folds(X, problem.folds)
    rows = {}
    parameters = {} if point.callable or cell.kind == "pca" else arguments(point, X)
    for one in wanted:
        m = int(one.size)
        sides = [{k: Z for k, Z in fold.items() if k == min(m, max(fold))} for fold in folds]
        method = METHODS[one.method]
        rows[one.name] = score_and_count(problem, [{}, *sides], method, one.settings)
    return {name: float(value) for name, value in parameters.items()}, rows
