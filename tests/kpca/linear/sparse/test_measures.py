import numpy as np
import pytest

from kpca.linear.sparse import measures
from tests.kpca.linear.matrices import correlated


def naive_adjusted(X, B):
    """Variance of each score after regressing it on those before it."""
    scores, adjusted = X @ B, []
    for j in range(B.shape[1]):
        before = scores[:, :j]
        rest = scores[:, j] - before @ np.linalg.lstsq(before, scores[:, j])[0]
        adjusted.append(rest @ rest)
    return np.array(adjusted)


def test_adjusted_variance_is_what_a_regression_on_the_earlier_scores_leaves():
    X = correlated()
    B = np.random.default_rng(0).standard_normal((8, 4))
    np.testing.assert_allclose(measures.adjusted_variances(X, B), naive_adjusted(X, B), rtol=1e-10)


def test_repeated_direction_adds_nothing():
    X, B = correlated(), np.zeros((8, 2))
    B[0] = 1
    assert measures.adjusted_variances(X, B)[1] == pytest.approx(0, abs=1e-20)
    twice, once = (measures.unexplained_share(X, axes) for axes in (B, B[:, :1]))
    assert twice == pytest.approx(once)


def test_more_components_than_rows_or_none_at_all():
    row = np.array([[1.0, 2.0, 3.0]])
    np.testing.assert_allclose(measures.adjusted_variances(row, np.eye(3)), [1, 0, 0])
    assert measures.unexplained_share(correlated(), np.zeros((8, 2))) == 1


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
        measures.covariance_root(C)
