"""What a rule says of a case, the tables of statements and cases, and their figures."""

import math

import pandas as pd
import pytest

from pipeline.tables.metrics import METRICS
from tests.scripts.claims import STATEMENTS as TABLE
from workflow.scripts.claims import (
    claim,
    figure_identities,
    identities,
    rkhs,
)
from workflow.scripts.claims.claim import CASES, STATEMENTS, Case, claims_table, joined

NAMES = ["8-svm", "1-z", "11-a", "2-b"]
STATED = pd.DataFrame(
    {"claim": NAMES, "statement": "Better.", "source_value": None, "estimand": "gain"}
).assign(side="above", threshold=0.01, figure="gain")

T = 2.776445  # t(0.975, 4)


def case(name: str, of: str, low: float, high: float) -> Case:
    return Case(name, (low + high) / 2, low, high, of, 5, (high - low) / 2 / T)


def found(*cases: Case) -> dict[str, pd.DataFrame]:
    return joined(STATED, topic=claims_table(cases))


@pytest.mark.parametrize(
    ("side", "low", "high", "expected"),
    [
        ("above", 0.02, 0.05, "holds"),  # further: `test_a_verdict_needs_the_whole_interval`
        ("below", -0.05, -0.02, "holds"),
        ("below", 0.02, 0.05, "fails"),
        ("below", 0.005, 0.02, "inconclusive"),
        ("within", -0.005, 0.005, "holds"),
        ("within", 0.02, 0.05, "fails"),
        ("within", -0.05, -0.02, "fails"),
        ("within", -0.02, 0.005, "inconclusive"),
    ],
)
def test_the_whole_interval_decides(side: str, low: float, high: float, expected: str) -> None:
    assert claim.judge(low, high, side, 0.01) == expected


@pytest.mark.parametrize(
    ("side", "best", "worst"), [("above", 3.0, -3.0), ("below", -3.0, 3.0), ("within", 0.0, -3.0)]
)
def test_room_lies_between_a_value_and_its_threshold(side: str, best: float, worst: float) -> None:
    assert claim.room(best, side, 1.0) > 0 > claim.room(worst, side, 1.0)
    assert claim.room(1.0, side, 1.0) == 0


def test_a_statement_is_as_true_as_the_case_that_is_furthest_on_the_wrong_side() -> None:
    tables = found(
        case("8-svm", "wine", 0.02, 0.05),
        case("8-svm", "iris", -0.05, -0.01),
        case("8-svm", "digits", -0.03, -0.02),
        case("8-svm", "rings", -0.90, 0.80),
    )
    assert list(tables["claims"].columns) == STATEMENTS
    row = tables["claims"].iloc[0]
    assert (row["verdict"], row["low"], row["high"]) == ("fails", -0.05, -0.01)
    assert row["rule"] == (
        "gain > 0.01; 5 replicates, 95 % interval, Holm over 4; worst of 4 cases: "
        "1 hold, 2 fail, 1 inconclusive (iris decides)"
    )
    assert list(tables["claims_cases"].columns) == CASES
    assert tables["claims_cases"]["verdict"].tolist() == ["holds", "fails", "fails", "inconclusive"]


@pytest.mark.parametrize(("low", "expected"), [(0.02, "holds"), (0.00, "inconclusive")])
def test_a_statement_holds_if_all_its_cases_do(low: float, expected: str) -> None:
    tables = found(case("8-svm", "a", 0.02, 0.05), case("8-svm", "b", low, 0.03))
    assert tables["claims"]["verdict"].tolist() == [expected]


def test_statements_stand_in_the_order_of_their_groups() -> None:
    tables = found(*(case(name, "", 0, 1) for name in ("11-a", "2-b", "1-z")))
    assert tables["claims"]["claim"].tolist() == ["1-z", "2-b", "11-a"]
    assert tables["claims_cases"]["claim"].tolist() == ["1-z", "2-b", "11-a"]


def test_two_cases_of_one_name_and_unheard_of_statements_are_refused() -> None:
    with pytest.raises(ValueError, match="names of their own: 2-b"):
        found(case("2-b", "wine", 0, 1), case("2-b", "wine", 0, 1))
    with pytest.raises(ValueError, match="does not state: 5-new"):
        found(case("5-new", "", 0, 1))


def test_cases_that_are_judged_together_need_more_and_the_rule_says_so() -> None:
    near = case("8-svm", "wine", 0.011, 0.05)
    alone = found(near)["claims"]
    together = found(near, case("8-svm", "iris", -0.05, 0.9))

    assert alone[["verdict", "rule"]].iloc[0].tolist() == [
        "holds",
        "gain > 0.01; 5 replicates, 95 % interval",
    ]
    assert together["claims_cases"]["verdict"].tolist() == ["inconclusive", "inconclusive"]
    assert set(together["claims_cases"]["rule"]) == {
        "gain > 0.01; 5 replicates, 95 % interval, Holm over 2"
    }


@pytest.mark.parametrize(
    ("side", "mean", "expected"),
    [
        ("above", 0.03, "holds"),
        ("above", -0.03, "fails"),
        ("below", 0.03, "fails"),
        ("below", -0.03, "holds"),
        ("within", 0.03, "fails"),
        ("within", -0.03, "fails"),
        ("within", 0.0, "holds"),
    ],
)
@pytest.mark.parametrize("error", [0.001, 0.1, math.nan])
def test_a_mean_is_judged_by_its_p_value_at_the_threshold(
    side: str, mean: float, expected: str, error: float
) -> None:
    """Without a spread, by the number that all replicates agree on."""
    stated = STATED.assign(side=side)
    cases = claims_table([Case("2-b", mean, mean, mean, "a", 5, error)])
    wanted = "inconclusive" if error == 0.1 else expected
    assert claim.judged(stated, cases)["verdict"].tolist() == [wanted]


def test_the_table_states_each_claim_once_with_the_margins_of_the_comparisons() -> None:
    assert TABLE["claim"].is_unique
    assert set(TABLE["side"]) <= {"above", "below", "within"}
    thresholds = TABLE.set_index("claim")["threshold"]
    assert set(thresholds.filter(like="8-svm")) == {METRICS["balanced_accuracy"].margin}
    assert set(thresholds.filter(like="8-kmeans")) == {METRICS["ami"].margin}


FEW = {"seed": 0, "replicates": 2}
SEED = {"seed": 0}

pytestmark = pytest.mark.filterwarnings(
    "ignore::kpca.certificates.definiteness.IndefiniteKernelWarning"
)


def marks():
    measured = identities.measure(**FEW)
    cases = {"identities": measured["claims"], "rkhs": rkhs.measure(**SEED)["claims"]}
    return {"gains": measured["gains"], "statements": TABLE} | cases


def test_marks_of_the_figure_lie_in_their_band_where_a_claim_holds():
    given = marks()
    cases = [given["identities"], given["rkhs"]]
    table = figure_identities.deviations(TABLE, figure_identities.pd.concat(cases))
    above = table["deviation"] > table["bound"]
    right_side = above == (table["side"] == "above")
    assert (right_side == (table["verdict"] == "holds")).all()
    assert len(table) == TABLE["group"].notna().sum()
