"""What a decision says, and what it must not say."""

import math
from dataclasses import replace
from typing import Any

import pytest

from pipeline.decision.decision import Basis, Decision
from pipeline.decision.sentence import sentence
from pipeline.grid import Point

SHOWN = Decision(
    dataset="flowers",
    kernel="rbf",
    cell="rbf-median1",
    parameters='{"gamma": 0.31}',
    n_components=12,
    scaling="unit",
    C=10.0,
    measure="balanced_accuracy",
    score=0.962,
    low=0.951,
    high=0.973,
    pca=0.881,
    gain=0.081,
    gain_low=0.069,
    gain_high=0.093,
    verdict="gain shown",
    agreeing=4,
    replicates=5,
    rows=150,
    features=4.0,
)
BASIS = Basis(task="classification", point=Point("rbf", {"median": 1}))
CHOSEN = "Gaussian kernel, γ = 0.31 (the median heuristic's), 12 components."
SCORED = "Choosing so scored .962 [.951, .973] balanced accuracy on rows it had not seen"
OPEN: dict[str, Any] = {"verdict": "undecided", "gain_low": -0.012, "gain_high": 0.05}
SAME: dict[str, Any] = {"gain": 0.0, "gain_low": 0.0, "gain_high": 0.0, "verdict": "undecided"}


def said(decision: dict[str, Any] | None = None, **basis: Any) -> str:
    return sentence(replace(SHOWN, **(decision or {})), replace(BASIS, **basis))


def test_a_gain_that_is_shown() -> None:
    assert said() == (
        f"{CHOSEN} {SCORED}, 8.1 points over PCA, gain [6.9, 9.3] points: gain shown. "
        "4 of 5 replicates chose the same kernel."
    )


def test_no_gain() -> None:
    none = {"verdict": "no gain shown", "gain": -0.02, "gain_low": -0.03, "gain_high": -0.01}
    assert said(none) == (
        "PCA is enough: choosing among kernels does not beat it by 1 point on these data. "
        f"{SCORED}, 2.0 points under PCA, gain [−3.0, −1.0] points: no gain shown. "
        f"Chosen: {CHOSEN} 4 of 5 replicates chose the same kernel."
    )


def test_what_is_undecided_says_why_and_what_would_decide_it() -> None:
    assert said(OPEN).startswith(
        "Undecided: the interval of the gain, [−1.2, 5.0] points, holds both gains above 1 point, "
        "which matter, and smaller ones; more rows, and to a degree more replicates, would narrow "
        f"it. {SCORED}, 8.1 points over PCA. Chosen: {CHOSEN}"
    )
    assert "; more replicates would narrow it." in said(OPEN, independent=True)


@pytest.mark.parametrize(
    ("decision", "basis", "words"),
    [
        ({"agreeing": 2}, {}, ". Only 2 of 5 replicates chose the same kernel."),
        ({"agreeing": 0}, {}, "and how well this one does on rows not seen is not known."),
        ({"n_components": 1}, {}, ", 1 component."),
        ({}, {"sampled_from": 900}, "The rows were a sample of 150 of 900 (max_rows)."),
        ({}, {"independent": True}, "Chosen on the 150 training rows of the first draw."),
        ({}, {"point": Point("rbf", {"median": 10})}, "(10 times the median heuristic's)"),
        ({}, {"point": Point("rbf", {"sigma": 2})}, "(σ = 2)"),
        (
            {"kernel": "poly", "parameters": '{"gamma": 0.5, "degree": 3, "coef0": 1}'},
            {"point": Point("poly", {"degree": 3})},
            "Polynomial kernel of degree 3, γ = 0.5, c = 1, 12 components.",
        ),
        ({"kernel": "mine", "parameters": '{"width": 2}'}, {}, "Own kernel mine, width = 2, 12"),
        ({"low": 0.962, "high": 0.962}, {}, "in each of 5 replicates, which gives no interval"),
        ({"replicates": 1, "low": math.nan, "high": math.nan}, {}, "hence no interval"),
        ({"gain": math.nan, "verdict": ""}, {}, "; there is no PCA to compare it with."),
        ({"measure": "correlation"}, {}, ", .081 over PCA, gain [.069, .093]: gain shown."),
        ({"measure": "trustworthiness"}, {"task": "none"}, "No label and no target is known: "),
        ({"score": math.nan}, {}, "What choosing so scores on rows it had not seen is not known."),
        (
            {**OPEN, "gain_low": 0.02},
            {},
            "[2.0, 5.0] points, lies above 1 point, but not after correction",
        ),
        (SAME, {}, "PCA is enough: it scored as the chosen kernels in each of 5 replicates. "),
        ({**SAME, "agreeing": 0}, {}, "Undecided: the gain is the same in each of 5 replicates"),
        (
            {**OPEN, "kernel": "linear", "parameters": "{}"},
            {},
            "Undecided: of all kernels the linear one was chosen, but a gain above 1 point is not",
        ),
        (
            {**OPEN, "kernel": "linear", "parameters": "{}", "gain_high": math.nan},
            {},
            "Undecided: of all kernels the linear one was chosen",
        ),
        (
            {**OPEN, "kernel": "linear", "parameters": "{}", "gain_high": 0.008},
            {},
            "PCA is enough: of all kernels the linear one was chosen. ",
        ),
        (
            {"kernel": "linear", "parameters": "{}"},
            {},
            "gain shown. The gain is that of replicates which chose other kernels.",
        ),
        ({}, {"validated": False}, "Undecided: there were too few rows to validate any kernel."),
    ],
)
def test_every_circumstance_is_told(
    decision: dict[str, Any], basis: dict[str, Any], words: str
) -> None:
    assert words in said(decision, **basis)


@pytest.mark.parametrize(
    ("decision", "basis", "words"),
    [
        ({"kernel": "linear", "parameters": "{}"}, {}, "PCA is enough"),  # a gain was shown
        ({}, {"families": 1}, "replicates chose"),
        ({"low": 0.962, "high": 0.962}, {}, "[.962"),
        ({**SAME, "agreeing": 0}, {}, "PCA is enough"),
    ],
)
def test_nothing_is_said_that_is_not_known(
    decision: dict[str, Any], basis: dict[str, Any], words: str
) -> None:
    assert words not in said(decision, **basis)
    assert "nan" not in said(decision, **basis)
