"""What a rule says of a case, and statements on the sweep."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
import pytest

from pipeline.tables.metrics import METRICS
from tests.scores import score, table
from tests.scripts.claims import STATEMENTS as TABLE
from tests.scripts.claims import verdicts
from workflow.scripts.claims import claim, sweep
from workflow.scripts.claims.claim import CASES, STATEMENTS, Case, joined

NAMES = ["8-svm", "1-z", "11-a", "2-b"]
STATED = pd.DataFrame(
    {"claim": NAMES, "statement": "Better.", "source_value": None, "estimand": "gain"}
).assign(side="above", threshold=0.01, figure="gain", expected=None)

T = 2.776445  # t(0.975, 4)


def case(name: str, of: str, low: float, high: float) -> Case:
    return Case(name, (low + high) / 2, low, high, of, 5, (high - low) / 2 / T)


def found(*cases: Case) -> dict[str, pd.DataFrame]:
    return joined(STATED, topic=pd.DataFrame(cases))


@pytest.mark.parametrize(
    ("side", "low", "high", "expected"),
    [
        ("above", 0.02, 0.05, "holds"),
        ("below", 0.02, 0.05, "fails"),
        ("below", 0.005, 0.02, "inconclusive"),
        ("within", -0.005, 0.005, "holds"),
        ("within", -0.05, -0.02, "fails"),
        ("within", -0.02, 0.005, "inconclusive"),
        ("within", -0.05, 0.05, "inconclusive"),
    ],
)
def test_the_whole_interval_decides(side: str, low: float, high: float, expected: str) -> None:
    assert claim.judge(low, high, side, 0.01) == expected


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


def test_two_cases_of_one_name_and_unheard_of_statements_are_refused() -> None:
    with pytest.raises(ValueError, match="names of their own: 2-b"):
        found(case("2-b", "wine", 0, 1), case("2-b", "wine", 0, 1))
    with pytest.raises(ValueError, match="does not state: 5-new"):
        found(case("5-new", "", 0, 1))


def test_cases_that_are_judged_together_need_more_and_the_rule_says_so() -> None:
    near, far = case("8-svm", "wine", 0.011, 0.05), case("8-svm", "iris", -0.05, 0.9)
    rule = "gain > 0.01; 5 replicates, 95 % interval"
    alone, together = found(near)["claims_cases"], found(near, far)["claims_cases"]
    assert alone[["verdict", "rule"]].to_numpy().tolist() == [["holds", rule]]
    assert together["verdict"].tolist() == ["inconclusive", "inconclusive"]
    assert set(together["rule"]) == {f"{rule}, Holm over 2"}


@pytest.mark.parametrize(
    ("side", "held"), [("above", [0.03]), ("below", [-0.03, 0.0]), ("within", [0.0])]
)
@pytest.mark.parametrize("error", [0.001, 0.1, math.nan])
def test_a_mean_is_judged_by_its_p_value_at_the_threshold(
    side: str, held: list[float], error: float
) -> None:
    """Without a spread, by the number that all replicates agree on."""
    for mean in (-0.03, 0.0, 0.03):
        cases = pd.DataFrame([Case("2-b", mean, mean, mean, "a", 5, error)])
        found = claim.judged(STATED.assign(side=side), cases)["verdict"].tolist()
        decided = "holds" if mean in held else "fails"
        assert found == ["inconclusive" if error == 0.1 else decided]


def test_an_error_of_a_source_fails_as_expected_and_no_other_statement() -> None:
    """An error that is not confirmed gets the verdict of any statement."""
    cases = pd.DataFrame([case("2-b", "", 0.02, 0.04), case("1-z", "", -0.04, -0.02)])
    stated = STATED.assign(expected="fails")
    assert claim.judged(stated, cases)["verdict"].tolist() == ["holds", "fails as expected"]
    assert claim.judged(STATED, cases)["verdict"].tolist() == ["holds", "fails"]
    said = TABLE["statement"].str.contains("as printed|as one source has it")
    assert (said == (TABLE["expected"] == "fails")).all()


def test_the_table_states_each_claim_once_with_the_margins_of_the_comparisons() -> None:
    assert TABLE["claim"].is_unique
    assert set(TABLE["side"]) <= {"above", "below", "within"}
    thresholds = TABLE.set_index("claim")["threshold"]
    assert set(thresholds.filter(like="8-svm")) == {METRICS["balanced_accuracy"].margin}
    assert set(thresholds.filter(like="8-kmeans")) == {METRICS["ami"].margin}


OVERLAP = {"rings": None, "wine": 0.4}


def rows(values: Sequence[float], split: str = "test", **changes: Any) -> list[dict[str, Any]]:
    """A setting's scores, one a replicate."""
    of_setting = {"n_components": 4, "split": split} | changes
    return [score(value, replicate=r, **of_setting) for r, value in enumerate(values)]


def judged(pairs: Iterable[sweep.Pair], **least: float) -> dict[tuple[str, str], tuple[float, str]]:
    """The measured value and the verdict of each case."""
    cases = [*sweep.differences(pairs, OVERLAP, least)]
    found = verdicts(pd.DataFrame(cases))
    return {(c.claim, c.case): (c.measured, found[c.claim, c.case]) for c in cases}


