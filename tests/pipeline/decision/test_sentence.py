"""What a decision says, and what it must not say."""

import math
from dataclasses import replace
from typing import Any

import pytest

from pipeline.decision.decision import Basis, Decision
from pipeline.decision.sentence import sentence
from pipeline.grid import Point

KERNEL: Decision = {"dataset": "flowers", "measure": "balanced_accuracy", "agreeing": 8}
KERNEL |= {"recommended": "kernel PCA", "recommended_score": 0.962, "recommended_low": 0.951}
KERNEL |= {"recommended_high": 0.973, "replicates": 10, "rows": 150, "linear_chosen": 0}
KERNEL |= {"next": "raw features", "next_gain": -0.022, "next_low": -0.032, "next_high": -0.012}
KERNEL |= {"next_probability": 0.004, "probability_raw": 0.95, "probability_pca": 0.995}
KERNEL |= {"vs_chance": "better", "vs_raw": "inconclusive", "vs_pca": "better"}
KERNEL |= {"model": "kernel PCA", "kernel": "rbf", "parameters": '{"gamma": 0.31}'}
KERNEL |= {"predictor": "linear_svm", "n_components": 12, "features": 4.0}
KERNEL |= {"score": 0.962, "low": 0.951, "high": 0.973, "chance": 0.5, "raw": 0.94, "pca": 0.881}
KERNEL |= {"raw_method": "random_forest", "raw_gain": 0.022, "raw_low": 0.012, "raw_high": 0.032}
KERNEL |= {"gain": 0.081, "gain_low": 0.069, "gain_high": 0.093}
BASIS = Basis(point=Point("rbf", {"median": 1}), classes={"a": 70, "b": 80})
SHORT = "kernel PCA with a Gaussian kernel and a linear SVM"
SCORED = "balanced accuracy 0.962 (95 % CI 0.951 to 0.973) on held-out rows"
MODEL = "kernel PCA with a Gaussian kernel, γ = 0.31 (median heuristic), 12 components"
RAW = {"recommended": "raw features", "predictor": "rbf_svm", "next": "kernel PCA"}
PCA: dict[str, Any] = {"recommended": "PCA", "model": "PCA", "kernel": "linear"}
PCA |= {"parameters": "{}", "next": "kernel PCA"}
PCA |= {"next_gain": 0.001, "next_low": -0.002, "next_high": 0.004}
NONE = {"vs_chance": "no comparison", "vs_raw": "no comparison", "vs_pca": "no comparison"}
UNLABELLED = NONE | {"measure": "trustworthiness", "recommended": ""}
POLY = UNLABELLED | {"kernel": "poly", "parameters": '{"gamma": 0.5, "degree": 3, "coef0": 1}'}
MINE = UNLABELLED | {"kernel": "mine", "parameters": '{"width": 2}'}
OPEN = dict.fromkeys(("recommended_low", "next_low", "next_high", "gain_low"), math.nan)


def said(decision: dict[str, Any] | None = None, **basis: Any) -> str:
    return sentence(KERNEL | (decision or {}), replace(BASIS, **basis))


def test_kernel_pca_is_recommended() -> None:
    assert said() == (
        f"Use {SHORT}: {SCORED}; chance gives 0.500. Raw features is 2.2 points "
        "(95 % CI 1.2 to 3.2) behind; the probability that it is better by at least 1 point is "
        "below 0.01. Kernel PCA is better than PCA: by 8.1 points (95 % CI 6.9 to 9.3)."
    ).replace("features is", "features are").replace("that it is", "that they are")


def test_raw_features_are_recommended() -> None:
    worse = {"vs_raw": "worse", "raw_gain": -0.05, "raw_low": -0.06, "raw_high": -0.04}
    enough = {"vs_pca": "enough", "probability_pca": 0.03, "linear_chosen": 9}
    assert said(RAW | worse | enough) == (
        f"Use a Gaussian SVM on the raw features: {SCORED}; chance gives 0.500. Kernel PCA is 2.2 "
        "points (95 % CI 1.2 to 3.2) behind; the probability that it is better by at least 1 point "
        "is below 0.01. PCA is enough: kernel PCA differs by 8.1 points (95 % CI 6.9 to 9.3); the "
        "probability that it is better by at least 1 point is 0.03. In 9 of 10 splits the linear "
        "kernel, which equals PCA, would have been chosen."
    )


