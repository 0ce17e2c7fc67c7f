"""The rule of a claim, and the table of claims."""

from typing import Literal

import pytest

from kpca.pipeline.studies.claims.claim import COLUMNS, Claim, Rule, claims_table


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