TUNED = {"criterion": "cv_over_kernels"}


def test_gains_are_paired_with_pca_and_with_raw_rows() -> None:
    kmeans = {"method": "kmeans"}
    selected = table(
        rows([0.9, 0.7], **TUNED, **kmeans),
        rows([0.8, 0.6], criterion="cv", kernel="pca", **kmeans),
        rows([0.85, 0.65], criterion="label_free", **kmeans),
        rows([0.9, 0.7], **TUNED),
        rows([0.8, 0.6], criterion="cv", kernel="raw"),
        rows([0.9, 0.5], **TUNED, dataset="wine"),
        rows([0.5, 0.9], criterion="cv", kernel="raw", dataset="wine"),
    )
    assert judged(sweep.gains(selected)) == {
        ("8-kmeans-tuned-pca", "rings"): (pytest.approx(0.1), "holds"),
        ("8-kmeans-label-free-pca", "rings"): (pytest.approx(0.05), "holds"),
        ("8-svm-tuned-raw", "rings"): (pytest.approx(0.1), "holds"),
        ("8-svm-tuned-raw", "wine"): (pytest.approx(0), "inconclusive"),
    }


@pytest.mark.parametrize(("least", "verdict"), [(0.1, "inconclusive"), (0.0001, "fails")])
def test_equal_scores_are_judged_by_the_number_of_held_out_rows(least: float, verdict: str) -> None:
    """As in the comparisons: the number of rows tells how far an equality goes."""
    pca = rows([0.9, 0.9], criterion="cv", kernel="pca")
    pairs = sweep.gains(table(rows([0.9, 0.9], **TUNED), pca))
    assert judged(pairs, rings=least) == {("8-svm-tuned-pca", "rings"): (0, verdict)}


def test_a_share_of_the_variance_is_scored_where_cross_validation_was() -> None:
    scores = table(
        rows([0.9, 0.9]),
        rows([0.5, 0.6], n_components=32),
        rows([1.0, 1.0], n_components=32, cell="rbf-median3"),
        rows([1.0, 1.0], n_components=32, C=10.0),
    )
    share = pd.DataFrame(
        [("rings", r, "rbf", cell, 32) for r in (0, 1) for cell in ("rbf-median1", "rbf-median3")],
        columns=["dataset", "replicate", "kernel", "cell", "components_for_share"],
    )
    found = judged(sweep.variance_share(scores, table(rows([0.9, 0.9], **TUNED)), share))
    assert found["7-count", "rings"] == (3, "fails")
    assert found["7-cost", "rings"][0] == pytest.approx(0.35)


@pytest.mark.parametrize(("others", "verdict"), [(0.5, "holds"), (0.995, "fails")])
def test_results_are_sensitive_where_most_settings_are_worse(others: float, verdict: str) -> None:
    settings = [rows([1.0, 1.0], s) for s in ("cv", "test")]
    for cell in ("a", "b"):
        settings += [rows([others] * 2, s, cell=cell) for s in ("cv", "test")]
    settings.append(rows([1.0, 1.0], n_components=99))  # never validated
    (claim,) = sweep.sensitivity(table(*settings), {"rbf"})
    assert claim.measured == pytest.approx(1 / 3 if verdict == "holds" else 1)
    assert verdicts(pd.DataFrame([claim])) == {("9-sensitive", "rings"): verdict}


def test_kernels_are_compared_with_the_chosen_one_on_the_data_that_they_suit() -> None:
    selected = table(
        *(rows([0.9, 0.9], **TUNED, dataset=dataset) for dataset in OVERLAP),
        rows([0.9, 0.9], criterion="cv"),
        rows([0.5, 0.5], criterion="cv", kernel="linear", dataset="wine"),
    )
    quadric = {"kernel": "poly", "cell": "poly-degree2", "degree": 2.0}
    scores = table(*(rows([0.88, 0.88], split, **quadric) for split in ("cv", "test")))
    sources = {"dataset": ["rings", "wine"], "source": ["generator rings", "generator linear"]}
    found = judged(sweep.kernels(scores, selected, pd.DataFrame(sources)))
    assert {case: verdict for case, (_, verdict) in found.items()} == {
        ("9-default", "rings"): "holds",
        ("9-linear", "wine"): "fails",
        ("9-quadric", "rings"): "fails",
    }


def test_a_cross_validated_gamma_lies_between_the_median_and_hindsight() -> None:
    label_free = table(
        rows([0.9, 0.9], criterion="cv"),
        rows([0.9, 0.9], criterion="hindsight"),
        rows([0.6, 0.6], criterion="variance"),
        rows([0.0, 0.0], criterion="variance", method="kmeans"),
    )
    assert judged(sweep.bandwidth(label_free)) == {
        ("10-gamma-hindsight", "rings"): (0, "holds"),
        ("10-gamma-median", "rings"): (pytest.approx(0.3), "holds"),
    }
