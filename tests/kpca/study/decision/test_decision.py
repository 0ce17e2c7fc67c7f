"""What is chosen on all rows, from scores that are known."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from kpca.study.datasets.dataset import Dataset
from kpca.study.decision import decision as module
from kpca.study.evidence import selection
from kpca.study.fitting.grid import Point
from kpca.study.scoring.settings import Settings, main_method
from tests.scores import score

SETTINGS = Settings((2, 5), (1.0, 10.0), 3, ("unit",), 2, 0.9)
POINTS = [Point("linear"), Point("rbf", {"median": 1}), Point("rbf", {"gamma": 2.0})]
GRID = {point.id: point for point in POINTS}
COMPARED = {"dataset": "own", "method": "linear_svm", "metric": "balanced_accuracy"}
COMPARED |= {"gain_low": np.nan, "gain_high": np.nan, "high": 1.0}
HALVES = (np.arange(20), np.arange(20, 40))


@pytest.fixture
def dataset():
    X = np.random.default_rng(0).normal(size=(40, 3))
    splits = (HALVES, HALVES[::-1])
    return Dataset(name="own", X=X, y=np.arange(40) % 2, splits=splits, class_names=("a", "b"))


def of_own(value, **setting):
    return score(value, dataset="own", split="cv", **setting)


def validation(*values):
    """Return a validation score for each of three settings of the points, and two of PCA."""
    settings = [
        {"kernel": "linear", "cell": "linear", "n_components": 2, "C": 1.0},
        {"kernel": "rbf", "cell": "rbf-gamma2", "gamma": 2.0, "n_components": 5, "C": 10.0},
        {"kernel": "rbf", "cell": "rbf-median1", "gamma": 0.1, "n_components": 2, "C": 1.0},
    ]
    settings += [{"kernel": "pca", "cell": "pca", "n_components": m, "C": 1.0} for m in (2, 5)]
    raw = {"kernel": "raw", "n_components": 3}
    settings += [
        raw | {"cell": "raw", "C": 1.0},
        raw | {"cell": "raw-median1", "method": "rbf_svm", "gamma": 0.1, "C": 10.0},
        raw | {"cell": "raw", "method": "logistic_regression", "C": 1.0},
    ]
    given = zip([*values, 0.5, 0.6, 0.7, 0.8, 0.75], settings, strict=True)
    return pd.DataFrame([of_own(value, replicate="all", **setting) for value, setting in given])


def tables(*values, used="kernel PCA"):
    rbf = {"kernel": "rbf", "cell": "rbf-median1", "replicate": 0, "criterion": "cv_over_kernels"}
    selected = [rbf, rbf | {"kernel": "poly", "replicate": 1}]
    pca = {"criterion": "cv", "kernel": "pca", "cell": "pca"}
    selected += [rbf | pca | {"n_components": 7}, rbf | pca | {"replicate": 1, "value": 0.7}]
    selected += [
        {"replicate": r, "kernel": "raw", "method": method, "criterion": "cv_over_raw"}
        for r, method in enumerate(["rbf_svm", "random_forest", "rbf_svm"])
    ]
    best = {"kernel": "best kernel", "criterion": "cv_over_kernels", "mean": 0.96, "low": 0.9}
    raw = {"kernel": "best raw", "mean": 0.98}
    pca = pca | {"mean": 0.86}
    compared = [
        best | {"baseline": "chance", "gain": 0.46, "verdict": "better"},
        best | {"baseline": "raw", "gain": -0.02, "verdict": "worse", "probability": 0.1},
        best | {"baseline": "pca", "gain": 0.1, "verdict": "inconclusive", "probability": 0.9},
        pca | {"baseline": "pca"},
        pca | {"baseline": "chance", "gain": 0.36, "verdict": "better"},
        raw | {"baseline": "pca", "gain": 0.12, "probability": 0.97},
        raw | {"baseline": "chance", "gain": 0.48, "verdict": "inconclusive"},
    ]
    ranked = [("raw features", 0.98), ("PCA", 0.86), ("kernel PCA", 0.96)]
    rule = {"dataset": "own", "replicate": 0, "components_for_share": 3}
    cells = [("linear", "linear"), ("rbf", "rbf-gamma2"), ("rbf", "rbf-median1")]
    return {
        "validation": validation(*values),
        "scores": validation(*values).assign(replicate=0),
        "selected": pd.DataFrame([of_own(0.8) | row for row in selected]),
        "comparisons": pd.DataFrame([COMPARED | row for row in compared]),
        "ranking": pd.DataFrame(
            {"dataset": "own", "model": m, "mean": v, "low": v - 0.1, "high": 1.0}
            | {"probability": 0.4, "recommended": m == used, "unconverged": 1.0}
            for m, v in ranked
        ),
        "held_out": pd.DataFrame(columns=["dataset", "model", "metric", "mean"]),
        "by_components": pd.DataFrame({"dataset": ["own"], "n_components": [2.0], "gain": [0.1]}),
        "variance_rule": pd.DataFrame([rule | {"kernel": k, "cell": c} for k, c in cells]),
    }


def decide(*given):
    decision = module.decide(*given)
    compared = {"next": decision.behind, "default": decision.over_default}
    values = {f"{name}_gain": difference.gain for name, difference in compared.items()}
    values |= {f"{name}_probability": of.probability for name, of in compared.items()}
    return vars(decision) | values, decision


def decided(dataset, *values, used="kernel PCA"):
    return decide(dataset, GRID, SETTINGS, tables(*values, used=used))


def test_each_comparison_has_its_word_and_numbers(dataset):
    found, basis = decided(dataset, 0.7, 0.9, 0.8)
    assert found == found | {"vs_chance": "better", "vs_raw": "worse", "vs_pca": "inconclusive"}
    assert found == found | {"score": 0.96, "low": 0.9, "high": 1.0}
    assert found == found | {"chance": pytest.approx(0.5), "pca": 0.86}
    assert found == found | {"gain": 0.1, "raw_gain": -0.02, "chance_gain": 0.46}
    assert found == found | {"raw_method": "rbf_svm", "probability_raw": 0.1}
    assert found == found | {"rows": 40, "replicates": 2, "scaling": "unit"}
    assert found == found | {"view": "rbf-median1", "view_score": 0.8, "view_pca": 0.5}
    assert json.loads(found["view_parameters"])["gamma"] > 0  # of two components, for a picture
    assert found["linear_chosen"] == 1  # of equal ones it is simpler
    assert (basis.unconverged, basis.classes, basis.families) == (3, {"a": 20, "b": 20}, 2)
    assert basis.gains == {2: 0.1}


@pytest.mark.parametrize(
    ("used", "expected"),
    [
        (
            "kernel PCA",
            {"next": "raw features", "next_gain": 0.02, "next_probability": 0.9, "agreeing": 1}
            | {"default": "raw features", "default_gain": -0.02, "default_probability": 0.1}
            | {"vs_chance": "better"}
            | {"model": "kernel PCA", "cell": "rbf-gamma2", "n_components": 5}
            | {"predictor": "linear_svm", "predictor_cell": "rbf-gamma2", "C": 10.0}
            | {"predictor_score": 0.9},
        ),
        (
            "PCA",
            {"next": "raw features", "next_gain": 0.12, "next_probability": 0.97, "agreeing": 1}
            | {"model": "PCA", "cell": "linear", "kernel": "linear", "n_components": 5}
            | {"predictor": "linear_svm", "predictor_cell": "linear", "C": 1.0}
            | {"predictor_score": 0.6},
        ),
        (
            "raw features",
            {"next": "kernel PCA", "next_gain": -0.02, "vs_chance": "inconclusive", "agreeing": 2}
            | {"default": "raw features"}
            | {"model": "kernel PCA", "cell": "rbf-gamma2", "n_components": 5}
            | {"predictor": "rbf_svm", "predictor_cell": "raw-median1", "C": 10.0}
            | {"predictor_score": 0.8},
        ),
    ],
)
def test_what_is_recommended_is_exported(dataset, used, expected):
    found, basis = decided(dataset, 0.95, 0.9, 0.8, used=used)
    assert found == found | expected | {"recommended": used, "recommended_high": 1.0}
    assert ("gamma" in json.loads(found["predictor_parameters"])) == (used == "raw features")
    assert basis.point.id == expected["cell"]


@pytest.mark.parametrize(("probability", "model"), [(0.71, "kernel PCA"), (0.69, "PCA")])
def test_beside_raw_features_the_same_rule_chooses_the_embedding(dataset, probability, model):
    given = tables(0.7, 0.9, 0.8, used="raw features")
    rows = given["comparisons"]
    of_pca = (rows["kernel"] == "best kernel") & (rows["baseline"] == "pca")
    rows.loc[of_pca, "probability"] = probability
    assert decide(dataset, GRID, SETTINGS, given)[0]["model"] == model


def test_the_setting_of_all_rows_is_chosen_as_in_each_split(dataset):
    """The best by validation, though a simpler one is within its standard error."""
    given = tables(0.7, 0.82, 0.8)
    given["validation"]["error"] = 0.1
    found, _ = decide(dataset, GRID, SETTINGS, given)
    assert (
        found["cell"]
        == selection.best_setting(given["validation"].query("kernel == 'rbf'"), ["dataset"])[
            "cell"
        ].item()
    )
    assert found["cell"] == "rbf-gamma2"


def test_the_linear_kernel_is_no_kernel_pca_but_if_it_is_the_only_one(dataset):
    assert decided(dataset, 0.95, 0.9, 0.8)[0]["cell"] == "rbf-gamma2"
    given = tables(0.95, 0.9, 0.8)
    given["validation"] = given["validation"][given["validation"]["kernel"] != "rbf"]
    assert decide(dataset, GRID, SETTINGS, given)[0]["cell"] == "linear"


def test_the_choice_of_draws_is_that_of_the_first(dataset):
    given = tables(0.7, 0.9, 0.8)
    given["scores"] = validation(0.7, 0.8, 0.9).assign(replicate=0)
    found, basis = decide(replace(dataset, independent=True), GRID, SETTINGS, given)
    assert found == found | {"cell": "rbf-median1", "rows": 20}
    assert found == found | {"view": "rbf-median1", "view_score": 0.9, "view_pca": 0.5}
    assert basis.independent


def test_the_edges_of_the_grid_are_named(dataset):
    assert decided(dataset, 0.7, 0.9, 0.8)[1].edges == ("5 components",)
    assert not decided(dataset, 0.7, 0.8, 0.9)[1].edges


@pytest.mark.parametrize(("gamma", "edges"), [(0.01, ()), (9.0, ("γ = 9",))])
def test_only_the_large_end_of_gamma_is_an_edge(dataset, gamma, edges):
    """With a small γ the Gaussian kernel approaches the linear one."""
    given = tables(0.7, 0.8, 0.8)
    best = Point("rbf", {"gamma": gamma})
    setting = {"kernel": "rbf", "cell": best.id, "gamma": gamma, "n_components": 2, "C": 1.0}
    more = pd.DataFrame([of_own(0.99, replicate="all", **setting)])
    given["validation"] = pd.concat([given["validation"], more])
    assert decide(dataset, GRID | {best.id: best}, SETTINGS, given)[1].edges == edges


def test_rows_without_labels_have_the_median_heuristic_and_no_view(dataset):
    scores = tables(0.7, 0.9, 0.8)
    trustworthy = {"method": "embedding", "metric": "trustworthiness", "C": np.nan}
    scores["validation"] = scores["validation"].assign(**trustworthy)
    scores["ranking"] = scores["ranking"].iloc[:0]
    found, _ = decide(replace(dataset, y=None), GRID, SETTINGS, scores)
    assert found == found | {"cell": "rbf-median1", "view": "", "recommended": ""}
    assert found["n_components"] == 3


def test_what_cannot_be_validated_falls_to_a_convention_and_says_so(dataset):
    given = tables(0, 0, 0)
    nothing = {name: table.iloc[:0] for name, table in given.items() if name != "variance_rule"}
    found, basis = decide(dataset, GRID, SETTINGS, given | nothing)
    assert found == found | {"cell": "rbf-median1", "n_components": 3, "vs_pca": "no comparison"}
    assert math.isnan(found["score"])
    assert not basis.validated


def test_a_kernel_is_chosen_by_the_first_method_of_its_task():
    whitened = replace(SETTINGS, scaling=("whiten",))
    both = replace(SETTINGS, scaling=("unit", "whiten"))
    assert main_method("classification", both) == "linear_svm"
    assert main_method("classification", whitened) == "linear_svm_whitened"
    assert main_method("regression", SETTINGS) == "least_squares"
    assert main_method("none", SETTINGS) == "embedding"
