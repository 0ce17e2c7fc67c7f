import numpy as np
import pytest

from kpca.linear.sparse.elastic_net import elastic_nets
from kpca.linear.sparse.spca import procrustes, spca, two_step
from tests.kpca.linear.matrices import correlated


def objective(X, A, B, l1, l2):
    fit = np.sum((X - X @ B @ A.T) ** 2)
    return fit + l2 * np.sum(B**2) + np.sum(l1 * np.abs(B).sum(axis=0))


def test_each_half_step_lowers_the_objective():
    X, l1, l2 = correlated() / 5, np.array([0.3, 0.2]), 0.01
    A = np.linalg.svd(X)[2][:2].T
    B = elastic_nets(X, A, l1=l1, l2=l2)
    values = [objective(X, A, B, l1, l2)]
    for _ in range(30):
        A = procrustes(X.T @ (X @ B))
        values.append(objective(X, A, B, l1, l2))
        B = elastic_nets(X, A, l1=l1, l2=l2, start=B)
        values.append(objective(X, A, B, l1, l2))
    assert np.all(np.diff(values) < 1e-8 * values[0])
    assert values[-1] < values[0] - 1e-4


def test_limit_is_a_fixed_point_of_both_steps():
    X, l1, l2 = correlated() / 5, np.array([0.3, 0.2]), 0.01
    found = spca(X, 2, l1=l1, l2=l2, tol=1e-8, max_iter=2000)
    assert found.converged
    again = spca(X, 2, l1=l1, l2=l2, tol=1e-10, max_iter=found.n_iter + 50)
    np.testing.assert_allclose(again.loadings, found.loadings, atol=1e-5)


def test_first_iteration_starts_where_two_steps_end():
    X, l1 = correlated() / 5, np.array([0.3, 0.2])
    naive = two_step(X, 2, l1=l1, l2=0.01)
    assert naive.converged
    A = np.linalg.svd(X)[2][:2].T
    B = elastic_nets(X, A, l1=l1, l2=0.01)
    expected = B / np.linalg.norm(B, axis=0)
    signs = np.sign(np.sum(expected * naive.loadings, axis=0))
    np.testing.assert_allclose(naive.loadings * signs, expected, atol=1e-6)


@pytest.mark.parametrize("l2", [1e-6, 1.0, np.inf])
def test_without_a_penalty_it_is_ordinary_pca(l2):
    X = correlated()
    found = spca(X, 3, l1=np.zeros(3), l2=l2, tol=1e-10, max_iter=100)
    cosines = np.abs(np.sum(found.loadings.T * np.linalg.svd(X)[2][:3], axis=1))
    np.testing.assert_allclose(cosines, 1, atol=1e-9)


def test_penalty_above_every_product_leaves_nothing():
    X = correlated()
    found = spca(X, 2, l1=np.full(2, 1e9), l2=np.inf, tol=1e-6, max_iter=10)
    assert not found.loadings.any()


def test_procrustes_beats_every_rotation_tried():
    rng = np.random.default_rng(0)
    M = rng.standard_normal((6, 3))
    A = procrustes(M)
    np.testing.assert_allclose(A.T @ A, np.eye(3), atol=1e-13)
    for _ in range(100):
        other = np.linalg.qr(rng.standard_normal((6, 3)))[0]
        assert np.trace(other.T @ M) <= np.trace(A.T @ M)
