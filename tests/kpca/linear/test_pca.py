"""PCA and the SVD against scikit-learn and NumPy."""

import numpy as np
import pytest
import scipy.sparse
import sklearn.decomposition

from kpca import PCA
from kpca.linear.routes import ROUTES
from kpca.linear.svd import axis_signs, svd
from tests.kpca.linear.matrices import correlated, with_spectrum


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("whiten", [False, True])
def test_scikit_learn_is_the_oracle(route, whiten):
    X = correlated() + 5.0
    ours = PCA(4, route=route, whiten=whiten).fit(X)
    theirs = sklearn.decomposition.PCA(4, whiten=whiten, svd_solver="full").fit(X)
    variances = ("explained_variance_", "explained_variance_ratio_")
    for name in ("components_", "singular_values_", "mean_", *variances):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-11)
    Z = theirs.transform(X)
    np.testing.assert_allclose(ours.transform(X), Z, atol=1e-10)
    np.testing.assert_allclose(ours.inverse_transform(Z), theirs.inverse_transform(Z), atol=1e-10)


@pytest.mark.parametrize("svd_method", ["full", "truncated", "randomized"])
def test_every_svd_method_has_the_exact_ratio_and_a_residual(svd_method):
    X = correlated(d=20)
    model = PCA(2, svd_method=svd_method).fit(X)
    exact = np.sum(model.transform(X) ** 2, axis=0) / np.sum(X**2)
    np.testing.assert_allclose(model.explained_variance_ratio_, exact, rtol=1e-12)
    assert model.residuals_.max() < 1e-4


def test_a_share_of_the_variance_keeps_the_fewest_components():
    X = correlated()
    whole = np.cumsum(PCA().fit(X).explained_variance_ratio_)
    model = PCA(0.8).fit(X)
    assert whole[model.n_components_ - 2] < 0.8 <= whole[model.n_components_ - 1]
    assert model.transform(X).shape[1] == model.n_components_
    found, expected = (PCA(half).fit(correlated()) for half in (np.float32(0.5), 0.5))
    assert found.n_components_ == expected.n_components_


def test_reconstruction_error_is_the_variance_left_out():
    X = correlated()
    model = PCA(3).fit(X)
    left_out = 1 - model.explained_variance_ratio_.sum()
    assert model.reconstruction_error(X).sum() == pytest.approx(left_out * np.sum(X**2))
    assert model.reconstruction_error(model.inverse_transform(np.ones((2, 3)))) == pytest.approx(0)


def test_constant_data_have_finite_scores_orthonormal_components_and_no_error():
    assert np.all(PCA(whiten=True).fit_transform(np.ones((4, 3))) == 0)
    model = PCA(2, svd_method="truncated").fit(np.ones((6, 4)))
    np.testing.assert_array_equal(model.explained_variance_, 0)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(2))
    zeros = svd(np.zeros((4, 3)), 2)
    assert (zeros.frobenius_error, zeros.residuals.any()) == (0, False)


METHODS = ["full", "truncated", "randomized"]
SHAPES = [(60, 25), (25, 60)]
SPECTRUM = 0.5 ** np.arange(25)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", SHAPES)
class TestEveryMethod:
    def test_finds_the_leading_triplets(self, method, shape):
        X = with_spectrum(*shape, SPECTRUM)
        found = svd(X, 6, method=method)
        np.testing.assert_allclose(found.s, SPECTRUM[:6], rtol=1e-10)
        np.testing.assert_allclose(found.U.T @ found.U, np.eye(6), atol=1e-12)
        np.testing.assert_allclose(found.Vt @ found.Vt.T, np.eye(6), atol=1e-12)
        assert found.residuals.max() < 1e-7
        again = svd(X, 6, method=method)
        assert found.U.tobytes() == again.U.tobytes()

    def test_errors_are_those_of_the_difference(self, method, shape):
        X = with_spectrum(*shape, np.linspace(2, 1, 25))
        found = svd(X, 6, method=method, n_iter=1)
        rest = X - (found.U * found.s) @ found.Vt
        assert found.frobenius_error == pytest.approx(np.linalg.norm(rest), rel=1e-10)
        true = np.linalg.norm(rest, 2)
        assert true <= found.frobenius_error
        left = np.linalg.norm(X @ found.Vt.T - found.U * found.s, axis=0)
        right = np.linalg.norm(X.T @ found.U - found.Vt.T * found.s, axis=0)
        expected = np.maximum(left, right) / found.s[0]
        np.testing.assert_allclose(found.residuals, expected, atol=1e-14)


@pytest.mark.parametrize("method", ["truncated", "randomized"])
def test_sparse_matrix_gives_what_the_dense_one_gives(method):
    X = scipy.sparse.random_array((50, 30), density=0.2, rng=0, format="csr")
    sparse, dense = svd(X, 4, method=method, n_iter=30), svd(X.toarray(), 4, method="full")
    np.testing.assert_allclose(sparse.s, dense.s, rtol=1e-6)
    assert sparse.frobenius_error == pytest.approx(dense.frobenius_error, rel=1e-6)


def test_largest_entry_becomes_positive_whatever_the_sign_before():
    axes = np.random.default_rng(0).standard_normal((5, 4))
    signed = axes * axis_signs(axes)[:, None]
    np.testing.assert_array_equal(signed.max(axis=1), np.abs(axes).max(axis=1))
    np.testing.assert_array_equal(-axes * axis_signs(-axes)[:, None], signed)
