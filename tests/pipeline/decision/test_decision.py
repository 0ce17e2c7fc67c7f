"""What is chosen on all rows, from scores that are known."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.decision.decision import Basis, Decision, decide, main_method
from pipeline.evaluation.settings import Settings
from pipeline.grid import Point
from tests.scores import score

SETTINGS = Settings((2, 5), (1.0, 10.0), 3, ("unit",), 2, 0.9)
POINTS = [Point("linear"), Point("rbf", {"median": 1}), Point("rbf", {"gamma": 2.0})]
COMPARED = {"dataset": "own", "method": "linear_svm", "metric": "balanced_accuracy", "main": True}
HALVES = (np.arange(20), np.arange(20, 40))


@pytest.fixture
def dataset() -> Dataset:
    X = np.random.default_rng(0).normal(size=(40, 3))
    return Dataset(name="own", X=X, y=np.arange(40) % 2, splits=(HALVES, HALVES[::-1]))


def validation(*values: float) -> pd.DataFrame:
    """Return a validation score for each of three settings of the points."""
    settings = [
        {"kernel": "linear", "cell": "linear", "n_components": 2, "C": 1.0},
        {"kernel": "rbf", "cell": "rbf-gamma2", "gamma": 2.0, "n_components": 5, "C": 10.0},
        {"kernel": "rbf", "cell": "rbf-median1", "gamma": 0.1, "n_components": 2, "C": 1.0},
    ]
    given = zip(values, settings, strict=True)
    return pd.DataFrame(
        [score(v, dataset="own", replicate="all", split="cv", **s) for v, s in given]
    )


def tables(*values: float) -> dict[str, pd.DataFrame]:
    chosen = [("linear", "linear"), ("rbf", "rbf-median1")]
    selected = [
        score(0.8, dataset="own", replicate=r, kernel=k, cell=c, split="cv")
        for r, (k, c) in enumerate(chosen)
    ]
    best = {"kernel": "best kernel", "criterion": "cv_over_kernels", "verdict": "undecided"}
    best |= {"mean": 0.96, "low": 0.9, "high": 1.02, "gain": 0.1, "gain_low": -1.2}
    pca = {"kernel": "pca", "criterion": "cv", "mean": 0.86}
    rule = {"dataset": "own", "replicate": 0, "components_for_share": 3}
    cells = [("linear", "linear"), ("rbf", "rbf-gamma2"), ("rbf", "rbf-median1")]
    return {
        "validation": validation(*values),
        "selected": pd.DataFrame(selected).assign(criterion="cv_over_kernels"),
        "comparisons": pd.DataFrame([COMPARED | best | {"gain_high": 0.2}, COMPARED | pca]),
        "variance_rule": pd.DataFrame([rule | {"kernel": k, "cell": c} for k, c in cells]),
    }


def decided(dataset: Dataset, *values: float) -> tuple[Decision, Basis]:
    return decide(dataset, POINTS, SETTINGS, tables(*values))


@pytest.mark.parametrize(
    ("values", "cell", "parameters", "n_components", "C", "agreeing"),
    [
        ((0.7, 0.9, 0.8), "rbf-gamma2", '{"gamma": 2.0}', 5, 10.0, 1),
        ((0.9, 0.9, 0.8), "linear", "{}", 2, 1.0, 1),  # a tie goes to the simplest kernel
    ],
)
def test_the_best_validation_score_of_all_rows_chooses(
    dataset: Dataset,
    values: tuple[float, ...],
    cell: str,
    parameters: str,
    n_components: int,
    C: float,
    agreeing: int,
) -> None:
    decision, basis = decided(dataset, *values)

    assert (decision.cell, decision.parameters) == (cell, parameters)
    assert (decision.n_components, decision.C, decision.agreeing) == (n_components, C, agreeing)
    assert (decision.rows, decision.replicates, decision.scaling) == (40, 2, "unit")
    assert basis.families == 2


def test_the_choice_of_draws_is_that_of_the_first(dataset: Dataset) -> None:
    drawn = replace(dataset, independent=True)
    decision, basis = decided(drawn, 0.7, 0.9, 0.8)

    assert (decision.cell, decision.rows, basis.independent) == ("linear", 20, True)


def test_what_cannot_be_validated_falls_to_a_convention_and_says_so(dataset: Dataset) -> None:
    nothing = {
        name: table if name == "variance_rule" else table.iloc[:0]
        for name, table in tables(0, 0, 0).items()
    }
    decision, basis = decide(dataset, POINTS, SETTINGS, nothing)

    assert (decision.cell, decision.n_components, basis.validated) == ("rbf-median1", 3, False)
    assert math.isnan(decision.score)
    assert decision.verdict == ""


@pytest.mark.parametrize(
    ("task", "scaling", "method"),
    [
        ("classification", ("unit", "whiten"), ("linear_svm", "unit")),
        ("classification", ("whiten",), ("linear_svm_whitened", "whiten")),
        ("regression", ("unit",), ("least_squares", "")),
        ("none", ("unit",), ("embedding", "")),
    ],
)
def test_a_kernel_is_chosen_by_the_first_method_of_its_task(
    task: str, scaling: tuple[str, ...], method: tuple[str, str]
) -> None:
    assert main_method(task, replace(SETTINGS, scaling=scaling)) == method
