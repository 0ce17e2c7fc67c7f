import numpy as np
import pytest
import sklearn.decomposition

from kpca.linear.sparse.measures import data_root
from kpca.linear.sparse.spca import dictionary, elastic_nets, procrustes, spca, two_step
from tests.kpca.linear.matrices import correlated

X = correlated() / 5
A = np.linalg.svd(X)[2][:2].T


def violation(X, a, b, l1, l2):
    """How far b is from a minimum of ‖Xa − Xb‖² + λ‖b‖² + λ₁‖b‖₁: the distance of 0 from the
    subdifferential."""
    gradient = 2 * X.T @ (X @ (b - a)) + 2 * l2 * b
    active = np.abs(gradient + l1 * np.sign(b))
    return np.where(b != 0, active, np.maximum(np.abs(gradient) - l1, 0)).max()


@pytest.mark.parametrize("shape", [(60, 8), (12, 30)], ids=["gram", "d > n"])
@pytest.mark.parametrize("l2", [1e-6, 0.5, 20.0])
def test_optimality_conditions_hold(shape, l2):
    rows = correlated(*shape) / 5
    directions = np.linalg.svd(rows)[2][:3].T
    l1 = np.array([0.0, 0.3, 2.0])
    B = elastic_nets(rows, directions, l1=l1, l2=l2)
    scale = np.abs(rows.T @ rows).max()
    for a, b, penalty in zip(directions.T, B.T, l1, strict=True):
        assert violation(rows, a, b, penalty, l2) < 1e-3 * scale
    assert np.count_nonzero(B[:, 2]) < len(B), "a penalty that leaves every variable tests little"


def test_infinite_ridge_is_the_limit_of_large_ones():
    l1 = np.array([0.5, 1.0])
    limit = elastic_nets(X, A, l1=l1, l2=np.inf)
    large = elastic_nets(X, A, l1=l1, l2=1e7) * 1e7
    np.testing.assert_allclose(large, limit, rtol=1e-4, atol=1e-5)


def objective(X, A, B, l1, l2):
    fit = np.sum((X - X @ B @ A.T) ** 2)
    return fit + l2 * np.sum(B**2) + np.sum(l1 * np.abs(B).sum(axis=0))


def test_each_half_step_lowers_the_objective():
    l1, l2 = np.array([0.3, 0.2]), 0.01
    turned, B = A, elastic_nets(X, A, l1=l1, l2=l2)
    values = [objective(X, turned, B, l1, l2)]
    for _ in range(30):
        turned = procrustes(X.T @ (X @ B))
        values.append(objective(X, turned, B, l1, l2))
        B = elastic_nets(X, turned, l1=l1, l2=l2, start=B)
        values.append(objective(X, turned, B, l1, l2))
    assert np.all(np.diff(values) < 1e-8 * values[0])
    assert values[-1] < values[0] - 1e-4


def test_limit_is_a_fixed_point_of_both_steps():
    l1, l2 = np.array([0.3, 0.2]), 0.01
    found = spca(X, 2, l1=l1, l2=l2, tol=1e-8, max_iter=2000)
    assert found.converged
    again = spca(X, 2, l1=l1, l2=l2, tol=1e-10, max_iter=found.n_iter + 50)
    np.testing.assert_allclose(again.loadings, found.loadings, atol=1e-5)


@pytest.mark.parametrize("l2", [1e-6, 1.0, np.inf])
def test_without_a_penalty_both_are_ordinary_pca(l2):
    options = {"l1": np.zeros(3), "l2": l2}
    for found in (spca(X, 3, tol=1e-10, max_iter=100, **options), two_step(X, 3, **options)):
        cosines = np.abs(np.sum(found.loadings.T * np.linalg.svd(X)[2][:3], axis=1))
        np.testing.assert_allclose(cosines, 1, atol=1e-9)


def test_penalty_above_every_product_leaves_nothing():
    found = spca(X, 2, l1=np.full(2, 1e9), l2=np.inf, tol=1e-6, max_iter=10)
    assert not found.loadings.any()


def test_procrustes_beats_every_rotation_tried():
    rng = np.random.default_rng(0)
    M = rng.standard_normal((6, 3))
    best = procrustes(M)
    np.testing.assert_allclose(best.T @ best, np.eye(3), atol=1e-13)
    for _ in range(100):
        other = np.linalg.qr(rng.standard_normal((6, 3)))[0]
        assert np.trace(other.T @ M) <= np.trace(best.T @ M)


@pytest.mark.parametrize("shape", [(60, 8), (10, 25)])
def test_scikit_learn_finds_the_same_from_all_rows(shape):
    """The triangular root of the covariance has as little to say as all rows of the data."""
    rows = correlated(*shape)
    n = len(rows)
    ours = dictionary(data_root(rows), 3, l1=0.8, tol=1e-8, max_iter=1000, random_state=0)
    theirs = sklearn.decomposition.SparsePCA(
        3, alpha=0.8 * np.sqrt(n - 1), tol=1e-8, max_iter=1000, random_state=0
    ).fit(rows)
    signs = np.sign(np.sum(ours.loadings.T * theirs.components_, axis=1))
    np.testing.assert_allclose(ours.loadings.T * signs[:, None], theirs.components_, atol=1e-3)
    assert ours.converged
    assert ours.n_iter > 1
