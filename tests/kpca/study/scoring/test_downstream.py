"""Representations, and each downstream task and predictor against its plain scikit-learn form."""

import dataclasses
import math

import numpy as np
import pytest
from scipy.stats import pearsonr
from sklearn import decomposition
from sklearn.cluster import KMeans
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import make_blobs
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.manifold import trustworthiness
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from threadpoolctl import threadpool_limits

from kpca import to_arrays
from kpca.reading.errors import InputError
from kpca.study.datasets.dataset import Dataset
from kpca.study.fitting.fitted_models import fold_scores
from kpca.study.fitting.grid import Point
from kpca.study.scoring import embeddings, metrics
from kpca.study.scoring.evaluate import Fold, outcomes
from kpca.study.scoring.methods import METHODS, PREDICTORS, Options, unfitted
from kpca.study.scoring.predictors import train
from kpca.study.scoring.settings import Settings
from tests.kpca.naive import assert_close

SETTINGS = Settings((2,), (0.1, 10.0), 3, ("unit", "whiten"), 4, 0.9)


def scored(fold, name):
    return list(outcomes(fold, SETTINGS, name))


@pytest.fixture
def fold():
    """Three clusters whose first coordinate spreads a hundred times as far."""
    Z, truth = make_blobs(60, centers=3, cluster_std=0.5, random_state=0)
    Z *= [100, 1]
    return Fold(Z[:30], Z[30:], truth[:30], truth[30:], Z[30:], seed=0, most=1)


def information(fold, name):
    """Return the adjusted mutual information of clusters and classes of the test rows."""
    [value] = [o.value for o in scored(fold, name) if (o.metric, o.split) == ("ami", "test")]
    return value


def test_scores_without_variance_are_left_alone(fold):
    for scale in ([0, 0], [1, 0]):
        flat = dataclasses.replace(fold, Z_train=fold.Z_train * scale, Z_test=fold.Z_test * scale)
        for name in ("linear_svm", "linear_svm_whitened"):
            assert all(math.isfinite(outcome.value) for outcome in scored(flat, name))


def test_test_rows_go_to_the_nearest_centroid(fold):
    model = KMeans(3, n_init=4, random_state=0).fit(fold.Z_train)
    nearest = model.predict(fold.Z_test)
    expected = adjusted_mutual_info_score(fold.truth_test, nearest)
    assert information(fold, "kmeans") == pytest.approx(expected)


def test_spectral_clustering_finds_what_lies_apart(fold):
    Z_train, Z_test = (Z / [100, 1] for Z in (fold.Z_train, fold.Z_test))
    apart = dataclasses.replace(fold, Z_train=Z_train, Z_test=Z_test, gamma=0.5)
    assert information(apart, "spectral") > 0.8


@pytest.mark.parametrize(("rows", "neighbours"), [(2, 0), (3, 1), (10, 4), (11, 5), (30, 5)])
def test_few_rows_have_fewer_neighbours(fold, rows, neighbours):
    assert scored(fold, "embedding") == []  # There are as many components as columns.
    few = dataclasses.replace(fold, X_test=fold.X_test[:rows], Z_test=fold.Z_test[:rows, :1])
    values = [outcome.value for outcome in scored(few, "embedding")]
    expected = []
    if neighbours:
        expected = [trustworthiness(few.X_test, few.Z_test, n_neighbors=neighbours)]
    assert values == pytest.approx(expected)


def test_an_inner_fold_is_scored_on_its_test_side_alone(fold):
    inner = dataclasses.replace(fold, inner=True)
    for name in ("linear_svm", "kmeans"):
        assert {outcome.split for outcome in scored(inner, name)} == {"test"}


LIKE_SCIKIT_LEARN = [
    (metrics.balanced_accuracy, balanced_accuracy_score),
    (metrics.adjusted_information, adjusted_mutual_info_score),
    (metrics.adjusted_rand, adjusted_rand_score),
]


@pytest.mark.filterwarnings("ignore:y_pred contains classes", "ignore:A single label was found")
@pytest.mark.parametrize(("measure", "expected"), LIKE_SCIKIT_LEARN)
@pytest.mark.parametrize("classes", [1, 2, 5, 60])
@pytest.mark.parametrize("clusters", [1, 2, 7])
def test_measures_are_scikit_learns(measure, expected, classes, clusters):
    """Also if odd classes have no rows, for a perfect match, and in rows that are all apart."""
    rng = np.random.default_rng(classes)
    truth = np.arange(60) if classes == 60 else 2 * rng.integers(0, classes, 60)
    for labels in (rng.integers(0, clusters, 60), truth.max() - truth):
        assert measure(truth, labels) == pytest.approx(expected(truth, labels), abs=1e-12)


def test_correlation_is_pearsons():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 50))
    assert metrics.correlation(a, a + b) == pytest.approx(pearsonr(a, a + b).statistic)
    assert metrics.correlation(a, np.ones(50)) == 0  # a constant tells nothing


RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4)) * [1, 10, 1, 0.1]
NEW = RNG.normal(size=(200, 4)) * [1, 10, 1, 0.1]
Y = (X[:, 0] + RNG.normal(size=90) > 1.2).astype(int)  # one class is rare
TARGET = 50 + 3 * X[:, 0] + np.sin(X[:, 1]) + RNG.normal(size=90)
BALANCED = {"class_weight": "balanced"}


def standardized(model):
    return make_pipeline(StandardScaler(), model)


