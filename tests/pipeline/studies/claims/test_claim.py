"""The rule of a claim, and the table of claims."""

from typing import Literal

import pandas as pd
import pytest

from kpca.pipeline.studies.claims.claim import COLUMNS, Claim, Rule, averaged, claims_table, joined


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


def test_a_claim_is_a_row_with_its_rule_in_words_and_its_verdict() -> None:
    rule = Rule("gain of balanced accuracy", "above", 0.01, replicates=5)
    claim = Claim("8-svm", "Better than PCA.", "", 0.03, 0.02, 0.05, rule, "claims_gain")

    table = claims_table([claim])

    assert list(table.columns) == COLUMNS
    row = table.iloc[0]
    assert row["rule"] == "gain of balanced accuracy > 0.01; 5 replicates, 95 % interval"
    assert row["verdict"] == "holds"


def test_joined_claims_stand_in_the_order_of_their_groups() -> None:
    parts = [pd.DataFrame({"claim": names}) for names in (["11-a", "2-b"], ["2-a", "1-z"])]
    assert list(joined(parts)["claim"]) == ["1-z", "2-b", "2-a", "11-a"]


def test_two_claims_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="given twice: 2-b"):
        joined([pd.DataFrame({"claim": ["2-b"]})] * 2)


def test_intervals_that_are_judged_together_are_wider_and_the_rule_says_so() -> None:
    alone, together = (averaged([0.0, 1.0, 2.0], None, comparisons=n) for n in (1, 7))
    assert together[0] == alone[0]
    assert together[1] < alone[1]
    rule = Rule("gain", "above", 0.01, replicates=3, comparisons=7)
    assert str(rule) == "gain > 0.01; 3 replicates, 95 % interval, joint over 7"
