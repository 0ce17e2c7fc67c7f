"""Metrics against scikit-learn's and SciPy's."""

import warnings

import numpy as np
import pytest
from scipy.stats import pearsonr
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, balanced_accuracy_score

from pipeline.evaluation.metrics import agreement, balanced_accuracy, correlation


@pytest.mark.parametrize("seed", range(5))
def test_balanced_accuracy_is_scikit_learns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = 2 * rng.choice(4, 60, p=[0.1, 0.2, 0.3, 0.4])  # odd classes have no rows
    predicted = np.where(rng.random(60) < 0.6, truth, rng.integers(0, 7, 60))

    with warnings.catch_warnings(action="ignore"):  # predicted classes that are not there
        expected = balanced_accuracy_score(truth, predicted)
    assert balanced_accuracy(truth, predicted) == pytest.approx(expected)


def test_correlation_is_pearsons() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 50))

    assert correlation(a, a + b) == pytest.approx(pearsonr(a, a + b).statistic)
    assert correlation(a, np.ones(50)) == 0  # a constant tells nothing


@pytest.mark.parametrize("classes", [1, 2, 5])
@pytest.mark.parametrize("clusters", [1, 2, 7])
def test_agreement_is_scikit_learns(classes: int, clusters: int) -> None:
    rng = np.random.default_rng(classes)
    truth, found = rng.integers(0, classes, 60), rng.integers(0, clusters, 60)

    ours = agreement(truth, found)

    assert ours["ami"] == pytest.approx(adjusted_mutual_info_score(truth, found), abs=1e-12)
    assert ours["ari"] == pytest.approx(adjusted_rand_score(truth, found), abs=1e-12)


@pytest.mark.parametrize("labels", [np.zeros(4, int), np.arange(4), np.array([2, 2, 0, 0, 0])])
def test_a_perfect_match_agrees_fully(labels: np.ndarray) -> None:
    assert agreement(labels, labels.max() - labels) == pytest.approx({"ami": 1.0, "ari": 1.0})
