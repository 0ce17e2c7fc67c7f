"""The regret of γ by cross-validation, where it is known."""

import pandas as pd
import pytest

from kpca.pipeline.studies.claims.regret import along_gamma, measure, regret
from tests.pipeline.studies.claims.sweep_tables import described, scores, setting

NAN = float("nan")


def gaussian(multiple: float, m: int, values: list[tuple[float, float]]) -> list[dict]:
    return setting("rbf", f"rbf-median{multiple:g}", m, values, gamma=multiple)


# Cross-validation takes γ = 1 in both replicates, and there m = 2. In hindsight γ = 3 is best in
# the first replicate and on average, γ = 0.1 in the second.
SCORES = scores(
    gaussian(0.1, 2, [(0.7, 0.70), (0.7, 0.86)]),
    gaussian(1, 2, [(0.9, 0.80), (0.9, 0.82)]),
    gaussian(1, 8, [(0.8, 0.99), (0.8, 0.99)]),
    gaussian(3, 2, [(0.6, 0.90), (0.6, 0.84)]),
    setting("poly", "poly-degree2", 2, [(0.99, 0.99), (0.99, 0.99)], degree=2.0),
)


@pytest.fixture(scope="module")
def along() -> pd.DataFrame:
    return along_gamma(SCORES, "linear_svm")


def test_gamma_alone_is_in_question(along: pd.DataFrame) -> None:
    first = along[along["replicate"] == 0]

    assert first["test"].tolist() == [0.70, 0.80, 0.90]
    assert first["chosen"].tolist() == [False, True, False]


def test_ties_go_to_the_larger_width() -> None:
    tied = scores(gaussian(3, 2, [(0.9, 0.5)]), gaussian(1, 2, [(0.9, 0.6)]))

    found = along_gamma(tied, "linear_svm")

    assert found.loc[found["chosen"], "gamma"].tolist() == [1.0]


@pytest.mark.parametrize(
    ("hindsight", "expected"), [("replicate", [0.10, 0.04]), ("mean", [0.10, 0.02])]
)
def test_regret_is_measured_against_both_kinds_of_hindsight(
    along: pd.DataFrame, hindsight: str, expected: list[float]
) -> None:
    assert regret(along, hindsight)["difference"].tolist() == pytest.approx(expected)


def test_claims_are_made_of_the_svm_and_of_k_means_where_they_were_run() -> None:
    clustered = SCORES.assign(method="kmeans", metric="ami", C=NAN)
    table = pd.concat([SCORES, clustered])

    claims, tables = measure(table, described("rings"))

    names = {claim.claim for claim in claims}
    assert {"10-svm-replicate-rings", "10-svm-mean", "10-kmeans-mean"} <= names
    assert "10-kmeans-mean-rings" not in names
    assert set(tables["regrets"]["method"]) == {"linear_svm", "kmeans"}
    assert len(tables["choices"]) == 2 * 2 * 3


def test_without_labels_or_a_gaussian_kernel_there_is_nothing_to_claim() -> None:
    for table in (SCORES.assign(method="embedding"), SCORES[SCORES["kernel"] == "poly"]):
        claims, tables = measure(table, described("rings"))

        assert claims == []
        assert all(frame.empty for frame in tables.values())
