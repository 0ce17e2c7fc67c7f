import numpy as np
import pytest

from kpca.linear.range_finder import range_finder
from tests.kpca.linear.matrices import with_spectrum


@pytest.mark.parametrize("normalizer", ["none", "LU", "QR"])
@pytest.mark.parametrize(("n_iter", "limit"), [(0, 0.2), (1, 1e-3), (3, 1e-9)])
def test_basis_is_orthonormal_and_holds_the_leading_space(normalizer, n_iter, limit):
    X = with_spectrum(80, 50, 0.7 ** np.arange(20))
    Q = range_finder(X, 12, n_iter=n_iter, normalizer=normalizer)
    np.testing.assert_allclose(Q.T @ Q, np.eye(12), atol=1e-13)
    leading = np.linalg.svd(X)[0][:, :2]
    assert np.linalg.norm(leading - Q @ (Q.T @ leading)) < limit


def test_power_iterations_without_a_normaliser_lose_the_small_directions():
    X = with_spectrum(60, 40, np.logspace(0, -8, 30))
    lost, kept = (
        np.linalg.norm(X - Q @ (Q.T @ X), 2)
        for Q in (range_finder(X, 30, n_iter=4, normalizer=name) for name in ("none", "QR"))
    )
    assert kept < 1e-12
    assert lost > 1e-6
