import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kpca.linear.sparse.deflation import bounded_maximizer, deflation
from tests.kpca.linear.matrices import correlated


@given(
    c=arrays(np.float64, st.integers(1, 12), elements=st.floats(-10, 10, width=16)),
    bound=st.floats(1, 4),
)
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


def test_equal_entries_and_a_bound_that_holds_one_of_them():
    z = bounded_maximizer(np.array([2.0, -2.0, 1.0]), 1.0)
    assert np.count_nonzero(z) == 1
    assert np.abs(z).sum() == 1


def test_wide_bound_is_ordinary_pca():
    X = correlated()
    found = deflation(X, 3, bound=np.full(3, 10.0), tol=1e-12, max_iter=10_000)
    assert found.converged
    cosines = np.abs(np.sum(found.loadings.T * np.linalg.svd(X)[2][:3], axis=1))
    np.testing.assert_allclose(cosines, 1, atol=1e-9)


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


def test_directions_after_the_rank_is_used_up_are_zero():
    X = np.outer(np.arange(6.0), [1.0, 2.0, 3.0])
    found = deflation(X, 2, bound=np.full(2, 5.0), tol=1e-8, max_iter=100)
    assert found.loadings[:, 0].any()
    assert not found.loadings[:, 1].any()
    assert found.converged


def test_too_few_iterations_are_reported():
    found = deflation(correlated(), 2, bound=np.full(2, 2.0), tol=1e-12, max_iter=1)
    assert not found.converged
    assert found.n_iter == 1
