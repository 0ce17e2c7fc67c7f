"""Probabilities and intervals: scikit-learn's, from the folds that are given, and measured."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV, _SigmoidCalibration
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from kpca import KernelPCA
from kpca.calibration import CalibratedPipeline

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 3))
NEW = RNG.normal(size=(50, 3))
FOLDS = StratifiedKFold(4, shuffle=True, random_state=1)


def calibrated(last, X, y, **options):
    steps = make_pipeline(StandardScaler(), KernelPCA(3, kernel="rbf"), last).steps
    return CalibratedPipeline(steps).fit(X, y).calibrate(X, y, **options)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("last", [SVC(class_weight="balanced"), RandomForestClassifier(3)])
def test_probabilities_are_scikit_learns_and_labels_stay(last, classes):
    y = np.array(["a", "b", "c"])[(X[:, 0] > 0.8).astype(int) + (classes == 3) * (X[:, 1] > 1)]
    last = last.set_params(random_state=0)
    model = calibrated(last, X, y, cv=FOLDS)
    plain = Pipeline(model.steps)
    expected = CalibratedClassifierCV(plain, cv=FOLDS, ensemble=False).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(NEW), expected.predict_proba(NEW))
    assert (model.predict(NEW) == plain.predict(NEW)).all()
    assert not hasattr(model, "predict_interval")
    assert not hasattr(model.fit(X, y), "predict_proba")  # It would belong to another fit.


def test_a_class_must_be_in_the_rest_of_each_fold():
    y = np.where(np.arange(90) < 45, "a", "b")
    with pytest.raises(ValueError, match="leaves out all samples of a class"):
        calibrated(SVC(), X, y, cv=KFold(2))


@pytest.mark.parametrize(
    ("last", "size"), [(LinearRegression(), 1), (RandomForestRegressor(5, random_state=0), 4)]
)
def test_intervals_cover_what_they_promise(last, size):
    """Also if the samples of a group of some size share an effect."""
    covered = []
    group = np.arange(360) // size
    for seed in range(6):
        rng = np.random.default_rng(seed)
        rows = rng.normal(size=(360, 3))
        effects = rng.normal(size=360) * (size > 1)
        y = np.sin(2 * rows[:, 0]) + rng.normal(size=360) * 0.5 + effects[group]
        model = calibrated(last, rows[:120], y[:120], cv=GroupKFold(5), groups=group[:120])
        low, high = model.predict_interval(rows[120:], 0.8).T
        covered.append(((low <= y[120:]) & (y[120:] <= high)).mean())
    assert 0.77 < np.mean(covered) < 0.86


# The last half is predicted by models of earlier samples; the others count nowhere.
WINDOWS = [(np.arange(start - 5), np.arange(start, start + 15)) for start in (45, 60, 75)]


@pytest.mark.parametrize(
    ("last", "y", "method"),
    [
        (SVC(), np.where(X[:, 0] > 0, "a", "b"), "decision_function"),
        (LinearRegression(), X[:, 0] + np.arange(90), "predict"),
    ],
)
def test_windows_of_time_calibrate_by_later_samples_alone(last, y, method):
    model = calibrated(last, X, y, cv=WINDOWS)
    values = []
    for train, test in WINDOWS:
        refit = Pipeline(clone(model).steps).fit(X[train], y[train])
        values.extend(getattr(refit, method)(X[test]))
    if method == "predict":
        np.testing.assert_allclose(model.residuals_, np.sort(np.abs(values - y[45:])))
    else:
        sigmoid = _SigmoidCalibration().fit(values, y[45:] == "b")
        np.testing.assert_allclose(model.sigmoids_, [[sigmoid.a_, sigmoid.b_]], rtol=1e-4)


def test_more_certainty_takes_more_rows():
    model = calibrated(LinearRegression(), X[:19], X[:19, 0])
    assert np.isfinite(model.predict_interval(NEW, 0.95)).all()
    low, high = model.predict_interval(NEW, 1e-12).T
    np.testing.assert_allclose(high - low, 2 * model.residuals_[0])
    with pytest.raises(ValueError, match=r"19 held-out rows give levels up to 0.95, not 0.96"):
        model.predict_interval(NEW, 0.96)
