"""How much of a grid is near its best, and which kernel suits which data, where it is known."""

import pandas as pd
import pytest

from kpca.pipeline.selection import select
from kpca.pipeline.studies.claims.sensitivity import degree_two, measure, near_best
from tests.pipeline.studies.claims.sweep_tables import described, scores, setting, shares

# Means .90, .88, .80; the best has variance .0002, so that its standard error is .01.
GRID = [
    setting("rbf", "rbf-median1", 2, [(0.9, 0.89), (0.9, 0.91)]),
    setting("rbf", "rbf-median1", 8, [(0.8, 0.893), (0.8, 0.893)]),
    setting("rbf", "rbf-median3", 8, [(0.7, 0.80), (0.7, 0.80)]),
    setting("rbf", "rbf-median3", 2, [(0.7, 0.885), (0.7, 0.885)]),
]
POLY = [
    setting("poly", "poly-degree2", 2, [(0.8, 0.90), (0.8, 0.92)], degree=2.0),
    setting("poly", "poly-degree2", 8, [(0.9, 0.95), (0.9, 0.95)], degree=2.0),
    setting("poly", "poly-degree3", 2, [(0.99, 0.50), (0.99, 0.50)], degree=3.0),
]
LINEAR = [setting("linear", "linear", 2, [(0.5, 0.6), (0.5, 0.6)])]
SCORES = scores(*GRID, *POLY, *LINEAR)
SHARES = shares({"rbf-median1": 2, "poly-degree2": 2, "linear": 2}, replicates=2)


def near(table: pd.DataFrame, datasets: pd.DataFrame) -> pd.DataFrame:
    test = table[table["split"] == "test"]
    return near_best(test, datasets, [2, 8], 0.02).set_index("kernel")


def test_the_share_is_counted_in_standard_errors_and_in_margins() -> None:
    found = near(scores(*GRID), described("rings")).loc["rbf"]

    assert found["settings"] == 4
    assert found["error"] == pytest.approx(0.01)
    assert found["share"] == 2 / 4
    assert found["share_of_margin"] == 3 / 4


def test_overlapping_splits_have_the_larger_standard_error() -> None:
    overlapping = described("rings").assign(draws="re-drawn splits")

    found = near(scores(*GRID), overlapping).loc["rbf"]

    assert found["error"] == pytest.approx((0.0002 * (1 / 2 + 1 / 2)) ** 0.5)
    assert found["share"] == 2 / 4


def test_a_rank_below_the_grid_is_the_setting_that_was_asked_for() -> None:
    varying = scores(
        setting("rbf", "rbf-median1", 7, [(0.9, 0.9)]),
        setting("rbf", "rbf-median1", 6, [(0.9, 0.8)]),
    )
    varying.loc[varying["n_components"] == 6, "replicate"] = 1

    found = near(varying, described("rings")).loc["rbf"]

    assert found["settings"] == 1
    assert found["best"] == pytest.approx(0.85)


def test_degree_two_chooses_everything_else_by_validation() -> None:
    assert degree_two(SCORES, "linear_svm").tolist() == [0.95, 0.95]


def test_kernels_are_compared_with_the_one_that_was_chosen() -> None:
    selected = select(SCORES, SHARES)

    claims, tables = measure(SCORES, selected, SHARES, described("rings"), sizes=[2, 8])

    # The polynomial of degree 3 was chosen, and is worth .5.
    families = tables["families"].set_index("kernel")["mean"]
    assert families.to_dict() == pytest.approx({"rbf": 0.4, "poly": 0.0, "linear": 0.1})
    verdicts = {claim.claim: claim.verdict for claim in claims}
    assert verdicts["9-quadric-rings"] == "holds"
    assert verdicts["9-sensitive-share-rbf"] == "undecided"  # one dataset
    assert "9-sensitive-share-linear" not in verdicts  # a grid of one setting
    assert "9-linear-rings" not in verdicts  # rings are not linear data


def test_linear_data_are_those_of_the_generator() -> None:
    linear = described("rings", source="generator linear")

    claims, _ = measure(SCORES, select(SCORES, SHARES), SHARES, linear, sizes=[2, 8])

    sources = {claim.claim: claim.source_value for claim in claims}
    assert sources["9-linear-rings"] == "same as PCA"
    assert "9-quadric-rings" not in sources


def test_without_labels_there_is_nothing_to_claim() -> None:
    table = SCORES.assign(method="embedding", metric="trustworthiness")

    claims, tables = measure(table, table, SHARES, described("rings"), sizes=[2, 8])

    assert claims == []
    assert all(frame.empty for frame in tables.values())
