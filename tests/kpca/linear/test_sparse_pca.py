"""Sparse PCA: its methods, their measures, and the estimator."""

import numpy as np
import pytest
import sklearn.decomposition
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.exceptions import ConvergenceWarning

from kpca import SparsePCA
from kpca.linear.sparse import measures
from kpca.linear.sparse.deflation import bounded_maximizer, deflation
from kpca.linear.sparse.measures import data_root
from kpca.linear.sparse.spca import dictionary, elastic_nets, procrustes, spca, two_step
from kpca.linear.sparse_pca import SPARSE_METHODS
from tests.kpca.linear.matrices import correlated


@given(
    c=arrays(np.float64, st.integers(1, 12), elements=st.floats(-10, 10, width=16)),
    bound=st.floats(1, 4),
)
@example(c=np.array([2.0, -2.0, 1.0]), bound=1.0)  # which holds one of two equal entries
def test_maximizer_is_feasible_and_a_soft_threshold(c, bound):
    z = bounded_maximizer(c, bound)
    if not c.any():
        assert not z.any()
        return
    assert np.linalg.norm(z) == pytest.approx(1)
    assert np.abs(z).sum() <= bound * (1 + 1e-7)
    assert np.all(z * c >= 0)
    by_size = np.lexsort((np.abs(z), np.abs(c)))
    assert np.all(np.diff(np.abs(z)[by_size]) >= -1e-12)


@pytest.mark.parametrize("bound", [1.0, 1.2, 1.7, 2.4, 3.5])
def test_maximizer_attains_the_dual_bound(bound):
    """Weak duality: cᵀz ≤ tΔ + ‖(|c| − Δ)₊‖₂ for every Δ ≥ 0 and every feasible z."""
    c = np.random.default_rng(0).standard_normal(10)
    levels = np.linspace(0, np.abs(c).max(), 20_001)[:, None]
    dual = bound * levels[:, 0] + np.linalg.norm(np.maximum(np.abs(c) - levels, 0), axis=1)
    assert c @ bounded_maximizer(c, bound) == pytest.approx(dual.min(), rel=1e-6)


def test_bound_holds_and_tightening_it_costs_variance():
    X, bounds = correlated(), [2.5, 1.8, 1.3, 1.0]
    variances, counts = [], []
    for t in bounds:
        w = deflation(X, 1, bound=np.array([t]), tol=1e-8, max_iter=5000).loadings[:, 0]
        assert np.abs(w).sum() <= t * (1 + 1e-9)
        variances.append(np.sum((X @ w) ** 2))
        counts.append(np.count_nonzero(w))
    assert np.all(np.diff(variances) < 0)
    assert counts[-1] == 1


def test_directions_after_the_rank_is_used_up_are_zero_and_few_iterations_are_reported():
    X = np.outer(np.arange(6.0), [1.0, 2.0, 3.0])
    found = deflation(X, 2, bound=np.full(2, 5.0), tol=1e-8, max_iter=100)
    assert found.loadings.any(axis=0).tolist() == [True, False]
    assert found.converged
    found = deflation(correlated(), 2, bound=np.full(2, 2.0), tol=1e-12, max_iter=1)
    assert (found.converged, found.n_iter) == (False, 1)


def test_adjusted_variance_is_what_a_regression_on_the_earlier_scores_leaves():
    X, B = correlated(), np.random.default_rng(0).standard_normal((8, 4))
    scores, expected = X @ B, []
    for j in range(4):
        before = scores[:, :j]
        rest = scores[:, j] - before @ np.linalg.lstsq(before, scores[:, j])[0]
        expected.append(rest @ rest)
    np.testing.assert_allclose(measures.adjusted_variances(X, B), expected, rtol=1e-10)
    # Directions that add nothing have no variance.
    B = np.zeros((8, 2))
    assert measures.unexplained_share(X, B) == 1
    B[0] = 1
    assert measures.adjusted_variances(X, B)[1] == pytest.approx(0, abs=1e-20)
    twice, once = (measures.unexplained_share(X, axes) for axes in (B, B[:, :1]))
    assert twice == pytest.approx(once)
    row = np.array([[1.0, 2.0, 3.0]])
    np.testing.assert_allclose(measures.adjusted_variances(row, np.eye(3)), [1, 0, 0])


