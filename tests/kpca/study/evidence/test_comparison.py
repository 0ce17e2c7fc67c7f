"""Means, paired gains over PCA and the recommendation, against their definitions."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from kpca.study.evidence import statistics
from kpca.study.evidence.comparison import (
    THRESHOLD,
    Design,
    compare,
    overlap_of,
    ranked,
    ranking,
)
from kpca.study.evidence.statistics import interval, least_half_width, verdict
from tests.scores import score, table

DATASETS = pd.DataFrame(
    {
        "dataset": ["drawn", "split"],
        "draws": ["independent", "random splits"],
        "test_over_train": [10.0, 30 / 70],
        "groups": [0, 0],
        "held_out": ["5000 5000", "500 500"],
    }
)
PCA = np.array([0.60, 0.62, 0.61, 0.66, 0.63])
RBF = np.array([0.80, 0.85, 0.82, 0.86, 0.84])
POLY = np.array([0.61, 0.60, 0.66, 0.64, 0.65])


def rows(dataset, kernel, values, **more):
    of_kernel = {"dataset": dataset, "kernel": kernel, "criterion": "cv"} | more
    return [score(value, replicate=r, **of_kernel) for r, value in enumerate(values)]


def compared_datasets(scores, datasets=DATASETS, influences=MappingProxyType({})):
    """Return the comparisons of all datasets by the linear SVM."""
    parts = []
    for described in datasets.to_dict("records"):
        rows_of_it = scores[scores["dataset"] == described["dataset"]]
        if len(rows_of_it):
            parts.append(compare(rows_of_it, described, "linear_svm", influences))
    return pd.concat(parts)


def compared_rows(*parts):
    compared = compared_datasets(table(*parts))
    return compared[compared["baseline"] == "pca"].set_index(["dataset", "kernel"])


@pytest.fixture
def compared():
    values = {"pca": PCA, "rbf": RBF, "poly": POLY}
    parts = [rows(of, name, values[name]) for of in ("drawn", "split") for name in values]
    return compared_rows(*parts)


@pytest.mark.parametrize(("dataset", "overlap"), [("drawn", None), ("split", 30 / 70)])
def test_means_and_gains_have_the_interval_of_their_kind_of_replicate(compared, dataset, overlap):
    row = compared.loc[dataset, "rbf"]
    mean, gain = (interval(v, test_over_train=overlap) for v in (RBF, RBF - PCA))
    assert (row["mean"], row["low"], row["high"]) == (mean.mean, mean.low, mean.high)
    ends = (row["gain"], row["gain_low"], row["gain_high"])
    assert ends == pytest.approx((gain.mean, gain.low, gain.high))


def test_a_series_of_a_single_replicate_is_left_out():
    compared = compared_rows(rows("drawn", "pca", PCA), rows("drawn", "rbf", RBF[:1]))
    assert [*compared.index] == [("drawn", "pca")]


def test_intervals_end_where_the_metric_does():
    wide = np.array([0.0, 1.0])
    compared = compared_rows(rows("drawn", "pca", wide[::-1]), rows("drawn", "rbf", wide))
    row = compared.loc["drawn", "rbf"]
    assert [row["low"], row["mean"], row["high"]] == [0, 0.5, 1]
    assert [row["gain_low"], row["gain"], row["gain_high"]] == [-1, 0, 1]


def test_draws_that_agree_have_an_interval_and_are_decided():
    row = compared_rows(rows("drawn", "pca", PCA), rows("drawn", "rbf", PCA)).loc["drawn", "rbf"]
    assert (row["gain_low"], row["gain_high"]) == pytest.approx((-0.007, 0.007))
    assert row["verdict"] == "enough"


def test_words_follow_from_the_intervals(compared):
    assert compared.loc[("drawn", "rbf"), "verdict"] == "better"
    assert compared.loc[("drawn", "poly"), "verdict"] == "inconclusive"
    for dataset in ("drawn", "split"):
        for row in compared.loc[dataset].loc[["rbf", "poly"]].to_dict("records"):
            error = (row["gain_high"] - row["gain_low"]) / 2 / 2.7764451
            assert row["probability"] == pytest.approx(stats.t.cdf(row["gain"] / error, 4))
            assert row["verdict"] == verdict(row["gain_low"], row["gain_high"], 0.01)
        assert compared.loc[(dataset, "pca"), ["gain", "probability"]].isna().all()
        assert compared.loc[(dataset, "pca"), "verdict"] == "no comparison"


def test_replicates_are_paired_whatever_their_order():
    pca = rows("drawn", "pca", PCA)
    rbf = rows("drawn", "rbf", RBF)
    pd.testing.assert_frame_equal(compared_rows(pca, rbf), compared_rows(pca, rbf[::-1]))


def test_a_baseline_without_components_is_compared_with_pca():
    for method, metric, against in (
        ("rbf_svm", "balanced_accuracy", "linear_svm"),
        ("logistic_regression", "balanced_accuracy", "linear_svm"),
        ("spectral", "ami", "kmeans"),
    ):
        pca = rows("drawn", "pca", PCA, method=against, metric=metric)
        compared = compared_rows(pca, rows("drawn", "raw", RBF, method=method, metric=metric))
        assert compared.loc[("drawn", "raw"), "gain"] == pytest.approx((RBF - PCA).mean())


def over(criterion, values, *pairs):
    """Return what a criterion chose: kernels with methods, in turn."""
    chosen = rows("split", "", values, criterion=criterion)
    return [
        row | dict(zip(("kernel", "method"), pairs[i % len(pairs)], strict=True))
        for i, row in enumerate(chosen)
    ]


@pytest.fixture
def planned():
    """Kernel PCA near PCA and below raw features, with many other kernels."""
    svm = "linear_svm"
    parts = (
        rows("split", "pca", PCA),
        rows("split", "raw", PCA - 0.1),
        rows("split", "raw", np.full(5, 0.5), method="most_frequent"),
        *(rows("split", f"own{i}", RBF) for i in range(8)),
        over("cv_over_kernels", PCA + 0.001, ("rbf", svm), ("poly", svm)),
        over("cv_over_raw", PCA + 0.2, ("raw", "random_forest"), ("raw", svm)),
    )
    return compared_datasets(table(*parts)).set_index(["kernel", "baseline"])


def test_the_planned_comparisons_have_one_word_each(planned):
    ours = planned.loc["best kernel"]
    assert ours["verdict"].to_dict() == {"chance": "better", "raw": "worse", "pca": "enough"}
    gains = {"chance": PCA.mean() + 0.001 - 0.5, "raw": -0.199, "pca": 0.001}
    assert ours["gain"].to_dict() == pytest.approx(gains)
    every = planned["gain"].xs("chance", level="baseline").to_dict()
    expected = {"best kernel": gains["chance"], "best raw": PCA.mean() - 0.3}
    assert every == pytest.approx(expected | {"pca": PCA.mean() - 0.5})


def test_equal_scores_are_judged_by_the_number_of_held_out_rows(planned):
    """The difference from PCA is the same in each replicate: 1000 rows decide, 60 do not."""
    row = planned.loc[("best kernel", "pca")]
    assert row["gain_high"] - row["gain_low"] == pytest.approx(2 * least_half_width([500, 500]))
    few = DATASETS.assign(held_out="30 30")
    chosen = over("cv_over_kernels", PCA, ("rbf", "linear_svm"))
    compared = compared_datasets(table(rows("split", "pca", PCA), chosen), few)
    row = compared[compared["kernel"] == "best kernel"].iloc[0]
    assert (row["gain"], row["verdict"]) == (0, "inconclusive")
    assert row["gain_high"] > 0.05


def test_few_groups_have_no_interval_and_no_verdict():
    grouped = DATASETS.assign(groups=[0, 12])
    parts = rows("split", "pca", PCA), rows("split", "rbf", RBF)
    compared = compared_datasets(table(*parts), grouped).set_index("kernel")
    assert compared.loc["rbf", "mean"] == pytest.approx(RBF.mean())
    assert compared.loc["rbf", ["low", "high", "gain_low", "gain_high", "probability"]].isna().all()
    assert compared.loc["rbf", "verdict"] == "inconclusive"
    assert overlap_of(grouped.iloc[0]) is None


def test_what_is_equal_by_construction_is_no_comparison():
    same = rows("drawn", "linear", PCA + np.array([1e-15, 0, -1e-15, 0, 1e-12]))
    compared = compared_rows(rows("drawn", "pca", PCA), same, rows("drawn", "rbf", RBF)).loc[
        "drawn"
    ]
    assert compared.loc["linear", ["gain", "probability"]].isna().all()
    assert compared.loc["linear", "verdict"] == "no comparison"


def test_without_pca_there_are_means_alone():
    compared = compared_rows(rows("drawn", "precomputed", RBF))
    assert compared["mean"].tolist() == [pytest.approx(RBF.mean())]
    assert compared["gain"].isna().all()
    assert compared["verdict"].tolist() == ["no comparison"]


def test_planned_comparisons_use_the_spread_between_rows():
    chosen = rows("split", "rbf", RBF, criterion="cv_over_kernels")
    scores = table(rows("split", "pca", PCA), rows("split", "rbf", RBF), chosen)
    moved = {"kernel PCA": np.array([0.01, -0.01]), "PCA": np.array([0.01, 0.02])}
    compared = compared_datasets(scores, influences=moved).set_index(["kernel", "baseline"])
    planned = compared.loc[("best kernel", "pca")]
    other = compared.loc[("rbf", "pca")]
    gains = RBF - PCA
    least = least_half_width([500, 500])
    error = np.sqrt(gains.var(ddof=1) * (1 / 5 + statistics.TRAINING_SETS) + 2 * 0.03**2)
    assert planned["gain"] - planned["gain_low"] == pytest.approx(2.776445 * error)
    expected = interval(gains, test_over_train=30 / 70, least=least)
    assert other["gain_low"] == pytest.approx(expected.low)


SCORES = pd.DataFrame({"raw features": PCA + 0.1, "PCA": PCA, "kernel PCA": RBF})
NOISE = np.random.default_rng(0).normal(0, 0.01, (3, 40))


DESIGN = Design("balanced_accuracy", 30 / 70, 0.01, 0.01)


def test_the_simplest_option_stays_until_another_is_likelier_better():
    options = ranked(DESIGN, SCORES, {})
    assert options["recommended"].tolist() == [False, False, True]
    noisy = SCORES.assign(**{"kernel PCA": SCORES["raw features"] + [0.1, -0.1, 0.1, -0.1, 0.02]})
    assert ranked(DESIGN, noisy, {})["recommended"].tolist() == [True, False, False]


def test_without_an_interval_the_simplest_option_is_recommended():
    options = ranked(replace(DESIGN, test_over_train=np.nan), SCORES, {})
    assert options[["low", "high", "probability"]].isna().all(axis=None)
    assert options["recommended"].tolist() == [True, False, False]


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=3, max_size=8))
def test_no_option_is_recommended_while_another_is_likelier_better(scores):
    options = ranked(DESIGN, pd.DataFrame(scores, columns=[*SCORES]), {})
    assert options["recommended"].sum() == 1
    assert not (options["probability"] > THRESHOLD).any()
    assert options["probability"].isna().tolist() == options["recommended"].tolist()


def test_an_option_is_passed_over_while_any_rival_is_likelier_better():
    """Raw features are below kernel PCA by as much as PCA, and above PCA by nothing certain."""
    close = SCORES["PCA"] + [0.02, -0.02, 0.02, -0.02, 0.01]
    options = ranked(DESIGN, SCORES.assign(**{"raw features": close}), {})
    assert options["recommended"].tolist() == [False, False, True]


def test_the_ranking_has_the_scores_of_the_comparisons():
    models = ("raw features", "PCA", "kernel PCA")
    influences = dict(zip(models, NOISE, strict=True))
    described = DATASETS.iloc[1]
    ours = over("cv_over_kernels", RBF, ("rbf", "linear_svm"))
    raw = over("cv_over_raw", PCA + 0.1, ("raw", "random_forest"))
    scores = table(rows("split", "pca", PCA), ours, raw)
    options = ranking(scores, described, "linear_svm", influences)
    assert options["model"].tolist() == list(models)
    for row in options.to_dict("records"):
        influence = influences[row["model"]]
        expected = interval(SCORES[row["model"]], test_over_train=30 / 70, influence=influence)
        assert (row["mean"], row["low"]) == pytest.approx((expected.mean, expected.low))
    assert options.loc[options["recommended"], "model"].tolist() == ["kernel PCA"]
    assert ranking(table(rows("split", "pca", PCA)), described, "embedding", {}).empty
