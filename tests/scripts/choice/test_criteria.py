"""Choices without labels: what is measured on training rows, their scores, and those of a run."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from kpca.study.datasets.make import make_dataset
from workflow.scripts.choice import measures as module
from workflow.scripts.choice.measures import measures
from workflow.scripts.choice.scored import USE_LABELS, choices, scored

RINGS = {"generator": "rings", "n_train": 40, "n_test": 20}
TRIED = [0.1, 1, 10]


def measured(dataset):
    return measures(dataset, multiples=TRIED, sizes=[1, 4], folds=3, seed=0)


@pytest.fixture(scope="module")
def rings():
    return make_dataset("rings", RINGS, seed=0, replicates=2)


@pytest.fixture(scope="module")
def table(rings):
    return measured(rings)


def test_every_measure_is_taken_where_it_means_something(rings, table):
    """Without labels only the relevant dimension is missing."""
    counts = table.groupby(["replicate", "measure"]).size().loc[0].to_dict()
    assert counts == {"input": 3 * 2, "likelihood": 3}
    label_free = table[table["measure"] == "input"].reset_index(drop=True)
    pd.testing.assert_frame_equal(measured(replace(rings, y=None)), label_free)


def test_test_rows_and_order_of_labels_mean_nothing(rings, table):
    X = rings.X.copy()
    for _, test in rings.splits:
        X[test] = 1e3
    pd.testing.assert_frame_equal(measured(replace(rings, X=X)), table)
    swapped = measured(replace(rings, y=1 - rings.y))
    pd.testing.assert_frame_equal(swapped, table, rtol=1e-9)


def test_groups_stay_together_and_large_training_sets_are_sampled(monkeypatch, rings):
    split = replace(rings.split(0), groups_train=np.arange(40) // 8)
    for training, left_out in module._folds(split, 3, 0):
        assert not set(training // 8) & set(left_out // 8)
    monkeypatch.setattr(module, "MOST_ROWS", 10)
    sampled = module._sampled(rings.split(0))
    assert len(sampled.X_train) == len(sampled.y_train) == 10


MULTIPLES = {"rbf-median0.1": 0.1, "rbf-median1": 1.0, "rbf-median10": 10.0}


def read(name):
    """Return a table of this folder: measures and scores at some settings of one replicate.

    Scores at a number of components of the variance rule were never validated.
    """
    return pd.read_csv(Path(__file__).with_name(f"{name}.csv"))


MEASURES = read("measures")
SHARE = read("variance_rule")
SCORES = read("scores")


@pytest.fixture(scope="module")
def chosen():
    return choices(MEASURES, SHARE)


def test_each_criterion_chooses_what_its_measure_says(chosen):
    choice = chosen.set_index("criterion")[["multiple", "n_components"]]
    assert {name: tuple(row) for name, row in choice.iterrows()} == {
        "variance": (1, 4),
        "input_denoising": (10, 1),  # One component is as good as three.
        "relevant_dimension": (1, 7),
    }


def test_a_criterion_without_a_finite_value_chooses_nothing():
    lost = MEASURES["measure"] == "likelihood"
    of_widest = (MEASURES["measure"] == "input") & (MEASURES["cell"] == "rbf-median10")
    unknown = MEASURES.assign(value=MEASURES["value"].mask(lost | of_widest))
    choice = choices(unknown, SHARE).set_index("criterion")
    assert choice.index.tolist() == ["variance", "input_denoising"]
    assert choice.loc["input_denoising", ["multiple", "n_components"]].tolist() == [0.1, 3]


def test_the_variance_rule_needs_the_median_heuristic_itself():
    others = MEASURES[MEASURES["multiple"] != 1]
    assert "variance" not in set(choices(others, SHARE)["criterion"])


def test_a_choice_is_worth_the_score_next_to_it_with_c_by_validation(chosen):
    scores = scored(chosen, SCORES, MULTIPLES)
    kmeans = scores[(scores["method"] == "kmeans") & (scores["criterion"] == "variance")]
    assert kmeans["value"].tolist() == [0.2]  # k-means is judged by its main metric.
    assert kmeans["C"].isna().all()

    svm = scores[scores["method"] == "linear_svm"].set_index("criterion")
    assert svm.loc["variance", ["scored_components", "C", "value"]].tolist() == [4, 10, 0.86]
    assert svm.loc["relevant_dimension", ["n_components", "scored_components"]].tolist() == [7, 4]
    assert svm.loc["input_denoising", "value"] == 0.95
    assert svm.loc["cv", ["cell", "n_components", "value"]].tolist() == ["rbf-median1", 4, 0.86]
    assert svm.loc["hindsight", ["cell", "value"]].tolist() == ["rbf-median10", 0.95]
    assert set(svm["cv"]) == {0.86}
    assert set(svm["hindsight"]) == {0.95}
    assert svm.index[svm["uses_labels"]].tolist() == ["relevant_dimension", "cv", "hindsight"]


def test_without_labels_trustworthiness_stands_in_unsupervised(chosen):
    scores = scored(chosen, SCORES[SCORES["method"] == "embedding"], MULTIPLES)
    assert set(scores["method"]) == {"embedding"}
    assert "cv" not in set(scores["criterion"])
    assert scores["cv"].isna().all()
    assert scores.loc[scores["criterion"] == "variance", "value"].tolist() == [0.9]


def test_trustworthiness_is_validated_without_labels(chosen):
    scores = scored(chosen, read("trustworthiness"), MULTIPLES).set_index("criterion")
    assert scores.loc["cv", "value"] == scores.loc["hindsight", "value"] == 0.8
    assert not scores["uses_labels"].loc[["cv", "hindsight"]].any()


def test_every_replicate_has_every_choice_beside_that_of_the_sweep(swept):
    table = pd.read_csv(swept / "results/tables/label_free.csv")
    svm = table[(table["dataset"] == "rings") & (table["method"] == "linear_svm")]
    assert svm.groupby("replicate")["criterion"].nunique().tolist() == [5, 5]
    assert set(svm.loc[svm["uses_labels"], "criterion"]) == set(USE_LABELS)
    assert (svm["hindsight"] >= svm[["value", "cv"]].max(axis=1)).all()

    validated = table.query("criterion == 'cv'")
    selected = pd.read_csv(swept / "results/tables/selected.csv")
    keys = ["dataset", "replicate", "method", "metric"]
    by_cv = selected.query("criterion == 'cv' and kernel == 'rbf' and split == 'test'")
    both = validated.merge(by_cv, on=keys, suffixes=("", "_sweep"))
    assert len(both) == len(validated)
    assert (both["cell"] == both["cell_sweep"]).all()
    np.testing.assert_allclose(both["value"], both["value_sweep"])
