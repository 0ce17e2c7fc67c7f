import numpy as np
import pytest

from kpca.linear.sparse.measures import adjusted_variances
from tests.kpca.linear.matrices import correlated
from workflow.scripts.linear.exact_sparse import best_direction, exact_components


def naive_best(S, size):
    """Try every subset of variables given as the bits of a number."""
    d, best = len(S), 0.0
    for bits in range(1, 2**d):
        chosen = [i for i in range(d) if bits >> i & 1]
        if len(chosen) <= size:
            best = max(best, np.linalg.eigvalsh(S[np.ix_(chosen, chosen)])[-1])
    return best


@pytest.mark.parametrize("size", range(1, 9))
def test_direction_is_the_best_of_every_subset(size):
    S = np.cov(correlated(), rowvar=False)
    w = best_direction(S, size)
    assert np.linalg.norm(w) == pytest.approx(1)
    assert np.count_nonzero(w) <= size
    assert w @ S @ w == pytest.approx(naive_best(S, size), rel=1e-12)


def test_components_of_full_size_are_the_principal_ones():
    X = correlated()
    W = exact_components(X.T @ X, [8, 8, 8])
    expected = np.linalg.svd(X, compute_uv=False)[:3] ** 2
    np.testing.assert_allclose(adjusted_variances(X, W), expected, rtol=1e-10)


def test_each_component_adds_the_most_that_its_size_allows():
    X = correlated()
    W = exact_components(X.T @ X, [3, 2])
    best = 0.0
    rng = np.random.default_rng(0)
    for _ in range(2000):
        w = np.zeros(8)
        w[rng.choice(8, 2, replace=False)] = rng.standard_normal(2)
        pair = np.column_stack([W[:, 0], w / np.linalg.norm(w)])
        best = max(best, adjusted_variances(X, pair)[1])
    assert 0.99 * adjusted_variances(X, W)[1] < best <= adjusted_variances(X, W)[1] * (1 + 1e-10)
