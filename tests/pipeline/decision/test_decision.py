"""What is chosen on all rows, from scores that are known."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.decision.decision import Basis, Decision, decide
from pipeline.evaluation.settings import Settings, main_method
from pipeline.grid import Point
from tests.scores import score

SETTINGS = Settings((2, 5), (1.0, 10.0), 3, ("unit",), 2, 0.9)
POINTS = [Point("linear"), Point("rbf", {"median": 1}), Point("rbf", {"gamma": 2.0})]
COMPARED = {"dataset": "own", "method": "linear_svm", "metric": "balanced_accuracy"}
COMPARED |= {"gain_low": np.nan, "gain_high": np.nan}
HALVES = (np.arange(20), np.arange(20, 40))


@pytest.fixture
def dataset() -> Dataset:
    X, splits = np.random.default_rng(0).normal(size=(40, 3)), (HALVES, HALVES[::-1])
    return Dataset(name="own", X=X, y=np.arange(40) % 2, splits=splits, class_names=("a", "b"))


def of_own(value: float, **setting: Any) -> dict[str, Any]:
    return score(value, dataset="own", split="cv", **setting)


def validation(*values: float) -> pd.DataFrame:
    """Return a validation score for each of three settings of the points, and two of PCA."""
    settings = [
        {"kernel": "linear", "cell": "linear", "n_components": 2, "C": 1.0},
        {"kernel": "rbf", "cell": "rbf-gamma2", "gamma": 2.0, "n_components": 5, "C": 10.0},
        {"kernel": "rbf", "cell": "rbf-median1", "gamma": 0.1, "n_components": 2, "C": 1.0},
    ]
    settings += [{"kernel": "pca", "cell": "pca", "n_components": m, "C": 1.0} for m in (2, 5)]
    given = zip([*values, 0.5, 0.6], settings, strict=True)
    return pd.DataFrame([of_own(value, replicate="all", **setting) for value, setting in given])


def tables(*values: float, vs_pca: str = "inconclusive") -> dict[str, pd.DataFrame]:
    linear = {"kernel": "linear", "cell": "linear", "replicate": 0, "criterion": "cv_over_kernels"}
    selected = [linear, linear | {"kernel": "rbf", "cell": "rbf-median1", "replicate": 1}]
    selected += [linear | {"criterion": "cv", "kernel": "pca", "n_components": 7}]
    selected += [
        {"replicate": r, "kernel": "raw", "method": method, "criterion": "cv_over_raw"}
        for r, method in enumerate(["rbf_svm", "random_forest", "rbf_svm"])
    ]
    best = {"kernel": "best kernel", "criterion": "cv_over_kernels"}
    best |= {"mean": 0.96, "low": 0.9, "high": 1.0}
    compared = [
        best | {"baseline": "chance", "gain": 0.46, "verdict": "better"},
        best | {"baseline": "raw", "gain": -0.02, "verdict": "worse"},
        best | {"baseline": "pca", "gain": 0.1, "verdict": vs_pca},
        {"kernel": "pca", "criterion": "cv", "baseline": "pca", "mean": 0.86},
        {"kernel": "best raw", "criterion": "cv_over_raw", "baseline": "pca", "mean": 0.98},
        {"kernel": "rbf", "criterion": "cv", "baseline": "pca", "mean": 0.91},
        {"kernel": "linear", "criterion": "cv", "baseline": "pca", "mean": 0.85},
    ]
    rule = {"dataset": "own", "replicate": 0, "components_for_share": 3}
    cells = [("linear", "linear"), ("rbf", "rbf-gamma2"), ("rbf", "rbf-median1")]
    return {
        "validation": validation(*values),
        "scores": validation(*values).assign(replicate=0),
        "selected": pd.DataFrame([of_own(0.8, **row) for row in selected]),
        "comparisons": pd.DataFrame([COMPARED | row for row in compared]),
        "unconverged": pd.DataFrame({"dataset": ["own", "other"], "fits": [3.0, 9.0]}),
        "variance_rule": pd.DataFrame([rule | {"kernel": k, "cell": c} for k, c in cells]),
    }


def decided(
    dataset: Dataset, *values: float, vs_pca: str = "inconclusive"
) -> tuple[Decision, Basis]:
    return decide(dataset, POINTS, SETTINGS, tables(*values, vs_pca=vs_pca))


def test_each_comparison_has_its_word_and_numbers(dataset: Dataset) -> None:
    found, basis = decided(dataset, 0.7, 0.9, 0.8)

    assert found == found | {"vs_chance": "better", "vs_raw": "worse", "vs_pca": "inconclusive"}
    assert found == found | {"score": 0.96, "low": 0.9, "high": 1.0}
    assert found == found | {"chance": pytest.approx(0.5), "raw": 0.98, "pca": 0.86}
    assert found == found | {
        "raw_method": "rbf_svm",
        "gain": 0.1,
        "raw_gain": -0.02,
        "chance_gain": 0.46,
    }
    assert found == found | {"rows": 40, "replicates": 2, "scaling": "unit"}
    assert (basis.unconverged, basis.classes, basis.families) == (3, {"a": 20, "b": 20}, 2)
    assert basis.alone[0] == 0.91


@pytest.mark.parametrize("vs_pca", ["better", "inconclusive", "no comparison"])
def test_the_choice_among_all_kernels_is_exported(dataset: Dataset, vs_pca: str) -> None:
    found, _ = decided(dataset, 0.7, 0.9, 0.8, vs_pca=vs_pca)

    assert found == found | {"model": "kernel PCA", "cell": "rbf-gamma2", "model_score": 0.96}


@pytest.mark.parametrize("vs_pca", ["enough", "worse"])
def test_pca_is_exported_if_it_is_recommended(dataset: Dataset, vs_pca: str) -> None:
    found, basis = decided(dataset, 0.7, 0.9, 0.8, vs_pca=vs_pca)

    assert found == found | {"model": "PCA", "kernel": "linear", "cell": "linear"}
    assert found == found | {"n_components": 5, "model_score": 0.86, "score": 0.96}
    assert basis.point == Point("linear")
    drawn, _ = decided(replace(dataset, independent=True), 0.7, 0.9, 0.8, vs_pca=vs_pca)
    assert drawn == drawn | {"model": "PCA", "n_components": 7}  # that of the first draw


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (
            (0.7, 0.9, 0.8),
            {"cell": "rbf-gamma2", "parameters": '{"gamma": 2.0}', "n_components": 5, "C": 10.0},
        ),
        # A tie goes to the simplest kernel.
        ((0.9, 0.9, 0.8), {"cell": "linear", "parameters": "{}", "n_components": 2, "C": 1.0}),
    ],
)
def test_the_best_validation_score_of_all_rows_chooses(
    dataset: Dataset, values: tuple[float, ...], expected: dict[str, Any]
) -> None:
    found, _ = decided(dataset, *values)

    assert found == found | expected | {"agreeing": 1}


def test_the_choice_of_draws_is_that_of_the_first(dataset: Dataset) -> None:
    found, basis = decided(replace(dataset, independent=True), 0.7, 0.9, 0.8)

    assert found == found | {"cell": "linear", "rows": 20}
    assert basis.independent


@pytest.mark.parametrize("independent", [False, True])
def test_the_best_setting_of_two_components_is_for_viewing(
    dataset: Dataset, independent: bool
) -> None:
    found, _ = decided(replace(dataset, independent=independent), 0.7, 0.9, 0.8)

    assert found == found | {"view": "rbf-median1", "view_score": 0.8, "view_pca": 0.5}
    assert json.loads(found["view_parameters"])["gamma"] > 0


def test_rows_without_labels_have_no_setting_for_viewing(dataset: Dataset) -> None:
    scores = tables(0.7, 0.9, 0.8)
    trustworthy = {"method": "embedding", "metric": "trustworthiness", "C": np.nan}
    scores["validation"] = scores["validation"].assign(**trustworthy)
    found, _ = decide(replace(dataset, y=None), POINTS, SETTINGS, scores)

    assert found == found | {"cell": "rbf-gamma2", "view": ""}


def test_what_cannot_be_validated_falls_to_a_convention_and_says_so(dataset: Dataset) -> None:
    nothing = {
        name: table if name == "variance_rule" else table.iloc[:0]
        for name, table in tables(0, 0, 0).items()
    }
    found, basis = decide(dataset, POINTS, SETTINGS, nothing)

    assert found == found | {"cell": "rbf-median1", "n_components": 3, "vs_pca": "no comparison"}
    assert math.isnan(found["score"])
    assert not basis.validated


def test_a_kernel_is_chosen_by_the_first_method_of_its_task() -> None:
    whitened = replace(SETTINGS, scaling=("whiten",))
    both = replace(SETTINGS, scaling=("unit", "whiten"))
    assert main_method("classification", both) == "linear_svm"
    assert main_method("classification", whitened) == "linear_svm_whitened"
    assert main_method("regression", SETTINGS) == "least_squares"
    assert main_method("none", SETTINGS) == "embedding"
