"""The share of the variance as a rule for k, on a sweep of two kernels."""

import pandas as pd
import pytest

from kpca.pipeline.selection import select
from kpca.pipeline.studies.claims.claim import Claim
from kpca.pipeline.studies.claims.shares import CHOSEN, SETTING, chosen_settings
from kpca.pipeline.studies.claims.variance_share import COSTS, measure
from tests.pipeline.studies.claims.sweep_tables import described, scores, setting, shares

SVM = "linear_svm"
# The Gaussian kernel is best with 8 components at C = 10, the linear kernel is worse.
SCORES = scores(
    setting("rbf", "rbf-median1", 8, [(0.95, 0.90), (0.96, 0.92)], C=10.0),
    setting("rbf", "rbf-median1", 8, [(0.90, 0.99), (0.90, 0.99)]),
    setting("rbf", "rbf-median3", 8, [(0.80, 0.99), (0.80, 0.99)]),
    setting("linear", "linear", 2, [(0.70, 0.70), (0.70, 0.70)]),
    setting("pca", "pca", 2, [(0.70, 0.70), (0.70, 0.70)]),
)
CELLS = shares({"rbf-median1": 3, "rbf-median3": 5, "linear": 2}, replicates=2)
SCORED = pd.DataFrame(
    [
        ("rings", 0, "rbf", "rbf-median1", 10.0, 0.9, 2, 0.80),
        ("rings", 1, "rbf", "rbf-median1", 10.0, 0.9, 2, 0.82),
        ("rings", 0, "linear", "linear", 1.0, 0.9, 2, 0.70),
        ("rings", 1, "linear", "linear", 1.0, 0.9, 2, 0.70),
    ],
    columns=[*SETTING, "share", "rule", "rule_score"],
)


@pytest.fixture(scope="module")
def chosen() -> pd.DataFrame:
    return chosen_settings(select(SCORES, CELLS), SVM)


@pytest.fixture(scope="module")
def measured(chosen: pd.DataFrame) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    return measure(chosen, SCORED, described("rings"), SVM)


def test_what_was_chosen_stands_under_its_kernel_and_under_the_choice(chosen: pd.DataFrame) -> None:
    gaussian = chosen[chosen["kernel"] == "rbf"]

    assert gaussian["shown"].tolist() == ["rbf", "rbf", CHOSEN, CHOSEN]
    assert set(gaussian["C"]) == {10.0}
    assert gaussian["cross_validated"].tolist() == [8] * 4
    assert gaussian["cv_score"].tolist() == [0.90, 0.92, 0.90, 0.92]


def test_costs_and_verdicts_are_those_of_the_pairs(
    measured: tuple[list[Claim], dict[str, pd.DataFrame]],
) -> None:
    claims, tables = measured
    costs = tables["costs"].set_index("kernel")

    assert tables["costs"].columns.tolist() == COSTS
    assert costs["mean"].to_dict() == pytest.approx({"rbf": 0.1, "linear": 0.0, CHOSEN: 0.1})
    assert costs["verdict"].to_dict() == {"rbf": "fails", "linear": "holds", CHOSEN: "fails"}
    by_name = {claim.claim: claim for claim in claims}
    assert len(by_name) == len(claims)
    assert by_name["7-cost-90-rings"].verdict == "fails"
    assert by_name["7-cost-90-over-datasets-rbf"].verdict == "undecided"  # one dataset
    assert by_name["7-count-90-over-datasets-rbf"].measured == -2


def test_what_is_no_kernel_pca_has_no_share(
    measured: tuple[list[Claim], dict[str, pd.DataFrame]],
) -> None:
    assert set(measured[1]["picks"]["kernel"]) == {"rbf", "linear", CHOSEN}


def test_without_labels_there_is_nothing_to_claim(chosen: pd.DataFrame) -> None:
    claims, tables = measure(chosen[:0], SCORED[:0], described("rings"), SVM)

    assert claims == []
    assert all(frame.empty for frame in tables.values())
