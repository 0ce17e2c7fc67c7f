"""Statements on the sweep, from small tables written by hand and from those of a small run."""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
import pytest

from tests.scores import score, table
from tests.scripts.claims import verdicts
from workflow.scripts.claims import sweep
from workflow.scripts.claims.claim import Case, claims_table

OVERLAP = {"rings": None, "wine": 0.4}
JUDGE = sweep.Judge(OVERLAP)


def rows(values: Sequence[float], split: str = "test", **changes: Any) -> list[dict[str, Any]]:
    """A setting's scores, one a replicate."""
    of_setting = {"n_components": 4, "split": split} | changes
    return [score(value, replicate=r, **of_setting) for r, value in enumerate(values)]


def judged(cases: Iterable[Case]) -> dict[tuple[str, str], str]:
    return verdicts(claims_table(cases))


def test_gains_over_pca_are_paired() -> None:
    kmeans = {"method": "kmeans"}
    selected = table(
        rows([0.9, 0.7], criterion="cv_over_kernels", **kmeans),
        rows([0.8, 0.6], criterion="cv", kernel="pca", **kmeans),
        rows([0.85, 0.65], criterion="label_free", **kmeans),
    )
    tuned, free = sweep.gains_over_pca(selected, JUDGE)
    assert [tuned.claim, free.claim] == ["8-kmeans-tuned-pca", "8-kmeans-label-free-pca"]
    assert (tuned.measured, free.measured) == pytest.approx((0.1, 0.05))


def test_equal_scores_are_judged_by_the_number_of_held_out_rows() -> None:
    """As in the comparisons: the number of rows tells how far an equality goes."""
    selected = table(
        rows([0.9, 0.9], criterion="cv_over_kernels"),
        rows([0.9, 0.9], criterion="cv", kernel="pca"),
    )
    for least, verdict in ((0.1, "inconclusive"), (0.0001, "fails")):
        judge = sweep.Judge({"rings": None}, {"rings": least})
        assert list(judged(sweep.gains_over_pca(selected, judge)).values()) == [verdict]


def test_gains_over_raw_rows_are_paired() -> None:
    selected = table(
        rows([0.9, 0.7], criterion="cv_over_kernels"),
        rows([0.8, 0.6], criterion="cv", kernel="raw"),
        rows([0.9, 0.5], criterion="cv_over_kernels", dataset="wine"),
        rows([0.5, 0.9], criterion="cv", kernel="raw", dataset="wine"),
    )
    rings, wine = sweep.gains_over_raw(selected, JUDGE)
    assert rings.measured == rings.low == pytest.approx(0.1)
    assert wine.measured == pytest.approx(0)
    assert list(judged([rings, wine]).values()) == ["holds", "inconclusive"]


def test_a_share_of_the_variance_is_scored_where_cross_validation_was() -> None:
    scores = table(
        rows([0.9, 0.9]),
        rows([0.5, 0.6], n_components=32),
        rows([1.0, 1.0], n_components=32, cell="rbf-median3"),
        rows([1.0, 1.0], n_components=32, C=10.0),
    )
    selected = table(rows([0.9, 0.9], criterion="cv_over_kernels"))
    share = pd.DataFrame(
        [("rings", r, "rbf", cell, 32) for r in (0, 1) for cell in ("rbf-median1", "rbf-median3")],
        columns=["dataset", "replicate", "kernel", "cell", "components_for_share"],
    )
    count, cost = sweep.variance_share(scores, selected, share, JUDGE)
    assert (count.claim, count.measured) == ("7-count", 3)
    assert judged([count]) == {("7-count", "rings"): "fails"}
    assert cost.measured == pytest.approx(0.35)


@pytest.mark.parametrize(("others", "verdict"), [(0.5, "holds"), (0.995, "fails")])
def test_results_are_sensitive_where_most_settings_are_worse(others: float, verdict: str) -> None:
    settings = [rows([1.0, 1.0], s) for s in ("cv", "test")]
    for cell in ("a", "b"):
        settings += [rows([others] * 2, s, cell=cell) for s in ("cv", "test")]
    settings.append(rows([1.0, 1.0], n_components=99))  # never validated
    (claim,) = sweep.sensitivity(table(*settings), {"rbf"})
    assert claim.measured == pytest.approx(1 / 3 if verdict == "holds" else 1)
    assert judged([claim]) == {("9-sensitive", "rings"): verdict}


def test_kernels_are_compared_with_the_chosen_one_on_the_data_that_they_suit() -> None:
    chosen = [rows([0.9, 0.9], criterion="cv_over_kernels", dataset=d) for d in OVERLAP]
    selected = table(
        *chosen,
        rows([0.9, 0.9], criterion="cv"),
        rows([0.5, 0.5], criterion="cv", kernel="linear", dataset="wine"),
    )
    quadric = {"kernel": "poly", "cell": "poly-degree2", "degree": 2.0}
    scores = table(*(rows([0.88, 0.88], split, **quadric) for split in ("cv", "test")))
    sources = {"dataset": ["rings", "wine"], "source": ["generator rings", "generator linear"]}
    claims = list(sweep.kernels(scores, selected, pd.DataFrame(sources), JUDGE))
    assert judged(claims) == {
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
    assert judged(sweep.bandwidth(label_free, JUDGE)) == {
        ("10-gamma-hindsight", "rings"): "holds",
        ("10-gamma-median", "rings"): "holds",
    }
