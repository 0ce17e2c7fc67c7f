"""Classifiers and regressors compared with their plain scikit-learn form."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, _libsvm

from pipeline.evaluation.predictors import CLASSIFIERS, REGRESSORS, Options, linear_rule

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
    "rbf_svm": lambda: SVC(gamma=0.1, C=2, **BALANCED),
    # The columns are scaled to mean squared norm 1 together: C is four times that of each.
    "logistic_regression": lambda: standardized(
        LogisticRegression(C=2 / 4, max_iter=1000, **BALANCED)
    ),
    "random_forest": lambda: RandomForestClassifier(50, random_state=5, **BALANCED),
    "least_squares": LinearRegression,
    "ridge": lambda: standardized(RidgeCV(np.logspace(-3, 4, 15) * 4)),
    "random_forest_regressor": lambda: RandomForestRegressor(50, random_state=5),
}


@pytest.mark.parametrize("name", CASES)
def test_each_method_is_scikit_learns(name: str) -> None:
    truth = Y if name in CLASSIFIERS else TARGET
    options = Options(C=2, gamma=0.1, seed=5, class_weight="balanced")
    trained = (CLASSIFIERS | REGRESSORS)[name](X, truth, options)
    expected = CASES[name]().fit(X, truth)

    np.testing.assert_allclose(trained.predict(NEW), expected.predict(NEW), rtol=1e-6)


def test_support_vector_regression_standardizes_the_target() -> None:
    model = SVR(gamma=0.1, C=2).fit(X, (TARGET - TARGET.mean()) / TARGET.std())
    expected = TARGET.mean() + TARGET.std() * model.predict(NEW)

    trained = REGRESSORS["svr"](X, TARGET, Options(C=2, gamma=0.1))
    np.testing.assert_allclose(trained.predict(NEW), expected)
    scaled = REGRESSORS["svr"](X, 1024 * TARGET, Options(C=2, gamma=0.1))
    np.testing.assert_allclose(scaled.predict(NEW), 1024 * expected)


def test_class_weights_find_rare_rows() -> None:
    unweighted, weighted = (
        CLASSIFIERS["logistic_regression"](X, Y, Options(C=2, class_weight=weight)).predict(NEW)
        for weight in (None, "balanced")
    )
    assert weighted.sum() > unweighted.sum()


@pytest.mark.parametrize(("name", "truth"), [("most_frequent", Y), ("mean", TARGET)])
def test_chance_predicts_one_value(name: str, truth: np.ndarray) -> None:
    found = (CLASSIFIERS | REGRESSORS)[name](X, truth, Options()).predict(NEW)
    assert set(found) == {np.bincount(truth).argmax() if name == "most_frequent" else truth.mean()}


@pytest.mark.parametrize("name", ["linear_svm", "rbf_svm", "logistic_regression", "random_forest"])
def test_decision_values_are_those_of_the_second_class(name: str) -> None:
    trained = CLASSIFIERS[name](X, Y, Options(C=2, gamma=0.1, class_weight="balanced"))
    assert trained.score is not None
    score, predicted = trained.score(NEW), trained.predict(NEW)

    assert score[predicted == 1].min() >= score[predicted == 0].max() - 1e-12
