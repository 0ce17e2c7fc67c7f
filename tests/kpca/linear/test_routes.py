import numpy as np
import pytest

from kpca.linear.routes import ROUTES, principal_axes
from tests.kpca.linear.matrices import correlated, with_spectrum


def naive_deflation(X, k, n_iter=5000):
    """Power iteration for each direction, written out."""
    axes = []
    for _ in range(k):
        w = np.ones(X.shape[1])
        for _ in range(n_iter):
            w = X.T @ (X @ w)
            w /= np.linalg.norm(w)
        axes.append(w)
        X = X - np.outer(X @ w, w)
    return np.array(axes)


@pytest.mark.parametrize("route", ROUTES)
class TestEveryRoute:
    @pytest.mark.parametrize("shape", [(60, 8), (20, 45), (12, 1), (2, 5)])
    def test_certificate_and_orthonormality(self, route, shape):
        X = correlated(*shape)
        found = principal_axes(X, min(shape), route=route)
        assert found.residuals.max() < 1e-11
        np.testing.assert_allclose(found.axes @ found.axes.T, np.eye(min(shape)), atol=1e-12)
        reference = np.linalg.svd(X, compute_uv=False) ** 2
        np.testing.assert_allclose(found.eigenvalues, reference, atol=1e-12 * reference[0])

    def test_agrees_with_naive_deflation(self, route):
        X = correlated()
        expected = naive_deflation(X, 3)
        cosines = np.abs(np.sum(principal_axes(X, 3, route=route).axes * expected, axis=1))
        np.testing.assert_allclose(cosines, 1, atol=1e-12)

    def test_axes_beyond_the_rank_are_completed(self, route):
        X = with_spectrum(30, 10, np.array([3.0, 2.0, 1.0]))
        found = principal_axes(X, 10, route=route)
        np.testing.assert_allclose(found.axes @ found.axes.T, np.eye(10), atol=1e-12)
        np.testing.assert_allclose(found.eigenvalues, [9, 4, 1] + [0] * 7, atol=1e-12)

    def test_equal_eigenvalues_give_the_same_plane(self, route):
        X = with_spectrum(30, 10, np.array([2.0, 2.0, 1.0]))
        axes, expected = principal_axes(X, 2, route=route).axes, np.linalg.svd(X)[2][:2]
        np.testing.assert_allclose(axes.T @ axes, expected.T @ expected, atol=1e-10)

    def test_constant_data_have_zero_variance(self, route):
        found = principal_axes(np.zeros((5, 3)), 2, route=route)
        np.testing.assert_array_equal(found.eigenvalues, 0)
        np.testing.assert_allclose(found.axes @ found.axes.T, np.eye(2), atol=1e-12)


def test_unknown_route_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match=r"route='eigen' is unknown.*'dual'"):
        principal_axes(np.eye(3), 1, route="eigen")
