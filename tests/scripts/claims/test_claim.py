"""What a rule says of a case, and statements on the sweep."""

import math
from pathlib import Path

import pandas as pd
import pytest
import yaml

from kpca.study.scoring.metrics import METRICS
from tests.columns import differences
from tests.scores import score, table
from tests.scripts import crossed
from tests.scripts.claims import STATEMENTS as TABLE
from tests.scripts.claims import verdicts
from workflow.scripts.claims import claim, sweep
from workflow.scripts.claims.claim import Case, joined

CASES = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text())
STATED = pd.DataFrame(CASES["statements"])

T = 2.776445  # t(0.975, 4)


def case(name, of, low, high):
    return Case(name, (low + high) / 2, low, high, of, 5, (high - low) / 2 / T)


def found(*cases, kind="universal"):
    return joined(STATED.assign(kind=kind), topic=pd.DataFrame(cases))


@pytest.mark.parametrize(("side", "low", "high", "expected"), CASES["intervals"])
def test_the_whole_interval_decides(side, low, high, expected):
    assert claim.judge(low, high, side, 0.01) == expected


OF_FOUR = (
    case("8-svm", "wine", 0.02, 0.05),
    case("8-svm", "iris", -0.05, -0.01),
    case("8-svm", "digits", -0.03, -0.02),
    case("8-svm", "rings", -0.90, 0.80),
)


@pytest.mark.parametrize(("kind", "verdict", "decides"), CASES["kinds"])
def test_a_statement_is_judged_as_it_was_marked_before_the_run(kind, verdict, decides):
    """Its row is that of the case which lies furthest on the side that decides."""
    tables = found(*OF_FOUR, kind=kind)
    assert differences({f"tables/{name}.csv": table for name, table in tables.items()}) == []
    row = tables["claims"].iloc[0]
    assert (row["verdict"], row["case"]) == (verdict, decides)
    assert row[["holds", "fails", "inconclusive", "not_applicable"]].tolist() == [1, 2, 1, 0]
    assert row["cases"] == (
        "holds in 1 of 4: wine; fails in 2: iris, digits; inconclusive in 1: rings"
    )
    assert tables["claims_cases"]["verdict"].tolist() == ["holds", "fails", "fails", "inconclusive"]


@pytest.mark.parametrize(("of_cases", "by_kind"), CASES["verdicts"])
def test_verdicts_on_statements_follow_from_those_on_cases(of_cases, by_kind):
    assert {kind: claim.statement_verdict(of_cases, kind) for kind in by_kind} == by_kind


def test_a_case_that_can_only_hold_or_only_fail_decides_nothing():
    """Nor does one without a value; statements.csv says when a statement applies."""
    full = case("8-svm", "full", -0.01, 0.0)._replace(highest=0.01)
    sure = case("8-svm", "sure", 0.02, 0.03)._replace(lowest=0.02)
    tables = found(full, sure, case("8-svm", "no mean", math.nan, math.nan), OF_FOUR[0])
    row = tables["claims"].iloc[0]
    assert (row["verdict"], row["case"], row["not_applicable"]) == ("holds", "wine", 3)
    assert row["cases"] == "holds in 1 of 1: wine; not applicable in 3: full, sure, no mean"
    assert row["rule"].startswith("gain > 0.01, if there is room; 5 replicates, 95 % CI, Holm over")
    with pytest.raises(ValueError, match="no condition of: 8-svm"):
        claim.judged(STATED.assign(condition=None), pd.DataFrame([full]))


def test_statements_are_in_order_and_those_unheard_of_or_named_twice_are_refused():
    tables = found(*(case(name, "", 0, 1) for name in ("11-a", "2-b", "1-z")))
    assert tables["claims"]["claim"].tolist() == ["1-z", "2-b", "11-a"]
    with pytest.raises(ValueError, match="names of their own: 2-b"):
        found(case("2-b", "wine", 0, 1), case("2-b", "wine", 0, 1))
    with pytest.raises(ValueError, match="does not state: 5-new"):
        found(case("5-new", "", 0, 1))


def test_one_case_that_could_decide_needs_more_but_not_if_all_cases_agree():
    near = case("8-svm", "wine", 0.011, 0.05)
    far = case("8-svm", "iris", -0.05, 0.9)
    rule = "gain > 0.01, if there is room; 5 replicates, 95 % CI"
    alone = found(near)["claims_cases"]
    together = found(near, far)["claims_cases"]
    assert alone[["verdict", "rule"]].to_numpy().tolist() == [["holds", rule]]
    assert together["verdict"].tolist() == ["inconclusive", "inconclusive"]
    assert set(together["rule"]) == {f"{rule}, Holm over 2 unless all agree"}
    agreed = found(near, near._replace(case="iris"))
    assert agreed["claims"]["verdict"].tolist() == ["holds"]  # an intersection–union test


@pytest.mark.parametrize(
    ("side", "held"), [("above", [0.03]), ("below", [-0.03, 0.0]), ("within", [0.0])]
)
@pytest.mark.parametrize("error", [0.001, 0.1, math.nan])
def test_a_mean_is_judged_by_its_p_value_at_the_threshold(side, held, error):
    """Without a spread, by the number that all replicates agree on."""
    for mean in (-0.03, 0.0, 0.03):
        cases = pd.DataFrame([Case("2-b", mean, mean, mean, "a", 5, error)])
        verdict = claim.judged(STATED.assign(side=side), cases)["verdict"].tolist()
        decided = "holds" if mean in held else "fails"
        assert verdict == ["inconclusive" if error == 0.1 else decided]


