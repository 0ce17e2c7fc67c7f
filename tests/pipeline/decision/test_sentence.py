"""What a decision says, and what it must not say."""

import math
from dataclasses import replace
from typing import Any

import pytest

from pipeline.decision.decision import Basis, Decision
from pipeline.decision.sentence import caveats, sentence
from pipeline.grid import Point

BETTER: Decision = {"dataset": "flowers", "measure": "balanced_accuracy", "agreeing": 8}
BETTER |= {"vs_chance": "better", "vs_raw": "better", "vs_pca": "better", "replicates": 10}
BETTER |= {"model": "kernel PCA", "kernel": "rbf", "parameters": '{"gamma": 0.31}', "rows": 150}
BETTER |= {"model_score": 0.962, "model_low": 0.951, "model_high": 0.973, "n_components": 12}
BETTER |= {"score": 0.962, "low": 0.951, "high": 0.973, "chance": 0.5, "raw": 0.94, "pca": 0.881}
BETTER |= {"raw_method": "random_forest", "raw_gain": 0.022, "raw_low": 0.012, "raw_high": 0.032}
BETTER |= {"chance_gain": 0.462, "chance_low": 0.45, "chance_high": 0.47}
BETTER |= {"gain": 0.081, "gain_low": 0.069, "gain_high": 0.093, "features": 4.0}
BASIS = Basis(point=Point("rbf", {"median": 1}), classes={"a": 70, "b": 80})
MODEL = "Final model: Gaussian kernel, γ = 0.31 (median heuristic), 12 components."
SCORED = "balanced accuracy 0.962 (95 % CI 0.951 to 0.973) on held-out rows"
STABLE = "Cross-validation chose this kernel in 8 of 10 random splits."
PART = "Scores are those of models trained on 70 % of the rows; the final model uses all of them."
PCA: dict[str, Any] = {"vs_pca": "enough", "model": "PCA", "kernel": "linear", "parameters": "{}"}
PCA |= {"model_score": 0.9612, "gain": 0.001, "gain_low": -0.002, "gain_high": 0.004}
NONE = {"vs_chance": "no comparison", "vs_raw": "no comparison", "vs_pca": "no comparison"}
UNLABELLED = NONE | {"measure": "trustworthiness"}


def said(decision: dict[str, Any] | None = None, **basis: Any) -> str:
    return sentence(BETTER | (decision or {}), replace(BASIS, **basis))


def test_an_improvement() -> None:
    assert said() == (
        f"Kernel PCA predicts the label: {SCORED}; chance gives 0.500. It is better than raw "
        "features: 2.2 points (95 % CI 1.2 to 3.2) above a random forest. It is better than PCA: "
        f"8.1 points (95 % CI 6.9 to 9.3). {MODEL} {STABLE} {PART}"
    )


def test_raw_features_win_and_pca_is_enough() -> None:
    raw = {"vs_raw": "worse", "raw_gain": -0.05, "raw_low": -0.06, "raw_high": -0.04}
    assert said(PCA | raw) == (
        f"Kernel PCA predicts the label: {SCORED}; chance gives 0.500. Raw features are better: "
        "a random forest scored 5.0 points (95 % CI 4.0 to 6.0) more. PCA is enough: an "
        "improvement of 1 point or more is ruled out; the difference is 0.1 points (95 % CI −0.2 "
        "to 0.4). Final model: PCA, 12 components, with balanced accuracy 0.961 (95 % CI 0.951 to "
        "0.973). Cross-validation chose the linear kernel in 8 of 10 random splits. " + PART
    )