def test_the_simpler_of_equal_options_is_recommended() -> None:
    assert said(PCA) == (
        f"Use PCA with 12 components and a linear SVM: {SCORED}; chance gives 0.500. Kernel PCA "
        "scored 0.1 points (95 % CI −0.2 to 0.4) more. The simpler option is recommended, because "
        "its expected loss is below 0.5 points."
    )


@pytest.mark.parametrize(
    ("decision", "basis", "words"),
    [
        ({"vs_chance": "inconclusive"}, {}, "The data do not show whether there is any signal."),
        ({"vs_chance": "enough"}, {}, "No signal: the best option is no better than chance (0.5"),
        ({"next_gain": -0.0001}, {}, "Raw features have the same mean score; the probability"),
        ({"vs_pca": "worse", "gain": -0.03}, {}, "Kernel PCA is worse than PCA: by 3.0 points"),
        (UNLABELLED | {"n_components": 1}, {}, ", 1 component."),
        (UNLABELLED, {"point": Point("rbf", {"median": 10})}, "(10 × median heuristic)"),
        (UNLABELLED, {"point": Point("rbf", {"sigma": 2})}, "(σ = 2)"),
        (POLY, {"point": Point("poly")}, "polynomial kernel of degree 3, γ = 0.5, c = 1, 12 comp"),
        (MINE, {}, "custom kernel mine, width = 2, 12"),
        ({"measure": "correlation"}, {}, "better than PCA: by 0.081 (95 % CI 0.069 to 0.093)."),
        ({"measure": "correlation"}, {}, "linear SVM: correlation 0.962"),
        ({"recommended_low": 0.9999, "recommended_high": 0.99991}, {}, "(95 % CI above 0.999)"),
        (UNLABELLED, {}, "No comparison: neither a label nor a target was given."),
        (UNLABELLED, {}, f"The exported model is {MODEL}."),
        (NONE | {"features": math.nan}, {}, "A kernel matrix has no raw features and no PCA"),
        ({"recommended_score": math.nan}, {}, "No held-out score could be computed."),
        ({}, {"validated": False}, "Inconclusive: there are too few rows for cross-validation."),
        ({}, {"validated": False}, "defaults that were not tested on these data: Gaussian kernel"),
        (OPEN, {"groups": 12}, "12 groups are too few for confidence intervals (20 are needed)."),
        (OPEN, {"groups": 12}, f"The highest mean has {SHORT}: balanced accuracy 0.962 on held"),
    ],
)
def test_every_circumstance_is_told(
    decision: dict[str, Any], basis: dict[str, Any], words: str
) -> None:
    assert words in said(decision, **basis)
    assert "nan" not in said(decision, **basis)


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (UNLABELLED, "enough"),
        (UNLABELLED, "chance"),
        ({"next_low": math.nan}, "behind; the probability"),
        ({"next": ""}, "behind"),
        ({}, "linear kernel"),
    ],
)
def test_nothing_is_said_that_is_not_known(decision: dict[str, Any], words: str) -> None:
    assert words not in said(decision)


@pytest.mark.parametrize("vs_raw", ["inconclusive", "enough"])
@pytest.mark.parametrize("option", [RAW, PCA, {}])
def test_what_is_open_is_followed_by_its_probability(vs_raw: str, option: dict[str, Any]) -> None:
    for part in said(option | {"vs_raw": vs_raw, "vs_pca": vs_raw}).split(". "):
        assert ("inconclusive" not in part) or "the probability that it is better by at" in part


def test_sentences_are_short() -> None:
    for decision in ({}, PCA, RAW, NONE):
        text = said(decision).replace("95 % CI ", "").replace("; ", ". ").replace(": ", ". ")
        assert all(len(part.split()) <= 25 for part in text.split(". "))