@pytest.mark.parametrize("shape", [(60, 8), (8, 60)])
def test_square_of_the_root_is_the_covariance(shape):
    X = correlated(*shape)
    C = np.cov(X, rowvar=False)
    root = measures.data_root(X)
    assert len(root) == min(shape)
    np.testing.assert_allclose(root.T @ root, C, atol=1e-12)
    symmetric = measures.covariance_root(C)
    np.testing.assert_allclose(symmetric @ symmetric, C, atol=1e-12)
    np.testing.assert_allclose(symmetric, symmetric.T, atol=1e-12)


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
    above = spca(X, 2, l1=np.full(2, 1e9), l2=np.inf, tol=1e-6, max_iter=10)
    assert not above.loadings.any(), "a penalty above every product leaves nothing"


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
def test_without_a_penalty_or_a_bound_all_are_ordinary_pca(l2):
    options = {"l1": np.zeros(3), "l2": l2}
    wide = deflation(X, 3, bound=np.full(3, 10.0), tol=1e-12, max_iter=10_000)
    assert wide.converged
    for found in (spca(X, 3, tol=1e-10, max_iter=100, **options), two_step(X, 3, **options), wide):
        cosines = np.abs(np.sum(found.loadings.T * np.linalg.svd(X)[2][:3], axis=1))
        np.testing.assert_allclose(cosines, 1, atol=1e-9)


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


@pytest.mark.parametrize("method", SPARSE_METHODS)
class TestEveryMethod:
    def test_data_and_their_covariance_give_the_same(self, method):
        X = correlated() + 3.0
        data = SparsePCA(3, method=method, l1_penalty=0.3, tol=1e-7).fit(X)
        matrix = SparsePCA(3, method=method, l1_penalty=0.3, tol=1e-7, input="covariance")
        matrix.fit(np.cov(X, rowvar=False))
        for name in ("components_", "adjusted_variance_ratio_"):
            np.testing.assert_allclose(getattr(matrix, name), getattr(data, name), atol=1e-4)
        np.testing.assert_array_equal(matrix.mean_, 0)

    def test_measures_are_those_of_the_scores_and_repeat_to_the_byte(self, method):
        X = correlated() + 3.0
        model = SparsePCA(3, method=method, l1_penalty=0.3).fit(X)
        Z = model.transform(X)
        total = np.sum((X - X.mean(axis=0)) ** 2)
        np.testing.assert_allclose(model.explained_variance_, Z.var(axis=0, ddof=1), rtol=1e-9)
        shares = np.sum(Z**2, axis=0) / total
        np.testing.assert_allclose(model.explained_variance_ratio_, shares, rtol=1e-9)
        assert np.all(model.adjusted_variance_ <= model.explained_variance_ * (1 + 1e-12))
        again = SparsePCA(3, method=method, l1_penalty=0.3).fit(X)
        assert again.components_.tobytes() == model.components_.tobytes()
        np.testing.assert_array_equal(model.n_nonzero_, np.sum(model.components_ != 0, axis=1))
        np.testing.assert_allclose(np.linalg.norm(model.components_, axis=1), 1)
        error = model.reconstruction_error(X).sum() / total
        assert model.reconstruction_error_ == pytest.approx(error, rel=1e-9)
        assert np.all(model.components_.max(axis=1) == np.abs(model.components_).max(axis=1))

    def test_wide_data(self, method):
        X = correlated(12, 30)
        model = SparsePCA(2, method=method, l1_penalty=3.0, l2_penalty=np.inf).fit(X)
        assert model.converged_
        assert np.all(model.n_nonzero_ < 30)


def test_each_component_has_its_own_penalty_and_what_does_not_converge_is_warned_about():
    model = SparsePCA(2, l1_penalty=[0.01, 3.0]).fit(correlated())
    assert model.n_nonzero_[0] > model.n_nonzero_[1]
    with pytest.warns(ConvergenceWarning, match=r"max_iter=1 .*tol=1e-12: raise one"):
        model = SparsePCA(2, tol=1e-12, max_iter=1).fit(correlated())
    assert not model.converged_