@pytest.mark.parametrize(
    ("decision", "basis", "words"),
    [
        ({"vs_chance": "inconclusive"}, {}, "It is open whether there is any signal: balanced"),
        ({"vs_chance": "enough"}, {}, f"No signal: {SCORED}, no better than chance (0.500)."),
        ({"vs_raw": "enough"}, {}, "Raw features are enough: the improvement over a random forest"),
        ({"vs_raw": "inconclusive"}, {}, "Compared with raw features (a random forest), it is in"),
        ({"vs_pca": "inconclusive"}, {}, "Compared with PCA, it is inconclusive: 8.1 points (95"),
        ({**PCA, "vs_pca": "worse", "gain": -0.03}, {}, "PCA is better: it scored 3.0 points"),
        ({"agreeing": 5}, {}, "The choice is unstable: only 5 of 10 random splits chose this k"),
        (
            {"agreeing": 0},
            {"alone": (0.9, 0.8, 0.95)},
            "none of the 10 random splits chose this kernel. Tuned alone in the same splits, it "
            "scored 0.900 (95 % CI 0.800 to 0.950).",
        ),
        ({"n_components": 1}, {}, ", 1 component."),
        ({}, {"independent": True}, "fitted to the 150 training rows of draw 0. Cross"),
        ({}, {"point": Point("rbf", {"median": 10})}, "(10 × median heuristic)"),
        ({}, {"point": Point("rbf", {"sigma": 2})}, "(σ = 2)"),
        (
            {"kernel": "poly", "parameters": '{"gamma": 0.5, "degree": 3, "coef0": 1}'},
            {"point": Point("poly", {"degree": 3})},
            "polynomial kernel of degree 3, γ = 0.5, c = 1, 12 components.",
        ),
        ({"kernel": "mine", "parameters": '{"width": 2}'}, {}, "custom kernel mine, width = 2, 12"),
        ({"kernel": "linear", "parameters": "{}"}, {}, "linear kernel, which equals PCA, 12 comp"),
        ({"measure": "correlation"}, {}, "better than PCA: 0.081 (95 % CI 0.069 to 0.093)."),
        ({"measure": "correlation"}, {}, "predicts the target: correlation 0.962"),
        ({"low": 0.9999, "high": 0.99991}, {}, "(95 % CI 0.99990 to 0.99991)"),
        (UNLABELLED, {}, "No comparison: neither a label nor a target was given."),
        (NONE | {"features": math.nan}, {}, "A kernel matrix has no raw features and no PCA"),
        ({"score": math.nan}, {}, "No held-out score could be computed."),
        ({}, {"validated": False}, "Inconclusive: there are too few rows for cross-validation."),
        ({}, {"validated": False}, "defaults that were not tested on these data: Gaussian kernel"),
        (
            {"vs_chance": "inconclusive", "low": math.nan},
            {"groups": 12},
            "Inconclusive: 12 groups are too few for confidence intervals (20 are needed). "
            "Kernel PCA: balanced accuracy 0.962 on held-out rows; chance gives 0.500.",
        ),
    ],
)
def test_every_circumstance_is_told(
    decision: dict[str, Any], basis: dict[str, Any], words: str
) -> None:
    assert words in said(decision, **basis)
    assert "nan" not in said(decision, **basis)


@pytest.mark.parametrize(
    ("decision", "basis", "words"),
    [
        ({}, {"classes": {"a": 19, "b": 81}}, "Class 'a' has only 19 of 100 rows"),
        ({}, {"classes": {"a": 40, "b": 960}}, "Class 'a' has only 40 of 1000 rows"),
        ({"vs_chance": "inconclusive"}, {}, "Without a clear signal"),
        ({}, {"unconverged": 1}, "1 fit of SVMs stopped before convergence"),
        ({}, {"quick": "7 random splits"}, "a quick look. Leave out quick=true to add 7 random"),
        (
            {"vs_pca": "inconclusive"},
            {},
            "With these 150 rows, an improvement over PCA below about 2.2 points cannot be det",
        ),
        ({"vs_pca": "inconclusive", "pca": 0.99}, {}, "over PCA, which scored 0.990, cannot be"),
        ({}, {"sampled_from": 900}, "a random sample of 150 of 900 rows (max_rows)"),
        ({}, {"train_fraction": 0.7}, PART),
    ],
)
def test_a_caveat_that_applies_is_told_and_the_first_one_in_the_sentence(
    decision: dict[str, Any], basis: dict[str, Any], words: str
) -> None:
    found = [*caveats(BETTER | decision, replace(BASIS, **basis))]
    assert words in found[0]
    assert said(decision, **basis).endswith(found[0])
    assert found[-1] == PART


@pytest.mark.parametrize(
    ("decision", "basis", "words"),
    [
        (UNLABELLED, {}, "enough"),
        (UNLABELLED, {}, "chance"),
        ({}, {"families": 1}, "random splits chose"),
        ({"agreeing": 0}, {}, "Tuned alone"),  # it was not
        ({}, {"independent": True}, "70 %"),
    ],
)
def test_nothing_is_said_that_is_not_known(
    decision: dict[str, Any], basis: dict[str, Any], words: str
) -> None:
    assert words not in said(decision, **basis)


def test_sentences_are_short() -> None:
    for decision in ({}, PCA, NONE):
        text = said(decision).replace("95 % CI ", "")
        assert all(len(part.split()) <= 30 for part in text.split(". "))
