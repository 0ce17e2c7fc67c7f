import numpy as np
import pytest

from kpca.linear.sparse.roots import covariance_root, data_root
from tests.kpca.linear.matrices import correlated


@pytest.mark.parametrize("shape", [(60, 8), (8, 60)])
def test_square_of_the_root_is_the_covariance(shape):
    X = correlated(*shape)
    C = np.cov(X, rowvar=False)
    root = data_root(X)
    assert len(root) == min(shape)
    np.testing.assert_allclose(root.T @ root, C, atol=1e-12)
    symmetric = covariance_root(C)
    np.testing.assert_allclose(symmetric @ symmetric, C, atol=1e-12)
    np.testing.assert_allclose(symmetric, symmetric.T, atol=1e-12)


@pytest.mark.parametrize(
    ("C", "message"),
    [
        (np.ones((3, 2)), 'square, not .* input="data"'),
        (np.array([[1.0, 0.5], [0.2, 1.0]]), "not symmetric"),
        (np.array([[1.0, 2.0], [2.0, 1.0]]), "negative eigenvalue -1"),
    ],
)
def test_what_is_no_covariance_is_refused(C, message):
    with pytest.raises(ValueError, match=message):
        covariance_root(C)
