"""What may limit an answer: each check can be an issue, passed, and not applicable."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.decision.checks import CHECKS, caveats, lone_column, results
from tests.pipeline.decision.test_sentence import BASIS, KERNEL, PCA, RAW, UNLABELLED

CLEAN = replace(BASIS, lone=("x", 0.5))


def status(decision: dict[str, Any], **basis: Any) -> dict[str, str]:
    found = results(KERNEL | decision, replace(CLEAN, **basis))
    return dict(zip(found["code"], found["status"], strict=True))


@pytest.mark.parametrize(
    ("code", "decision", "basis", "words"),
    [
        ("KP001", {"vs_chance": "inconclusive"}, {}, "Without a clear signal"),
        ("KP002", {}, {"classes": {"a": 19, "b": 81}}, "Class 'a' has only 19 of 100 rows"),
        ("KP002", {}, {"classes": {"a": 40, "b": 960}}, "Class 'a' has only 40 of 1000 rows"),
        ("KP003", {"rows": 60}, {}, "There are only 60 rows"),
        ("KP003", {}, {"groups": 30}, "There are only 30 groups"),
        ("KP004", {}, {"lone": ("day", 0.96)}, "The column 'day' alone predicts as well (0.960)"),
        ("KP005", {}, {"kurtosis": 40.0}, "heavy tails (excess kurtosis 40)"),
        ("KP006", {"agreeing": 5}, {}, "only 5 of 10 random splits chose this kernel"),
        ("KP006", RAW | {"agreeing": 0}, {}, "none of 10 random splits chose this predictor"),
        ("KP007", {}, {"edges": ("32 components",)}, "at the edge of the grid (32 components)"),
        ("KP008", {"n_components": 2}, {"fewest": True}, "2 components are as good as more"),
        ("KP009", {}, {"unconverged": 1}, "1 fit of SVMs of chosen settings stopped before conver"),
        ("KP010", {}, {"completeness": "open"}, "missed larger eigenvalues is open"),
        ("KP012", {"vs_pca": "inconclusive"}, {}, "over PCA below about 2.2 points cannot be det"),
        ("KP012", {"vs_pca": "inconclusive", "pca": 0.99}, {}, "which scored 0.990, cannot be"),
    ],
)
def test_an_issue_is_told_with_its_code_before_lesser_ones(
    code: str, decision: dict[str, Any], basis: dict[str, Any], words: str
) -> None:
    first, *_ = caveats(KERNEL | decision, replace(CLEAN, **basis))
    assert words in first
    assert first.endswith(f"({code})")
    assert status(decision, **basis)[code] == "issue"
    assert status({})[code] in ("passed", "not applicable")


@pytest.mark.parametrize(
    ("code", "decision", "basis"),
    [
        ("KP001", UNLABELLED, {}),
        ("KP002", {}, {"classes": {}}),
        ("KP004", {}, {"lone": ("", math.nan)}),
        ("KP005", {}, {}),
        ("KP006", PCA, {}),
        ("KP006", {}, {"families": 1}),
        ("KP008", RAW, {"fewest": True}),
        ("KP010", PCA, {"completeness": ""}),
        ("KP012", {"gain_high": math.nan}, {}),
    ],
)
def test_a_check_may_not_apply(code: str, decision: dict[str, Any], basis: dict[str, Any]) -> None:
    assert status(decision, **basis)[code] == "not applicable"


def test_codes_are_unique_and_warnings_come_first() -> None:
    assert len({check.code for check in CHECKS}) == len(CHECKS)
    severities = [check.severity for check in CHECKS]
    assert severities == sorted(severities, reverse=True)


@pytest.mark.parametrize("task", ["label", "target"])
def test_a_column_that_leaks_the_answer_is_found(task: str) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), np.arange(60) % 2
    X[:, 3] = 0.0  # is constant
    X[:, 2] = 5 * y + 0.1 * X[:, 2]
    answer = {"y": y} if task == "label" else {"target": X[:, 2]}
    splits = ((np.arange(40), np.arange(40, 60)),)
    leaky = Dataset(name="", X=X, splits=splits, feature_names=tuple("abcd"), **answer)

    assert lone_column(leaky) == ("c", pytest.approx(1.0))
    name, score = lone_column(replace(leaky, X=X[:, [0, 1, 3]], feature_names=tuple("abd")))
    assert name in "ab"
    assert score < 0.8
    assert math.isnan(lone_column(replace(leaky, y=None, target=None))[1])
