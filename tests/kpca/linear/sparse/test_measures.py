import numpy as np
import pytest

from kpca.linear.sparse.measures import adjusted_variances, unexplained_share, variances
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
    np.testing.assert_allclose(adjusted_variances(X, B), naive_adjusted(X, B), rtol=1e-10)


def test_uncorrelated_scores_need_no_adjustment():
    X = correlated()
    V = np.linalg.svd(X)[2][:4].T
    eigenvalues = np.linalg.svd(X, compute_uv=False)[:4] ** 2
    np.testing.assert_allclose(variances(X, V), eigenvalues)
    np.testing.assert_allclose(adjusted_variances(X, V), eigenvalues)
    assert unexplained_share(X, V) == pytest.approx(1 - eigenvalues.sum() / np.sum(X**2))


def test_repeated_direction_adds_nothing():
    X, B = correlated(), np.zeros((8, 2))
    B[0] = 1
    assert adjusted_variances(X, B)[1] == pytest.approx(0, abs=1e-20)
    assert unexplained_share(X, B) == pytest.approx(unexplained_share(X, B[:, :1]))


def test_more_components_than_rows_add_nothing():
    X = np.array([[1.0, 2.0, 3.0]])
    np.testing.assert_allclose(adjusted_variances(X, np.eye(3)), [1, 0, 0])


def test_no_loadings_leave_everything_unexplained():
    assert unexplained_share(correlated(), np.zeros((8, 2))) == 1
