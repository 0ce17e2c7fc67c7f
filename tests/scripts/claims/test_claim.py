"""The rule of a claim, and the table of claims."""

from typing import Literal

import pandas as pd
import pytest

from pipeline.tables.metrics import METRICS
from tests.scripts.claims import STATEMENTS as TABLE
from workflow.scripts.claims.claim import (
    CASES,
    STATEMENTS,
    Claim,
    Rule,
    Statements,
    averaged,
    claims_table,
    joined,
)

GAIN = Rule("gain", "above", 0.01, replicates=5)


def case(claim: str, name: str, low: float, high: float) -> Claim:
    return Claim(claim, "Better.", "", (low + high) / 2, low, high, GAIN, "gain", name)


@pytest.mark.parametrize(
    ("side", "low", "high", "expected"),
    [
        ("above", 0.02, 0.05, "holds"),
        ("above", -0.05, 0.005, "fails"),
        ("above", 0.0, 0.05, "undecided"),
        ("below", -0.05, -0.02, "holds"),
        ("below", 0.02, 0.05, "fails"),
        ("below", 0.005, 0.02, "undecided"),
        ("within", -0.005, 0.005, "holds"),
        ("within", 0.02, 0.05, "fails"),
        ("within", -0.05, -0.02, "fails"),
        ("within", -0.02, 0.005, "undecided"),
    ],
)
def test_the_whole_interval_decides(
    side: Literal["above", "below", "within"], low: float, high: float, expected: str
) -> None:
    assert Rule("gain", side, 0.01, replicates=5).judge(low, high) == expected


def test_a_verdict_that_a_table_has_already_is_taken_over() -> None:
    assert case("8-svm", "rings", 0.02, 0.04).verdict == "holds"
    known = Claim("8-svm", "Better.", "", 0.03, 0.02, 0.04, GAIN, "", known="undecided")
    assert known.verdict == "undecided"


@pytest.mark.parametrize(
    ("side", "best", "worst"), [("above", 3.0, -3.0), ("below", -3.0, 3.0), ("within", 0.0, -3.0)]
)
def test_room_is_what_lies_between_a_value_and_its_threshold(
    side: Literal["above", "below", "within"], best: float, worst: float
) -> None:
    rule = Rule("gain", side, 1.0)
    assert rule.room(best) > 0 > rule.room(worst)
    assert rule.room(1.0) == 0


def test_a_statement_is_as_true_as_the_case_that_is_furthest_on_the_wrong_side() -> None:
    cases = [
        case("8-svm", "wine", 0.02, 0.05),
        case("8-svm", "iris", -0.05, -0.01),
        case("8-svm", "digits", -0.03, -0.02),
        case("8-svm", "rings", -0.90, 0.80),
    ]
    statements, listed = joined([claims_table(cases)])

    assert list(statements.columns) == STATEMENTS
    row = statements.iloc[0]
    assert (row["verdict"], row["low"], row["high"]) == ("fails", -0.05, -0.01)
    assert row["rule"] == (
        "gain > 0.01; 5 replicates, 95 % interval; worst of 4 cases: "
        "1 hold, 2 fail, 1 undecided (iris decides)"
    )
    assert list(listed.columns) == CASES
    assert listed["verdict"].tolist() == ["holds", "fails", "fails", "undecided"]


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([(0.02, 0.05), (0.02, 0.03)], "holds"),
        ([(0.02, 0.05), (0.00, 0.03)], "undecided"),
    ],
)
def test_a_statement_holds_where_all_its_cases_hold(
    verdicts: list[tuple[float, float]], expected: str
) -> None:
    cases = [case("8-svm", str(i), *bounds) for i, bounds in enumerate(verdicts)]
    assert joined([claims_table(cases)])[0]["verdict"].tolist() == [expected]


def test_statements_stand_in_the_order_of_their_groups() -> None:
    parts = [claims_table([case(name, "", 0, 1) for name in n]) for n in (["11-a", "2-b"], ["1-z"])]
    statements, cases = joined(parts)
    assert statements["claim"].tolist() == cases["claim"].tolist() == ["1-z", "2-b", "11-a"]


def test_two_cases_of_one_name_are_refused() -> None:
    twice = claims_table([case("2-b", "wine", 0, 1)] * 2)
    with pytest.raises(ValueError, match="names of their own: 2-b"):
        joined([twice])


def test_intervals_that_are_judged_together_are_wider_and_the_rule_says_so() -> None:
    alone, together = (averaged([0.0, 1.0, 2.0], None, comparisons=n) for n in (1, 7))
    assert together[0] == alone[0]
    assert together[1] < alone[1]
    rule = Rule("gain", "above", 0.01, replicates=3, comparisons=7)
    assert str(rule) == "gain > 0.01; 3 replicates, 95 % interval, joint over 7"


def test_a_statement_of_the_table_is_judged_by_its_rule() -> None:
    stated = Statements(TABLE)
    (found,) = stated.of_rows(
        "2-uncentred",
        pd.DataFrame([{"kernel": "rbf", "dataset": "wine", "mean": 0.0, "low": -0.1, "high": 0.0}]),
        replicates=10,
        comparisons=7,
    )
    assert (found.claim, found.case, found.verdict) == ("2-uncentred", "rbf, wine", "fails")
    assert str(found.rule).endswith("> 0.01; 10 replicates, 95 % interval, joint over 7")
    assert stated.of("5-roll-isomap", 1e-12).verdict == "holds"
    with pytest.raises(KeyError):
        stated.of("5-roll-unheard-of", 1.0)


def test_the_table_states_each_claim_once_with_the_margins_of_the_comparisons() -> None:
    assert TABLE["claim"].is_unique
    assert set(TABLE["side"]) <= {"above", "below", "within"}
    thresholds = TABLE.set_index("claim")["threshold"]
    assert set(thresholds.filter(like="8-svm")) == {METRICS["balanced_accuracy"].margin}
    assert set(thresholds.filter(like="8-kmeans")) == {METRICS["ami"].margin}
