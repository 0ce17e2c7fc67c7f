"""The recommendation against other numbers: its losses, its order, what it leaves out."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pipeline.tables.recommendation import losses, ranked, ranking, recommended
from pipeline.tables.statistics import interval
from tests.pipeline.tables.test_comparison import DATASETS, MAIN, PCA, RBF, over, rows
from tests.scores import table

SCORES = pd.DataFrame({"raw features": PCA + 0.1, "PCA": PCA, "kernel PCA": RBF})
LEAST = (0.01, 0.01)
NOISE = np.random.default_rng(0).normal(0, 0.01, (3, 40))


def test_the_expected_loss_is_that_of_the_difference_of_two_models() -> None:
    """E max(0, d) of a difference d with a t distribution has a closed form."""
    means, error, J = np.array([0.60, 0.63]), 0.04, 6
    expected, bounds = losses(means, error**2 / 2 * np.eye(2), J, (-9.0, 9.0))

    z, df = 0.03 / error, J - 1
    gain = error * (stats.t.pdf(z, df) * (df + z**2) / (df - 1) + z * stats.t.cdf(z, df))
    assert expected == pytest.approx([gain, gain - 0.03], rel=0.02)
    assert bounds[0] == pytest.approx(0.03 + error * stats.t.ppf(0.95, df), rel=0.03)


def test_losses_differ_by_the_means_and_repeat() -> None:
    means, covariance = np.array([0.7, 0.75, 0.72]), 1e-4 * np.eye(3)
    expected, bounds = losses(means, covariance, 10, (0.0, 1.0))

    assert expected - expected.min() == pytest.approx(means.max() - means, abs=1e-3)
    again = losses(means, covariance, 10, (0.0, 1.0))
    assert (expected.tolist(), bounds.tolist()) == (again[0].tolist(), again[1].tolist())
    assert (bounds[[0, 2]] > expected[[0, 2]]).all()


def test_losses_end_where_the_metric_does() -> None:
    """Two replicates have no expected loss without ends."""
    expected, bounds = losses(np.array([0.9, 0.95]), np.eye(2), 2, (0.0, 1.0))
    assert (expected < 1).all()
    assert (bounds <= 1).all()


def test_without_an_interval_the_highest_mean_is_recommended() -> None:
    given = {"metric": "balanced_accuracy", "least": LEAST}
    found = pd.DataFrame(ranked(SCORES.to_numpy(), np.nan, None, **given))
    assert found[["low", "high", "expected_loss", "loss_bound"]].isna().all(axis=None)
    assert found["recommended"].tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("expected", "place"),
    [([0.004, 0.001, 0.0], 0), ([0.02, 0.004, 0.0], 1), ([0.02, 0.03, 0.011], 2)],
)
def test_of_equal_models_the_simplest_is_recommended(expected: list[float], place: int) -> None:
    means = 0.9 - np.array(expected)
    assert recommended(means, np.array(expected), 0.01) == place


def test_the_ranking_has_the_scores_of_the_comparisons() -> None:
    models = ("raw features", "PCA", "kernel PCA")
    influences = {"split": dict(zip(models, NOISE, strict=True))}
    parts = (
        rows("split", "pca", PCA),
        over("cv_over_kernels", RBF, ("rbf", "linear_svm")),
        over("cv_over_raw", PCA + 0.1, ("raw", "random_forest")),
    )
    found = ranking(table(*parts), DATASETS, {"split": MAIN["split"]}, influences)

    assert found["model"].tolist() == list(models)
    for row in found.to_dict("records"):
        influence = influences["split"][row["model"]]
        own = interval(SCORES[row["model"]], test_over_train=30 / 70, influence=influence)
        assert (row["mean"], row["low"]) == pytest.approx((own.mean, own.low))
    assert found.loc[found["recommended"], "model"].tolist() == ["kernel PCA"]


def test_without_labels_there_is_no_ranking() -> None:
    found = ranking(table(rows("split", "pca", PCA)), DATASETS, {"split": "embedding"}, {})
    assert found.empty
