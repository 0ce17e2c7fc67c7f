"""Validation scores of one kernel PCA on rows of which none are held out for a test."""

from collections.abc import Iterable

from pipeline.evaluation.cells import Cell
from pipeline.evaluation.downstream import METHODS
from pipeline.evaluation.embeddings import KernelPCAScores
from pipeline.evaluation.evaluate import Problem, Row, score
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
    embedding = KernelPCAScores(point, resolve_gamma(point, X), settings)
    folds = embedding.of_folds(X, problem.folds)
    rows = {}
    for one in wanted:
        m = int(one.size)
        sides = [{k: Z for k, Z in fold.items() if k == min(m, max(fold))} for fold in folds]
        rows[one.name] = score(problem, [{}, *sides], [METHODS[one.method]], one.settings)
    parameters = {} if point.callable else arguments(point, X)
    return {name: float(value) for name, value in parameters.items()}, rows
