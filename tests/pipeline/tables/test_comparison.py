"""Means and paired gains over PCA, against their definitions."""

import numpy as np
import pandas as pd
import pytest

from pipeline.tables.comparison import compare
from pipeline.tables.statistics import holm, interval
from tests.scores import score, table

DATASETS = pd.DataFrame(
    {
        "dataset": ["drawn", "split"],
        "draws": ["independent", "re-drawn splits"],
        "train": [200, 70],
        "test": [2000, 30],
    }
)
PCA = np.array([0.60, 0.62, 0.61, 0.66, 0.63])
RBF = np.array([0.80, 0.85, 0.82, 0.86, 0.84])
POLY = np.array([0.61, 0.60, 0.66, 0.64, 0.65])

GAINS = {"poly": 0.0101, "rbf": 0.03, "laplacian": 0.001}


def rows(dataset: str, kernel: str, values: np.ndarray, **more: object) -> list[dict[str, object]]:
    of_kernel = {"dataset": dataset, "kernel": kernel, "criterion": "cv"} | more
    return [score(value, replicate=r, **of_kernel) for r, value in enumerate(values)]


def compared_rows(*parts: list[dict[str, object]]) -> pd.DataFrame:
    return compare(table(*parts), DATASETS).set_index(["dataset", "kernel"])


@pytest.fixture
def compared() -> pd.DataFrame:
    values = {"pca": PCA, "rbf": RBF, "poly": POLY}
    return compared_rows(
        *(rows(of, name, values[name]) for of in ("drawn", "split") for name in values)
    )


@pytest.mark.parametrize(("dataset", "overlap"), [("drawn", None), ("split", 30 / 70)])
def test_means_and_gains_have_the_interval_of_their_kind_of_replicate(
    compared: pd.DataFrame, dataset: str, overlap: float | None
) -> None:
    row = compared.loc[dataset, "rbf"]
    mean, gain = (interval(v, test_over_train=overlap) for v in (RBF, RBF - PCA))

    assert (row["mean"], row["low"], row["high"]) == (mean.mean, mean.low, mean.high)
    assert row["gain"] == pytest.approx(gain.mean)
    assert row["gain_low"] == pytest.approx(gain.low)
    assert row["gain_high"] == pytest.approx(gain.high)


def test_intervals_end_where_the_metric_does() -> None:
    wide = np.array([0.0, 1.0])
    row = compared_rows(rows("drawn", "pca", wide[::-1]), rows("drawn", "rbf", wide))
    row = row.loc["drawn", "rbf"]

    assert [row["low"], row["mean"], row["high"]] == [0, 0.5, 1]
    assert [row["gain_low"], row["gain"], row["gain_high"]] == [-1, 0, 1]


def test_verdicts_and_adjusted_p_values_of_a_dataset(compared: pd.DataFrame) -> None:
    assert compared.loc[("drawn", "rbf"), "verdict"] == "gain shown"
    assert compared.loc[("drawn", "poly"), "verdict"] == "undecided"
    for dataset in ("drawn", "split"):
        both = compared.loc[dataset].loc[["rbf", "poly"]]
        np.testing.assert_allclose(both["p_holm"], holm(both["p"].to_numpy()))
        assert np.isnan(compared.loc[(dataset, "pca"), "gain"])  # not compared with itself
        assert compared.loc[(dataset, "pca"), ["p_holm", "verdict"]].isna().all()


def test_a_verdict_and_its_p_value_are_of_one_hypothesis() -> None:
    """A gain of surely more than 0 and of about the margin is undecided; p says so too."""
    spread = np.array([-1, -1, 0, 1, 1]) * 1e-3
    found = compared_rows(
        rows("drawn", "pca", PCA),
        *(rows("drawn", name, PCA + gain + spread) for name, gain in GAINS.items()),
    ).loc["drawn"]

    assert found.loc["poly", "gain_low"] > 0
    assert found.loc[[*GAINS], "verdict"].tolist() == ["undecided", "gain shown", "no gain shown"]
    assert (found.loc[[*GAINS], "p_holm"] <= 0.05).tolist() == [False, True, True]


