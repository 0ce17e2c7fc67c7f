import numpy as np
import pytest

from kpca.linear.sparse.elastic_net import elastic_nets
from tests.kpca.linear.matrices import correlated


def violation(X, a, b, l1, l2):
    """How far b is from a minimum of ‖Xa − Xb‖² + λ‖b‖² + λ₁‖b‖₁: the distance of 0 from the
    subdifferential."""
    gradient = 2 * X.T @ (X @ (b - a)) + 2 * l2 * b
    active = np.abs(gradient + l1 * np.sign(b))
    return np.where(b != 0, active, np.maximum(np.abs(gradient) - l1, 0)).max()


@pytest.mark.parametrize("shape", [(60, 8), (12, 30)], ids=["gram", "d > n"])
@pytest.mark.parametrize("l2", [1e-6, 0.5, 20.0])
def test_optimality_conditions_hold(shape, l2):
    X = correlated(*shape) / 5
    A = np.linalg.svd(X)[2][:3].T
    l1 = np.array([0.0, 0.3, 2.0])
    B = elastic_nets(X, A, l1=l1, l2=l2)
    scale = np.abs(X.T @ X).max()
    for a, b, penalty in zip(A.T, B.T, l1, strict=True):
        assert violation(X, a, b, penalty, l2) < 1e-3 * scale
    assert np.count_nonzero(B[:, 2]) < len(B), "a penalty that leaves every variable tests little"


def test_start_does_not_change_the_minimum():
    X = correlated() / 5
    A = np.linalg.svd(X)[2][:2].T
    options = {"l1": np.array([0.3, 0.3]), "l2": 0.1}
    cold = elastic_nets(X, A, **options)
    np.testing.assert_allclose(
        elastic_nets(X, A, start=np.ones_like(A), **options), cold, atol=1e-4
    )


def test_infinite_ridge_is_the_limit_of_large_ones():
    X = correlated() / 5
    A = np.linalg.svd(X)[2][:2].T
    l1 = np.array([0.5, 1.0])
    limit = elastic_nets(X, A, l1=l1, l2=np.inf)
    large = elastic_nets(X, A, l1=l1, l2=1e7) * 1e7
    np.testing.assert_allclose(large, limit, rtol=1e-4, atol=1e-5)


def test_without_a_penalty_it_is_ridge_regression_and_keeps_the_direction():
    X = correlated()
    A = np.linalg.svd(X)[2][:2].T
    B = elastic_nets(X, A, l1=np.zeros(2), l2=3.0)
    np.testing.assert_allclose(B / np.linalg.norm(B, axis=0), A, atol=1e-10)
