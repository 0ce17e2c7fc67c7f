"""All rows are validated as the training rows of a replicate are."""

import pytest

from pipeline.evaluation.cells import Cell
from pipeline.evaluation.evaluate import make_problem
from pipeline.evaluation.families import evaluate_cell
from pipeline.evaluation.settings import TASKS, scores_of
from pipeline.evaluation.validation import validate_cell
from pipeline.fits import fit_arrays
from pipeline.grid import Point
from tests.pipeline.evaluation.problems import SETTINGS, dataset, kernel_dataset


@pytest.mark.parametrize("source", ["rings", "swiss_roll", "kernel"])
def test_the_scores_are_those_of_a_replicate_that_trains_on_these_rows(source: str) -> None:
    drawn = kernel_dataset() if source == "kernel" else dataset(source)
    point = Point("precomputed") if source == "kernel" else Point("rbf", {"median": 1})
    problem = make_problem(drawn.split(0), 3, seed=0)
    alone = make_problem(drawn.take(drawn.splits[0][0]).whole(), 3, seed=0)
    wanted = list(scores_of(TASKS[drawn.task][:1], SETTINGS.n_components, SETTINGS))
    fit = fit_arrays(point, problem.split.X_train, n_components=2, variance_share=0.9)

    facts, rows = evaluate_cell(problem, Cell("kernel", point), SETTINGS, wanted, fit)
    parameters, validated = validate_cell(alone, Cell("kernel", point), SETTINGS, wanted)

    assert parameters.items() <= facts.items()
    of_cv = {name: [row for row in of if row[1].split == "cv"] for name, of in rows.items()}
    assert validated == of_cv
    assert all(of_cv.values())