def test_a_verdict_holds_beside_the_others_of_its_dataset() -> None:
    """What its own interval would decide alone is undecided among ten."""
    gains = PCA + 0.012 + np.array([-1, -1, 0, 1, 1]) * 1.4e-3
    noise = PCA + 0.01 + np.array([-1, 1, 0, 1, -1]) * 0.1
    alone = compared_rows(rows("drawn", "pca", PCA), rows("drawn", "rbf", gains))
    others = (rows("drawn", f"own{i}", noise) for i in range(9))
    among = compared_rows(rows("drawn", "pca", PCA), rows("drawn", "rbf", gains), *others)

    row, same = alone.loc[("drawn", "rbf")], among.loc[("drawn", "rbf")]
    assert (row["verdict"], same["verdict"]) == ("gain shown", "undecided")
    assert row["gain_low"] == same["gain_low"] > 0.01


def test_replicates_are_paired_whatever_their_order() -> None:
    backwards = rows("drawn", "rbf", RBF)[::-1]

    one, other = (
        compared_rows(rows("drawn", "pca", PCA), part) for part in (backwards, backwards[::-1])
    )

    pd.testing.assert_frame_equal(one, other)


@pytest.mark.parametrize(
    ("method", "metric", "against"),
    [("rbf_svm", "balanced_accuracy", "linear_svm"), ("spectral", "ami", "kmeans")],
)
def test_a_baseline_without_scores_is_set_against_pca(
    method: str, metric: str, against: str
) -> None:
    found = compared_rows(
        rows("drawn", "pca", PCA, method=against, metric=metric),
        rows("drawn", "raw", RBF, method=method, metric=metric),
    )

    assert found.loc[("drawn", "raw"), "gain"] == pytest.approx((RBF - PCA).mean())


def test_a_kernel_chosen_anew_each_time_is_one_method() -> None:
    mixed = [
        row | {"kernel": kernel, "criterion": "cv_over_kernels"}
        for row, kernel in zip(rows("drawn", "", RBF), ["rbf", "poly"] * 3, strict=False)
    ]

    found = compared_rows(rows("drawn", "pca", PCA), mixed).loc["drawn"]
    assert found.loc["best kernel", "replicates"] == 5
    assert found.loc["best kernel", "mean"] == pytest.approx(RBF.mean())


def test_a_gain_within_rounding_is_none_and_has_no_p() -> None:
    same = rows("drawn", "linear", PCA + np.array([1e-15, 0, -1e-15, 0, 1e-12]))

    found = compared_rows(rows("drawn", "pca", PCA), same, rows("drawn", "rbf", RBF)).loc["drawn"]

    assert (found.loc["linear", "gain"], found.loc["linear", "gain_high"]) == (0.0, 0.0)
    assert found.loc["linear", ["p", "p_holm"]].isna().all()
    assert found.loc["linear", "verdict"] == "undecided"
    assert found.loc["rbf", "p_holm"] == 2 * found.loc["rbf", "p"]


@pytest.mark.parametrize("gain", [0.0, 0.05, -0.05])
@pytest.mark.parametrize("rounding", [1.1e-16, 1e-11])
def test_a_gain_that_is_the_same_but_for_rounding_has_no_p_and_no_verdict(
    gain: float, rounding: float
) -> None:
    equal = np.full(5, 0.5)
    kernel = equal + gain + rounding * np.array([1, 1, 1, 1, 2])

    row = compared_rows(rows("drawn", "pca", equal), rows("drawn", "linear", kernel))
    row = row.loc[("drawn", "linear")]
    assert row["gain"] == pytest.approx(gain, abs=1e-10)
    assert row[["p", "p_holm"]].isna().all()
    assert row["verdict"] == "undecided"


def test_without_pca_there_are_means_alone() -> None:
    found = compared_rows(rows("drawn", "precomputed", RBF))

    assert found["mean"].tolist() == [pytest.approx(RBF.mean())]
    assert "gain" not in found
