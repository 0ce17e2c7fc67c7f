"""Each downstream task and each predictor against its plain scikit-learn form."""

import dataclasses
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr
from sklearn.cluster import KMeans
from sklearn.compose import TransformedTargetRegressor
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeCV
from sklearn.manifold import trustworthiness
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, _libsvm

from pipeline.evaluation import downstream
from pipeline.evaluation.downstream import Fold, agreement, balanced_accuracy, correlation
from pipeline.evaluation.predictors import REGRESSORS, TRAINERS, Options, linear_rule, unfitted
from pipeline.evaluation.settings import Outcome, Settings

SETTINGS = Settings((2,), (0.1, 10.0), 3, ("unit", "whiten"), 4, 0.9)
NAMES = ("linear_svm", "linear_svm_whitened", "kmeans")
SVM, WHITENED, KMEANS = (downstream.METHODS[name] for name in NAMES)


@pytest.fixture
def fold() -> Fold:
    """Three clusters whose first coordinate spreads a hundred times as far."""
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 3
    Z = rng.normal(size=(60, 2)) + 3 * np.column_stack([np.cos(2.1 * truth), np.sin(2.1 * truth)])
    Z *= [100, 1]
    return Fold(Z[:30], Z[30:], truth[:30], truth[30:], Z[30:], seed=0)


def value(outcomes: list[Outcome], method: str, metric: str, split: str, C: float = 10) -> float:
    found = [o for o in outcomes if (o.method, o.metric, o.split) == (method, metric, split)]
    return next(o.value for o in found if math.isnan(o.C) or o.C == C)


@pytest.mark.parametrize("scaling", ["unit", "whiten"])
def test_scores_are_scaled_by_the_training_rows_before_the_svm(fold: Fold, scaling: str) -> None:
    unit, deviations = np.sqrt((fold.Z_train**2).mean(axis=0).sum()), fold.Z_train.std(axis=0)
    scale = unit if scaling == "unit" else deviations
    model = SVC(kernel="linear", C=10, class_weight="balanced").fit(
        fold.Z_train / scale, fold.truth_train
    )
    expected = balanced_accuracy_score(fold.truth_test, model.predict(fold.Z_test / scale))

    name = "linear_svm" if scaling == "unit" else "linear_svm_whitened"
    outcomes = list(downstream.METHODS[name](fold, SETTINGS))
    assert value(outcomes, name, "balanced_accuracy", "test") == pytest.approx(expected)
    assert len(outcomes) == 2 * 2  # C, sides


def test_the_units_of_the_scores_do_not_matter(fold: Fold) -> None:
    larger = dataclasses.replace(fold, Z_train=1e3 * fold.Z_train, Z_test=1e3 * fold.Z_test)
    for task in (SVM, WHITENED):
        assert list(task(fold, SETTINGS)) == list(task(larger, SETTINGS))


def test_scores_without_variance_are_left_alone(fold: Fold) -> None:
    flat = dataclasses.replace(fold, Z_train=0 * fold.Z_train, Z_test=0 * fold.Z_test)
    one = dataclasses.replace(fold, Z_train=fold.Z_train * [1, 0], Z_test=fold.Z_test * [1, 0])
    for case in (flat, one):
        assert all(math.isfinite(o.value) for svm in (SVM, WHITENED) for o in svm(case, SETTINGS))


def test_test_rows_go_to_the_nearest_centroid(fold: Fold) -> None:
    model = KMeans(3, n_init=4, random_state=0).fit(fold.Z_train)
    nearest = ((fold.Z_test[:, None] - model.cluster_centers_) ** 2).sum(axis=2).argmin(axis=1)
    found = value(list(KMEANS(fold, SETTINGS)), "kmeans", "ami", "test")
    assert found == pytest.approx(adjusted_mutual_info_score(fold.truth_test, nearest))


def test_spectral_clustering_finds_what_lies_apart(fold: Fold) -> None:
    scale = np.array([100, 1])
    Z_train, Z_test = fold.Z_train / scale, fold.Z_test / scale
    apart = dataclasses.replace(fold, Z_train=Z_train, Z_test=Z_test, gamma=0.5)
    outcomes = list(downstream.METHODS["spectral"](apart, SETTINGS))
    assert value(outcomes, "spectral", "ami", "test") > 0.8


def test_as_many_components_as_columns_are_not_scored(fold: Fold) -> None:
    assert list(downstream.neighbourhoods(fold, SETTINGS)) == []
    single = dataclasses.replace(fold, X_test=fold.X_test[:, :1], Z_test=fold.Z_test[:, :1])
    assert len(list(downstream.neighbourhoods(single, SETTINGS))) == 1