def test_an_error_of_a_source_fails_as_expected_and_no_other_statement():
    """An error that is not confirmed gets the verdict of any statement."""
    cases = pd.DataFrame([case("2-b", "", 0.02, 0.04), case("1-z", "", -0.04, -0.02)])
    stated = STATED.assign(expected="fails")
    assert claim.judged(stated, cases)["verdict"].tolist() == ["holds", "fails as expected"]
    assert claim.judged(STATED, cases)["verdict"].tolist() == ["holds", "fails"]
    misprinted = TABLE["statement"].str.contains("as printed|as one source has it")
    assert (misprinted == (TABLE["expected"] == "fails")).all()


def test_the_table_states_each_claim_once_with_the_margins_of_the_comparisons():
    assert TABLE["claim"].is_unique
    assert set(TABLE["side"]) <= {"above", "below", "within"}
    assert set(TABLE["kind"]) == set(claim.KINDS)
    thresholds = TABLE.set_index("claim")["threshold"]
    assert set(thresholds.filter(like="8-svm")) == {METRICS["balanced_accuracy"].margin}
    assert set(thresholds.filter(like="8-kmeans")) == {METRICS["ami"].margin}


DATASETS = pd.DataFrame(CASES["datasets"])


def rows(values, split="test", **changes):
    """A setting's scores, one a replicate."""
    of_setting = {"n_components": 4, "split": split} | changes
    return [score(value, replicate=r, **of_setting) for r, value in enumerate(values)]


def judged(cases):
    """The measured value and the verdict of each case."""
    cases = [*cases]
    words_of = verdicts(pd.DataFrame(cases))
    return {(c.claim, c.case): (c.measured, words_of[c.claim, c.case]) for c in cases}


TUNED = {"criterion": "cv_over_kernels"}


@pytest.mark.parametrize(("row", "claim", "verdict"), CASES["compared"])
def test_improvements_are_those_of_the_comparisons(row, claim, verdict):
    """With their intervals; a baseline at the ceiling leaves no room for one."""
    table = pd.DataFrame([row])
    (case,) = cases = [*sweep.compared(table)]
    assert judged(cases) == {(claim, "rings"): (table["gain"][0], verdict)}
    assert (case.low, case.high) == (table["gain_low"][0], table["gain_high"][0])


def test_differences_have_the_least_half_width_of_their_metric_and_others_have_none():
    """A number of components is no fraction of rows."""
    first, right = (pd.DataFrame(rows([value] * 3, dataset="wine")) for value in (0.9, 0.9))
    of_scores = sweep.Pair("7-cost", first, right, "balanced_accuracy", is_limited=True)
    of_counts = sweep.Pair("7-cost", first, right, metric="")
    scores, counts = sweep.differences([of_scores, of_counts], DATASETS)
    assert (scores.high, scores.highest) == (pytest.approx(0.0092, abs=1e-4), pytest.approx(0.1))
    assert (counts.high, counts.highest) == (0, math.inf)


def test_a_share_of_the_variance_is_scored_where_cross_validation_was():
    scores = table(
        rows([0.9, 0.9]),
        rows([0.5, 0.6], n_components=32),
        rows([1.0, 1.0], n_components=32, cell="rbf-median3"),
        rows([1.0, 1.0], n_components=32, C=10.0),
    )
    cells = ("rbf-median1", "rbf-median3")
    share = crossed("replicate cell", (0, 1), cells, dataset="rings", components_for_share=32)
    pairs = sweep.variance_share(scores, table(rows([0.9, 0.9], **TUNED)), share)
    by_case = judged(sweep.differences(pairs, DATASETS))
    assert by_case["7-count", "rings"] == (3, "fails")
    assert by_case["7-cost", "rings"][0] == pytest.approx(0.35)


@pytest.mark.parametrize(("others", "verdict"), [(0.5, "holds"), (0.995, "fails")])
def test_results_are_sensitive_where_most_settings_are_worse(others, verdict):
    """The reference is chosen on validation folds: the best test score is another setting's."""
    settings = [rows([1.0, 1.0], "cv"), rows([0.999, 0.999])]
    for cell in ("a", "b"):
        settings += [rows([others] * 2, s, cell=cell) for s in ("cv", "test")]
    settings.append(rows([1.0, 1.0], n_components=99))  # never validated
    (claim,) = sweep.sensitivity(table(*settings), {"rbf"}, {"rings": None})
    assert claim.measured == pytest.approx(1 / 3 if verdict == "holds" else 1)
    assert verdicts(pd.DataFrame([claim])) == {("9-sensitive", "rings"): verdict}


def test_hindsight_chooses_on_the_other_replicates():
    """Each setting has a lucky replicate, in which hindsight would choose it."""
    cells = {"a": [1.0, 0.5, 0.5], "b": [0.7, 0.9, 0.7]}
    scores = [rows(v, s, cell=cell) for cell, v in cells.items() for s in ("cv", "test")]
    chosen = sweep.hindsight(table(*scores))
    assert chosen["value"].tolist() == [0.7, 0.5, 0.7]
