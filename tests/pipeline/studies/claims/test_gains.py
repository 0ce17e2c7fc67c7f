"""Gains over raw rows and PCA, and the linear SVM on enough components, where they are known."""

import pandas as pd
import pytest

from kpca.pipeline.selection import select
from kpca.pipeline.studies.claims.claim import Claim
from kpca.pipeline.studies.claims.gains import enough_components, gain, measure
from tests.pipeline.studies.claims.sweep_tables import described, scores, setting, shares

NAN = float("nan")
SCORES = scores(
    setting("raw", "raw", 2, [(0.6, 0.60), (0.6, 0.62)]),
    setting("pca", "pca", 2, [(0.7, 0.70), (0.7, 0.72)]),
    setting("rbf", "rbf-median1", 2, [(0.9, 0.85), (0.9, 0.85)]),
    setting("rbf", "rbf-median1", 8, [(0.8, 0.91), (0.8, 0.93)]),
    setting("rbf", "rbf-median3", 8, [(0.7, 0.99), (0.7, 0.99)]),
    setting("rbf", "rbf-median1", 4, [(NAN, 0.75), (NAN, 0.75)]),
    setting("linear", "linear", 2, [(0.5, 0.5), (0.5, 0.5)]),
    setting("raw", "raw-median1", 2, [(0.9, 0.90), (0.9, 0.92)], method="rbf_svm"),
    setting("raw", "raw", 2, [(0.1, 0.1), (0.1, 0.1)], method="kmeans", C=NAN),
    setting("rbf", "rbf-median1", 2, [(0.3, 0.3), (0.3, 0.3)], method="kmeans", C=NAN),
)
SHARES = shares({"rbf-median1": 4, "rbf-median3": 4, "linear": 2}, replicates=2)
SELECTED = select(SCORES, SHARES)


@pytest.fixture(scope="module")
def measured() -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    return measure(SCORES, SELECTED, described("rings"))


@pytest.mark.parametrize(
    ("contender", "baseline", "expected"),
    [
        ("tuned", "raw", [0.25, 0.23]),
        ("tuned", "pca", [0.15, 0.13]),
        ("label_free", "raw", [0.15, 0.13]),
    ],
)
def test_gains_are_paired_and_tuned_inside_training_rows(
    contender: str, baseline: str, expected: list[float]
) -> None:
    found = gain(SELECTED, "linear_svm", contender, baseline)

    assert found["difference"].tolist() == pytest.approx(expected)


def test_enough_components_are_the_most_that_were_validated() -> None:
    assert enough_components(SCORES, "linear_svm").tolist() == [0.91, 0.93]


def test_every_comparison_has_its_claim(
    measured: tuple[list[Claim], dict[str, pd.DataFrame]],
) -> None:
    claims, tables = measured
    verdicts = {claim.claim: claim.verdict for claim in claims}

    assert verdicts == {
        "8-svm-tuned-raw": "undecided",  # one dataset
        "8-svm-tuned-raw-rings": "holds",
        "8-svm-tuned-pca": "undecided",
        "8-svm-tuned-pca-rings": "holds",
        "8-svm-label_free-raw": "undecided",
        "8-svm-label_free-pca": "undecided",
        "8-kmeans-tuned-raw": "undecided",
        "8-kmeans-tuned-raw-rings": "holds",
        "8-rbf-svm": "undecided",
        "8-rbf-svm-rings": "fails",  # .01 in both replicates, and not less
    }
    assert tables["equivalence"]["mean"].tolist() == pytest.approx([0.01])


def test_k_means_is_called_label_tuned(
    measured: tuple[list[Claim], dict[str, pd.DataFrame]],
) -> None:
    rules = {claim.claim: str(claim.rule) for claim in measured[0]}

    assert "label-tuned" in rules["8-kmeans-tuned-raw"]
    assert "label-tuned" not in rules["8-svm-tuned-raw"]


def test_without_a_gaussian_svm_there_is_nothing_to_compare_it_with() -> None:
    linear = SCORES[~SCORES["method"].isin(["rbf_svm", "kmeans"]) & (SCORES["kernel"] != "rbf")]

    claims, tables = measure(linear, select(linear, SHARES), described("rings"))

    assert tables["equivalence"].empty
    assert {claim.claim for claim in claims if "rbf" in claim.claim} == set()


def test_without_labels_there_is_nothing_to_claim() -> None:
    table = SELECTED.assign(method="embedding", metric="trustworthiness")

    claims, tables = measure(table, table, described("rings"))

    assert claims == []
    assert all(frame.empty for frame in tables.values())