# Those that are more than an estimator with its arguments.
CASES = {
    "linear_svm": SVC(kernel="linear", C=2 / (X**2).mean(axis=0).sum(), **BALANCED),
    "linear_svm_whitened": standardized(SVC(kernel="linear", C=2, **BALANCED)),
    # The columns are scaled to mean squared norm 1 together: C is four times that of each.
    "logistic_regression": standardized(LogisticRegression(C=2 / 4, **BALANCED)),
    "random_forest": RandomForestClassifier(50, random_state=5, **BALANCED),
    "svr": TransformedTargetRegressor(SVR(gamma=0.1, C=2), transformer=StandardScaler()),
    "ridge": standardized(RidgeCV(np.logspace(-3, 4, 15) * 4)),
}


@pytest.mark.parametrize("name", [name for name in METHODS if METHODS[name].estimator])
def test_each_method_is_scikit_learns(name):
    """Also that of a record without a case of its own."""
    truth = TARGET if METHODS[name].gives == "target" else Y
    options = Options(C=2, gamma=0.1, seed=5, class_weight="balanced")
    trained = train(name, X, truth, options)
    model = unfitted(name, X, options)
    for reference in (CASES.get(name, model), model):
        expected = reference.fit(X, truth).predict(NEW)
        np.testing.assert_allclose(trained.predict(NEW), expected, rtol=1e-6)


@pytest.mark.parametrize("name", ["gradient_boosting", "gradient_boosting_regressor"])
def test_boosting_has_the_same_bytes_on_any_number_of_threads(name):
    rows = np.random.default_rng(1).normal(size=(1500, 6))
    truth = np.round(rows[:, 0] * rows[:, 1]).clip(-1, 1) + 1
    models = []
    for threads in (1, 4):
        with threadpool_limits(threads):
            arrays = to_arrays(unfitted(name, rows, Options()).fit(rows, truth))
        models.append({key: array.tobytes() for key, array in arrays.items()})
    assert models[0] == models[1]


@pytest.mark.parametrize("name", [n for n, m in PREDICTORS.items() if m.gives == "classes"])
def test_decision_values_are_those_of_the_second_class(name):
    trained = train(name, X, Y, Options(C=2, gamma=0.1, class_weight="balanced"))
    score = trained.score(NEW)
    predicted = trained.predict(NEW)
    assert score[predicted == 1].min() >= score[predicted == 0].max() - 1e-12


SIZES = Settings((1, 2, 9), (1.0,), 3, ("unit",), 1, 0.9)
ROWS = np.random.default_rng(0).normal(size=(50, 4)) * [4, 3, 2, 1]
SIDES = np.arange(30), np.arange(30, 50)


def cut(rows, y=None):
    return Dataset(X=rows, y=y, splits=(SIDES,)).split(0)


SPLIT = cut(ROWS)


def assert_same_up_to_sign(Z, expected, tolerance):
    assert_close(Z * np.sign((Z * expected).sum(axis=0)), expected, tolerance)


def test_pca_and_the_linear_kernel_are_scikit_learns():
    model = decomposition.PCA(4).fit(SPLIT.X_train)
    linear_kernel = Point("linear")
    (pair,) = fold_scores(linear_kernel, ROWS, [SIDES], n_components=9)
    kernel = embeddings.leading(*pair, SIZES.n_components)
    linear = embeddings.pca(SPLIT, SIZES)
    assert kernel.keys() == linear.keys() == {1, 2, 9}
    assert embeddings.names_of([linear, kernel]) == {1: 1, 2: 2, 9: 4}
    for m in kernel:
        for side, rows in enumerate((SPLIT.X_train, SPLIT.X_test)):
            expected = model.transform(rows)[:, :m]
            assert_same_up_to_sign(linear[m][side], expected, 1e-12)
            assert_same_up_to_sign(kernel[m][side], expected, 1e-10)


def test_pca_drops_what_has_no_variance():
    scores = embeddings.pca(cut(ROWS[:, [0, 1, 0]]), SIZES)
    assert scores[9][0].shape == (30, 2)
    assert embeddings.names_of([scores, scores]) == {1: 1, 2: 2}
    constant = embeddings.pca(cut(np.ones((50, 3))), SIZES)  # Constant rows have no component.
    assert embeddings.names_of([constant]) == {1: 1}


class Sized:
    """The first columns, of which there are four; refuses more."""

    def __init__(self, n_components=1, factor=1.0):
        self.n_components = n_components
        self.factor = factor

    def fit(self, X, y=None):
        if self.n_components > X.shape[1]:
            raise ValueError("too many components")
        return self

    def transform(self, X):
        if not self.factor:
            raise RuntimeError("out of luck")
        return self.factor * X[:, : self.n_components]


def embedded(path=f"{__name__}:Sized", split=SPLIT, **parameters):
    return embeddings.own_method(Point("mine", parameters, path), split, SIZES)


def test_a_custom_method_is_fitted_for_every_size_that_it_can_give():
    scores = embedded(factor=2.0)
    assert embeddings.names_of([scores]) == {1: 1, 2: 2}
    np.testing.assert_array_equal(scores[2][1], 2 * SPLIT.X_test[:, :2])
    by_labels = ("sklearn.feature_selection:SelectPercentile", cut(ROWS, np.arange(50) % 2))
    assert embeddings.names_of([embedded(*by_labels, percentile=50)]) == {0: 2}


def test_a_custom_method_that_fails_is_shown_with_the_line_and_what_to_do():
    with pytest.raises(InputError, match=r"method `.*:Sized`.*\n.*TypeError.*'wrong'"):
        embedded(wrong=1)
    with pytest.raises(InputError, match="`transform` gives numbers that are not finite"):
        embedded(factor=np.inf)
    with pytest.raises(InputError) as caught:
        embedded(factor=0)
    message = str(caught.value)
    assert "RuntimeError: out of luck; correct the method, or take it out of `methods`" in message
    assert message.count(", in transform\n") == 1
    assert message.endswith('raise RuntimeError("out of luck")')
