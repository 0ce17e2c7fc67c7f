import numpy as np
import pytest
import sklearn.decomposition

from kpca.linear.sparse.dictionary import dictionary
from kpca.linear.sparse.roots import data_root
from tests.kpca.linear.matrices import correlated


@pytest.mark.parametrize("shape", [(60, 8), (10, 25)])
def test_scikit_learn_finds_the_same_from_all_rows(shape):
    """The triangular root of the covariance has as little to say as all rows of the data."""
    X = correlated(*shape)
    n = len(X)
    ours = dictionary(data_root(X), 3, l1=0.8, tol=1e-8, max_iter=1000, random_state=0)
    theirs = sklearn.decomposition.SparsePCA(
        3, alpha=0.8 * np.sqrt(n - 1), tol=1e-8, max_iter=1000, random_state=0
    ).fit(X)
    signs = np.sign(np.sum(ours.loadings.T * theirs.components_, axis=1))
    np.testing.assert_allclose(ours.loadings.T * signs[:, None], theirs.components_, atol=1e-3)
    assert ours.converged
    assert ours.n_iter > 1
