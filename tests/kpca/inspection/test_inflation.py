"""Variance ratios estimated from training points against those measured on new points."""

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

from kpca import KernelPCA, median_gamma
from kpca.inspection.inflation import variance_ratios


@pytest.fixture(scope="module")
def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(X))
    train, test = order[:200], order[200:1000]
    return X[train], X[test], y[train], y[test]


def measured(model: KernelPCA, X: np.ndarray, new: np.ndarray) -> np.ndarray:
    return np.square(model.transform(new)).mean(axis=0) / np.square(model.transform(X)).mean(axis=0)


@pytest.mark.parametrize("multiple", [1, 10])
def test_ratios_are_those_of_new_points(multiple: float, digits: Any) -> None:
    X, new, *_ = digits
    model = KernelPCA(16, kernel="rbf", gamma=multiple * median_gamma(X)).fit(X)
    estimated, true = variance_ratios(model), measured(model, X, new)
    assert np.log(estimated.mean() / true.mean()) == pytest.approx(0, abs=0.3)
    if multiple == 10:
        assert true[15] < 0.2 < 0.6 < measured(model, X, X)[15]
        assert estimated[15] < 0.2


def test_leaving_out_each_point_is_the_textbook_leave_one_out() -> None:
    X = np.random.default_rng(0).normal(size=(25, 3))
    model = KernelPCA(2, kernel="rbf", gamma=0.2).fit(X)
    scores = [
        KernelPCA(2, kernel="rbf", gamma=0.2).fit(np.delete(X, i, 0)).transform(X[[i]])[0]
        for i in range(25)
    ]
    expected = np.square(scores).mean(axis=0) / np.square(model.transform(X)).mean(axis=0)
    np.testing.assert_allclose(variance_ratios(model, folds=25), expected, rtol=1e-6)


def test_components_of_eigenvalue_zero_have_ratio_one() -> None:
    X = np.column_stack([np.arange(12.0), np.zeros(12)])
    assert variance_ratios(KernelPCA(2).fit(X))[1] == 1


def test_a_model_without_components_has_no_ratios() -> None:
    assert variance_ratios(KernelPCA().fit(np.ones((6, 2)))).shape == (0,)
