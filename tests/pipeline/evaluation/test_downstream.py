"""Each downstream task against its plain scikit-learn form."""

import dataclasses
import math
import warnings
from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr
from sklearn.cluster import KMeans
from sklearn.manifold import trustworthiness
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, balanced_accuracy_score
from sklearn.svm import SVC

from pipeline.evaluation import downstream
from pipeline.evaluation.downstream import Fold, Outcome, agreement, balanced_accuracy, correlation
from pipeline.evaluation.settings import Settings

SETTINGS = Settings((2,), (0.1, 10.0), 3, ("unit", "whiten"), 4, 0.9)
SVM = downstream.METHODS["linear_svm"]


@pytest.fixture
def fold() -> Fold:
    """Three clusters whose first coordinate spreads a hundred times as far."""
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 3
    Z = rng.normal(size=(60, 2)) + 3 * np.column_stack([np.cos(2.1 * truth), np.sin(2.1 * truth)])
    Z *= [100, 1]
    return Fold(Z[:30], Z[30:], truth[:30], truth[30:], Z[30:], seed=0)


def value(outcomes: list[Outcome], method: str, metric: str, split: str, C: float = 10) -> float:
    found = [o for o in outcomes if o[0] == method and o[2:4] == (metric, split)]
    return next(o.value for o in found if math.isnan(o.C) or o.C == C)


@pytest.mark.parametrize("scaling", ["unit", "whiten"])
def test_scores_are_scaled_by_the_training_rows_before_the_svm(fold: Fold, scaling: str) -> None:
    squares = (fold.Z_train**2).mean(axis=0)
    scale = np.sqrt(squares.sum() if scaling == "unit" else squares)
    model = SVC(kernel="linear", C=10, class_weight="balanced").fit(
        fold.Z_train / scale, fold.truth_train
    )
    expected = balanced_accuracy_score(fold.truth_test, model.predict(fold.Z_test / scale))

    name = "linear_svm" if scaling == "unit" else "linear_svm_whitened"
    outcomes = list(SVM(fold, SETTINGS))
    assert value(outcomes, name, "balanced_accuracy", "test") == pytest.approx(expected)
    assert len(outcomes) == 2 * 2 * 2  # scalings, C, sides


def test_the_units_of_the_scores_do_not_matter(fold: Fold) -> None:
    larger = dataclasses.replace(fold, Z_train=1e3 * fold.Z_train, Z_test=1e3 * fold.Z_test)

    one, other = (list(SVM(given, SETTINGS)) for given in (fold, larger))
    assert one == other


def test_scores_without_variance_are_left_alone(fold: Fold) -> None:
    flat = dataclasses.replace(fold, Z_train=0 * fold.Z_train, Z_test=0 * fold.Z_test)
    one = dataclasses.replace(fold, Z_train=fold.Z_train * [1, 0], Z_test=fold.Z_test * [1, 0])

    for case in (flat, one):
        assert all(math.isfinite(o.value) for o in SVM(case, SETTINGS))


def test_a_gaussian_svm_is_scikit_learns(fold: Fold) -> None:
    model = SVC(gamma=1e-3, C=10, class_weight="balanced").fit(fold.Z_train, fold.truth_train)
    expected = balanced_accuracy_score(fold.truth_test, model.predict(fold.Z_test))

    outcomes = list(downstream.METHODS["rbf_svm"](fold, SETTINGS, gamma=1e-3))
    assert value(outcomes, "rbf_svm", "balanced_accuracy", "test") == pytest.approx(expected)


def test_test_rows_go_to_the_nearest_centroid(fold: Fold) -> None:
    model = KMeans(3, n_init=4, random_state=0).fit(fold.Z_train)
    nearest = ((fold.Z_test[:, None] - model.cluster_centers_) ** 2).sum(axis=2).argmin(axis=1)

    found = value(list(downstream.kmeans(fold, SETTINGS)), "kmeans", "ami", "test")
    assert found == pytest.approx(adjusted_mutual_info_score(fold.truth_test, nearest))


def test_spectral_clustering_finds_what_lies_apart(fold: Fold) -> None:
    scale = np.array([100, 1])
    apart = dataclasses.replace(fold, Z_train=fold.Z_train / scale, Z_test=fold.Z_test / scale)

    outcomes = list(downstream.spectral(apart, SETTINGS, gamma=0.5))
    assert value(outcomes, "spectral", "ami", "test") > 0.8


def test_neighbourhoods_are_scored_on_test_rows(fold: Fold) -> None:
    flattened = dataclasses.replace(fold, Z_test=fold.Z_test[:, :1])

    outcomes = list(downstream.neighbourhoods(flattened, SETTINGS))
    expected = trustworthiness(fold.X_test, fold.Z_test[:, :1], n_neighbors=5)
    assert value(outcomes, "embedding", "trustworthiness", "test") == pytest.approx(expected)


def test_as_many_components_as_columns_keep_every_neighbourhood_and_are_not_scored(
    fold: Fold,
) -> None:
    assert list(downstream.neighbourhoods(fold, SETTINGS)) == []
    single = dataclasses.replace(fold, X_test=fold.X_test[:, :1], Z_test=fold.Z_test[:, :1])
    assert len(list(downstream.neighbourhoods(single, SETTINGS))) == 1


@pytest.mark.parametrize(("rows", "neighbours"), [(2, 0), (3, 1), (10, 4), (11, 5)])
def test_few_rows_have_fewer_neighbours(fold: Fold, rows: int, neighbours: int) -> None:
    few = dataclasses.replace(fold, X_test=fold.X_test[:rows], Z_test=fold.Z_test[:rows, :1])

    outcomes = list(downstream.neighbourhoods(few, SETTINGS))
    assert len(outcomes) == min(neighbours, 1)
    for outcome in outcomes:
        expected = trustworthiness(few.X_test, few.Z_test, n_neighbors=neighbours)
        assert outcome.value == pytest.approx(expected)


@pytest.mark.parametrize("task", [SVM, downstream.kmeans])
def test_an_inner_fold_is_scored_on_its_test_side_alone(fold: Fold, task: Any) -> None:
    inner = dataclasses.replace(fold, inner=True)

    assert {outcome.split for outcome in task(inner, SETTINGS)} == {"test"}


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