@pytest.mark.parametrize(("rows", "neighbours"), [(2, 0), (3, 1), (10, 4), (11, 5), (30, 5)])
def test_few_rows_have_fewer_neighbours(fold: Fold, rows: int, neighbours: int) -> None:
    few = dataclasses.replace(fold, X_test=fold.X_test[:rows], Z_test=fold.Z_test[:rows, :1])
    outcomes = list(downstream.neighbourhoods(few, SETTINGS))
    assert len(outcomes) == min(neighbours, 1)
    for outcome in outcomes:
        expected = trustworthiness(few.X_test, few.Z_test, n_neighbors=neighbours)
        assert outcome.value == pytest.approx(expected)


@pytest.mark.parametrize("task", [SVM, KMEANS])
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


RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(90, 4)) * [1, 10, 1, 0.1], RNG.normal(size=(200, 4)) * [1, 10, 1, 0.1]
Y = (X[:, 0] + RNG.normal(size=90) > 1.2).astype(int)  # one class is rare
TARGET = 50 + 3 * X[:, 0] + np.sin(X[:, 1]) + RNG.normal(size=90)
BALANCED = {"class_weight": "balanced"}


@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_a_linear_rule_predicts_what_libsvm_does(classes: int, class_weight: str | None) -> None:
    y = np.minimum(np.arange(90) % (classes + 2), classes - 1)  # the last class is larger
    Z = X + np.eye(classes, 4)[y]
    model = SVC(kernel="linear", C=3, class_weight=class_weight).fit(Z, y)
    np.testing.assert_array_equal(
        linear_rule(Z, y, 3, class_weight).predict(NEW), model.predict(NEW)
    )


def test_a_linear_rule_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    _libsvm.set_verbosity_wrap(1)  # as it is until scikit-learn has fitted an SVM
    linear_rule(X, Y, 1.0)
    assert capfd.readouterr() == ("", "")


def standardized(model: Any) -> Any:
    return make_pipeline(StandardScaler(), model)


CASES: dict[str, Callable[[], Any]] = {
    "linear_svm": lambda: SVC(kernel="linear", C=2 / (X**2).mean(axis=0).sum(), **BALANCED),
    "linear_svm_whitened": lambda: standardized(SVC(kernel="linear", C=2, **BALANCED)),
    "rbf_svm": lambda: SVC(gamma=0.1, C=2, **BALANCED),
    # The columns are scaled to mean squared norm 1 together: C is four times that of each.
    "logistic_regression": lambda: standardized(
        LogisticRegression(C=2 / 4, max_iter=1000, **BALANCED)
    ),
    "random_forest": lambda: RandomForestClassifier(50, random_state=5, **BALANCED),
    "least_squares": LinearRegression,
    "svr": lambda: TransformedTargetRegressor(SVR(gamma=0.1, C=2), transformer=StandardScaler()),
    "most_frequent": lambda: DummyClassifier(strategy="most_frequent"),
    "mean": DummyRegressor,
    "ridge": lambda: standardized(RidgeCV(np.logspace(-3, 4, 15) * 4)),
    "random_forest_regressor": lambda: RandomForestRegressor(50, random_state=5),
}


@pytest.mark.parametrize("name", CASES)
def test_each_method_is_scikit_learns(name: str) -> None:
    truth = TARGET if name in REGRESSORS else Y
    options = Options(C=2, gamma=0.1, seed=5, class_weight="balanced")
    trained = TRAINERS[name](X, truth, options)
    for model in (CASES[name](), unfitted(X, options, name)):
        expected = model.fit(X, truth)
        np.testing.assert_allclose(trained.predict(NEW), expected.predict(NEW), rtol=1e-6)


@pytest.mark.parametrize("columns", [3, 80])
def test_least_squares_of_columns_that_do_not_differ_is_scikit_learns(columns: int) -> None:
    """Of several solutions, both take the one with the smallest weights."""
    rows, new = (RNG.normal(size=(n, columns)) + 5 for n in (40, 9))
    rows, new = (np.column_stack([part, part[:, 0] + part[:, 1]]) for part in (rows, new))
    trained = TRAINERS["least_squares"](rows, TARGET[:40], Options())
    expected = LinearRegression().fit(rows, TARGET[:40])
    np.testing.assert_allclose(trained.predict(new), expected.predict(new), rtol=1e-8)


@pytest.mark.parametrize("name", ["linear_svm", "rbf_svm", "logistic_regression", "random_forest"])
def test_decision_values_are_those_of_the_second_class(name: str) -> None:
    trained = TRAINERS[name](X, Y, Options(C=2, gamma=0.1, class_weight="balanced"))
    assert trained.score is not None
    score, predicted = trained.score(NEW), trained.predict(NEW)
    assert score[predicted == 1].min() >= score[predicted == 0].max() - 1e-12
