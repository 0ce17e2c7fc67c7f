"""What is chosen on all rows, from scores that are known."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from kpca.study.datasets.dataset import Dataset
from kpca.study.decision import decision as module
from kpca.study.evidence import selection
from kpca.study.fitting.grid import Point
from kpca.study.scoring.settings import Settings, main_method
from tests.scores import score

SETTINGS = Settings((2, 5), (1.0, 10.0), 3, ("unit",), 2, 0.9)
POINTS = [Point("linear"), Point("rbf", {"median": 1}), Point("rbf", {"gamma": 2.0})]
GRID = {point.id: point for point in POINTS}
TABLES = yaml.safe_load(Path(__file__).with_name("tables.yaml").read_text())
HALVES = (np.arange(20), np.arange(20, 40))


@pytest.fixture
def dataset():
    X = np.random.default_rng(0).normal(size=(40, 3))
    splits = (HALVES, HALVES[::-1])
    return Dataset(name="own", X=X, y=np.arange(40) % 2, splits=splits, class_names=("a", "b"))


def of_own(value, **setting):
    return score(value, dataset="own", split="cv", **setting)


def validation(*values):
    """Return a validation score for each of three settings of the points, and five baselines."""
    pairs = zip([*values, 0.5, 0.6, 0.7, 0.8, 0.75], TABLES["settings"], strict=True)
    return pd.DataFrame([of_own(value, replicate="all", **setting) for value, setting in pairs])


def table(name):
    return pd.DataFrame(TABLES[name]).assign(dataset="own")


def tables(*values, used="kernel PCA"):
    ranking = table("ranking")
    return {
        "validation": validation(*values),
        "scores": validation(*values).assign(replicate=0),
        "selected": pd.DataFrame([of_own(0.8) | row for row in TABLES["selected"]]),
        "comparisons": table("comparisons"),
        "ranking": ranking.assign(recommended=ranking["model"] == used),
        "held_out": pd.DataFrame(columns=["dataset", "model", "metric", "mean"]),
        "by_components": pd.DataFrame({"dataset": ["own"], "n_components": [2.0], "gain": [0.1]}),
        "variance_rule": table("variance_rule"),
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
    decision, basis = decided(dataset, 0.7, 0.9, 0.8)
    expected = TABLES["decided"] | {"chance": pytest.approx(0.5)}
    assert decision == decision | expected
    # The view has two components, for a picture.
    assert json.loads(decision["view_parameters"])["gamma"] > 0
    assert (basis.unconverged, basis.classes, basis.families) == (3, {"a": 20, "b": 20}, 2)
    assert basis.gains == {2: 0.1}


@pytest.mark.parametrize(("used", "expected"), TABLES["recommended"])
def test_what_is_recommended_is_exported(dataset, used, expected):
    decision, basis = decided(dataset, 0.95, 0.9, 0.8, used=used)
    assert decision == decision | expected | {"recommended": used, "recommended_high": 1.0}
    assert ("gamma" in json.loads(decision["predictor_parameters"])) == (used == "raw features")
    assert basis.point.id == expected["cell"]


@pytest.mark.parametrize(("probability", "model"), [(0.71, "kernel PCA"), (0.69, "PCA")])
def test_beside_raw_features_the_same_rule_chooses_the_embedding(dataset, probability, model):
    scores = tables(0.7, 0.9, 0.8, used="raw features")
    rows = scores["comparisons"]
    of_pca = (rows["kernel"] == "best kernel") & (rows["baseline"] == "pca")
    rows.loc[of_pca, "probability"] = probability
    assert decide(dataset, GRID, SETTINGS, scores)[0]["model"] == model


def test_the_setting_of_all_rows_is_chosen_as_in_each_split(dataset):
    """The best by validation, though a simpler one is within its standard error."""
    scores = tables(0.7, 0.82, 0.8)
    scores["validation"]["error"] = 0.1
    decision, _ = decide(dataset, GRID, SETTINGS, scores)
    of_rbf = scores["validation"].query("kernel == 'rbf'")
    best = selection.best_setting(of_rbf, ["dataset"])
    assert decision["cell"] == best["cell"].item() == "rbf-gamma2"


def test_the_linear_kernel_is_no_kernel_pca_but_if_it_is_the_only_one(dataset):
    assert decided(dataset, 0.95, 0.9, 0.8)[0]["cell"] == "rbf-gamma2"
    scores = tables(0.95, 0.9, 0.8)
    scores["validation"] = scores["validation"][scores["validation"]["kernel"] != "rbf"]
    assert decide(dataset, GRID, SETTINGS, scores)[0]["cell"] == "linear"


def test_the_choice_of_draws_is_that_of_the_first(dataset):
    scores = tables(0.7, 0.9, 0.8)
    scores["scores"] = validation(0.7, 0.8, 0.9).assign(replicate=0)
    decision, basis = decide(replace(dataset, independent=True), GRID, SETTINGS, scores)
    assert decision == decision | {"cell": "rbf-median1", "rows": 20}
    assert decision == decision | {"view": "rbf-median1", "view_score": 0.9, "view_pca": 0.5}
    assert basis.independent


def test_the_edges_of_the_grid_are_named(dataset):
    assert decided(dataset, 0.7, 0.9, 0.8)[1].edges == ("5 components",)
    assert not decided(dataset, 0.7, 0.8, 0.9)[1].edges


@pytest.mark.parametrize(("gamma", "edges"), [(0.01, ()), (9.0, ("γ = 9",))])
def test_only_the_large_end_of_gamma_is_an_edge(dataset, gamma, edges):
    """With a small γ the Gaussian kernel approaches the linear one."""
    scores = tables(0.7, 0.8, 0.8)
    best = Point("rbf", {"gamma": gamma})
    setting = {"kernel": "rbf", "cell": best.id, "gamma": gamma, "n_components": 2, "C": 1.0}
    more = pd.DataFrame([of_own(0.99, replicate="all", **setting)])
    scores["validation"] = pd.concat([scores["validation"], more])
    assert decide(dataset, GRID | {best.id: best}, SETTINGS, scores)[1].edges == edges


def test_rows_without_labels_have_the_median_heuristic_and_no_view(dataset):
    scores = tables(0.7, 0.9, 0.8)
    trustworthy = {"method": "embedding", "metric": "trustworthiness", "C": np.nan}
    scores["validation"] = scores["validation"].assign(**trustworthy)
    scores["ranking"] = scores["ranking"].iloc[:0]
    decision, _ = decide(replace(dataset, y=None), GRID, SETTINGS, scores)
    assert decision == decision | {"cell": "rbf-median1", "view": "", "recommended": ""}
    assert decision["n_components"] == 3


def test_what_cannot_be_validated_falls_to_a_convention_and_says_so(dataset):
    scores = tables(0, 0, 0)
    nothing = {name: table.iloc[:0] for name, table in scores.items() if name != "variance_rule"}
    decision, basis = decide(dataset, GRID, SETTINGS, scores | nothing)
    assert decision == decision | {
        "cell": "rbf-median1",
        "n_components": 3,
        "vs_pca": "no comparison",
    }
    assert math.isnan(decision["score"])
    assert not basis.validated


def test_a_kernel_is_chosen_by_the_first_method_of_its_task():
    whitened = replace(SETTINGS, scaling=("whiten",))
    both = replace(SETTINGS, scaling=("unit", "whiten"))
    assert main_method("classification", both) == "linear_svm"
    assert main_method("classification", whitened) == "linear_svm_whitened"
    assert main_method("regression", SETTINGS) == "least_squares"
    assert main_method("none", SETTINGS) == "embedding"
