import numpy as np
import pytest

from tests.kpca.linear.matrices import correlated, with_spectrum
from workflow.scripts.linear.routes import ROUTES, principal_axes


@pytest.mark.parametrize("route", ROUTES)
class TestEveryRoute:
    @pytest.mark.parametrize("shape", [(60, 8), (20, 45), (12, 1), (2, 5)])
    def test_certificate_and_orthonormality(self, route, shape):
        X = correlated(*shape)
        found = principal_axes(X, min(shape), route=route)
        assert found.residuals.max() < 1e-11
        np.testing.assert_allclose(found.axes @ found.axes.T, np.eye(min(shape)), atol=1e-12)
        _, singular, axes = np.linalg.svd(X, full_matrices=False)
        np.testing.assert_allclose(found.eigenvalues, singular**2, atol=1e-12 * singular[0] ** 2)
        leading = np.s_[: max(1, min(shape) - 1)]  # of the last one centring may leave nothing
        cosines = np.abs(np.sum(found.axes[leading] * axes[leading], axis=1))
        np.testing.assert_allclose(cosines, 1, atol=1e-9)

    @pytest.mark.parametrize("singular", [[3.0, 2.0, 1.0], [0.0]])
    def test_axes_beyond_the_rank_are_completed(self, route, singular):
        found = principal_axes(with_spectrum(30, 10, np.array(singular)), 10, route=route)
        np.testing.assert_allclose(found.axes @ found.axes.T, np.eye(10), atol=1e-12)
        expected = np.zeros(10)
        expected[: len(singular)] = np.square(singular)
        np.testing.assert_allclose(found.eigenvalues, expected, rtol=0, atol=1e-12 * singular[0])

    def test_equal_eigenvalues_give_the_same_plane(self, route):
        X = with_spectrum(30, 10, np.array([2.0, 2.0, 1.0]))
        axes, expected = principal_axes(X, 2, route=route).axes, np.linalg.svd(X)[2][:2]
        np.testing.assert_allclose(axes.T @ axes, expected.T @ expected, atol=1e-10)
