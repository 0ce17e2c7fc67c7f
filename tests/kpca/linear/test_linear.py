"""PCA, the SVD and sparse PCA against scikit-learn, NumPy and optimality conditions."""

import numpy as np
import pytest
import scipy.sparse
import sklearn.decomposition
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from kpca import PCA, SparsePCA
from kpca.linear import sparse
from kpca.linear.routes import ROUTES
from kpca.linear.sparse import bounded_maximizer, deflation, dictionary, elastic_nets, spca
from kpca.linear.sparse_pca import SPARSE_METHODS
from kpca.linear.svd import svd
from tests.kpca.linear.matrices import correlated, with_spectrum

X = correlated() / 5
A = np.linalg.svd(X)[2][:2].T
METHODS = ["full", "truncated", "randomized"]
SHAPES = [(60, 25), (25, 60)]
SPECTRUM = 0.5 ** np.arange(25)


def test_a_number_of_components_of_any_integer_type_is_an_int():
    rows = np.random.default_rng(0).normal(size=(300, 260))
    model = PCA(np.uint8(250), svd_method="randomized").fit(rows)
    assert type(model.n_components_) is int
    assert model.residuals_.max() < 1e-12


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


@pytest.mark.parametrize("svd_method", METHODS)
def test_every_svd_method_has_the_exact_ratio_and_a_residual(svd_method):
    X = correlated(d=20)
    model = PCA(2, svd_method=svd_method).fit(X)
    exact = np.sum(model.transform(X) ** 2, axis=0) / np.sum(X**2)
    np.testing.assert_allclose(model.explained_variance_ratio_, exact, rtol=1e-12)
    assert model.residuals_.max() < 1e-4


def test_rounding_of_the_ratios_keeps_no_further_component():
    rows = np.vstack([np.eye(10), -np.eye(10)])  # Each component has a tenth of the variance.
    assert [PCA(tenths / 10).fit(rows).n_components_ for tenths in range(1, 10)] == [*range(1, 10)]


@pytest.mark.parametrize("route", ROUTES)
def test_whitening_keeps_small_variances_of_many_rows(route):
    X = np.random.default_rng(0).standard_normal((100_000, 3)) * [1, 2e-6, 1e-6]
    Z = PCA(3, route=route, whiten=True).fit_transform(X)
    np.testing.assert_allclose(Z.std(axis=0), 1, rtol=1e-4)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("d", [48, 52])
def test_equal_variances_of_one_hot_columns_are_all_found(route, d):
    """LAPACK's driver for a few eigenvectors leaves some of them out on such data."""
    model = PCA(2, route=route).fit(np.eye(d))
    np.testing.assert_allclose(model.explained_variance_, 1 / (d - 1), rtol=1e-12)


@pytest.mark.parametrize("share", [0.5, np.float32(0.8), 0.99])
def test_a_share_of_the_variance_keeps_the_fewest_components(share):
    X = correlated()
    model = PCA(share).fit(X)
    assert model.n_components_ == sklearn.decomposition.PCA(float(share)).fit(X).n_components_
    assert model.transform(X).shape[1] == model.n_components_


@pytest.mark.parametrize(("route", "least"), [("svd", 1e-10), ("covariance", 1e-5)])
@pytest.mark.parametrize("mean", [0.0, 1e3])
def test_whitening_scales_what_varies_and_no_rounding(route, least, mean):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        spread = np.array([1.0, 0.5, max(least, 1e-8 * mean)])
        axes = np.linalg.qr(rng.normal(size=(6, 3)))[0].T
        rows = mean + rng.normal(size=(50, 3)) * spread @ axes
        deviations = PCA(whiten=True, route=route).fit_transform(rows).std(axis=0, ddof=1)
        np.testing.assert_allclose(deviations[:3], 1, rtol=1e-3)
        assert deviations[3:].max() < 1e-4


def test_reconstruction_error_is_the_variance_left_out():
    X = correlated()
    model = PCA(3).fit(X)
    left_out = 1 - model.explained_variance_ratio_.sum()
    assert model.reconstruction_error(X).sum() == pytest.approx(left_out * np.sum(X**2))
    assert model.reconstruction_error(model.inverse_transform(np.ones((2, 3)))) == pytest.approx(0)


def test_constant_data_have_finite_scores_orthonormal_components_and_no_error():
    assert np.all(PCA(whiten=True).fit_transform(np.ones((4, 3))) == 0)
    assert np.abs(PCA(whiten=True).fit_transform(np.full((10, 3), 0.1))).max() < 1e-15
    model = PCA(2, svd_method="truncated").fit(np.ones((6, 4)))
    np.testing.assert_array_equal(model.explained_variance_, 0)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(2))
    zeros = svd(np.zeros((4, 3)), 2)
    assert (zeros.frobenius_error, zeros.residuals.any()) == (0, False)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_method_finds_the_leading_triplets(method, shape):
    X = with_spectrum(*shape, SPECTRUM)
    triplets, again = (svd(X, 6, method=method) for _ in range(2))
    np.testing.assert_allclose(triplets.s, SPECTRUM[:6], rtol=1e-10)
    np.testing.assert_allclose(triplets.U.T @ triplets.U, np.eye(6), atol=1e-12)
    np.testing.assert_allclose(triplets.Vt @ triplets.Vt.T, np.eye(6), atol=1e-12)
    assert triplets.residuals.max() < 1e-7
    assert triplets.U.tobytes() == again.U.tobytes()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", SHAPES)
def test_errors_of_every_method_are_those_of_the_difference(method, shape):
    X = with_spectrum(*shape, np.linspace(2, 1, 25))
    triplets = svd(X, 6, method=method, n_iter=1)
    U = triplets.U
    s = triplets.s
    Vt = triplets.Vt
    difference = np.linalg.norm(X - (U * s) @ Vt)
    assert triplets.frobenius_error == pytest.approx(difference, rel=1e-10)
    residuals = [np.linalg.norm(R, axis=0) / s[0] for R in (X @ Vt.T - U * s, X.T @ U - Vt.T * s)]
    np.testing.assert_allclose(triplets.residuals, np.max(residuals, axis=0), atol=1e-14)


@pytest.mark.parametrize("method", ["truncated", "randomized"])
def test_sparse_matrix_gives_what_the_dense_one_gives(method):
    X = scipy.sparse.random_array((50, 30), density=0.2, random_state=0, format="csr")
    thin = svd(X, 4, method=method, n_iter=30)
    dense = svd(X.toarray(), 4, method="full")
    np.testing.assert_allclose(thin.s, dense.s, rtol=1e-6)
    assert thin.frobenius_error == pytest.approx(dense.frobenius_error, rel=1e-6)


@pytest.mark.parametrize("bound", [1.0, 1.2, 1.7, 2.4, 3.5])
def test_maximizer_is_feasible_and_attains_the_dual_bound(bound):
    """Weak duality: cᵀz ≤ tΔ + ‖(|c| − Δ)₊‖₂ for every Δ ≥ 0 and every feasible z."""
    c = np.random.default_rng(0).standard_normal(10)
    z = bounded_maximizer(c, bound)
    assert np.linalg.norm(z) == pytest.approx(1)
    assert np.abs(z).sum() <= bound * (1 + 1e-7)
    levels = np.linspace(0, np.abs(c).max(), 20_001)[:, None]
    dual = bound * levels[:, 0] + np.linalg.norm(np.maximum(np.abs(c) - levels, 0), axis=1)
    assert c @ z == pytest.approx(dual.min(), rel=1e-6)
    assert not bounded_maximizer(0 * c, bound).any()
    # The result holds one of the tied entries.
    tied = bounded_maximizer(np.array([2.0, -2.0, 1.0]), 1.0)
    np.testing.assert_array_equal(np.sort(np.abs(tied)), [0, 0, 1])


def test_directions_after_the_rank_is_used_up_are_zero_and_few_iterations_are_reported():
    X = np.outer(np.arange(6.0), [1.0, 2.0, 3.0])
    directions = deflation(X, 2, bound=np.full(2, 5.0), tol=1e-8, max_iter=100)
    assert directions.loadings.any(axis=0).tolist() == [True, False]
    assert directions.converged
    stopped = deflation(correlated(), 2, bound=np.full(2, 2.0), tol=1e-12, max_iter=1)
    assert (stopped.converged, stopped.n_iter) == (False, 1)


def test_directions_that_add_nothing_have_no_variance():
    X = correlated()
    B = np.zeros((8, 2))
    assert sparse.unexplained_share(X, B) == 1
    B[0] = 1
    assert sparse.adjusted_variances(X, B)[1] == pytest.approx(0, abs=1e-20)
    assert sparse.unexplained_share(X, B) == pytest.approx(sparse.unexplained_share(X, B[:, :1]))
    row = np.array([[1.0, 2.0, 3.0]])
    np.testing.assert_allclose(sparse.adjusted_variances(row, np.eye(3)), [1, 0, 0])


def violation(X, a, b, l1, l2):
    """How far b is from a minimum of ‖Xa − Xb‖² + λ‖b‖² + λ₁‖b‖₁: the distance of 0 from the
    subdifferential."""
    gradient = 2 * X.T @ (X @ (b - a)) + 2 * l2 * b
    active = np.abs(gradient + l1 * np.sign(b))
    return np.where(b != 0, active, np.maximum(np.abs(gradient) - l1, 0)).max()


@pytest.mark.parametrize("shape", [(60, 8), (12, 30)], ids=["gram", "d > n"])
@pytest.mark.parametrize("l2", [1e-6, 0.5, 20.0])
def test_optimality_conditions_hold(shape, l2):
    rows = correlated(*shape) / 5
    directions = np.linalg.svd(rows)[2][:3].T
    l1 = np.array([0.0, 0.3, 2.0])
    B = elastic_nets(rows, directions, l1=l1, l2=l2)
    scale = np.abs(rows.T @ rows).max()
    for a, b, penalty in zip(directions.T, B.T, l1, strict=True):
        assert violation(rows, a, b, penalty, l2) < 1e-3 * scale
    assert np.count_nonzero(B[:, 2]) < len(B), "a penalty that leaves every variable tests little"


def test_infinite_ridge_is_the_limit_of_large_ones():
    l1 = np.array([0.5, 1.0])
    limit = elastic_nets(X, A, l1=l1, l2=np.inf)
    large = elastic_nets(X, A, l1=l1, l2=1e7) * 1e7
    np.testing.assert_allclose(large, limit, rtol=1e-4, atol=1e-5)
    above = spca(X, 2, l1=np.full(2, 1e9), l2=np.inf, tol=1e-6, max_iter=10)
    assert not above.loadings.any(), "a penalty above every product leaves nothing"


@pytest.mark.parametrize("l2", [1e-6, 1.0, np.inf])
def test_without_a_penalty_or_a_bound_all_are_ordinary_pca(l2):
    options = {"l1": np.zeros(3), "l2": l2}
    wide = deflation(X, 3, bound=np.full(3, 10.0), tol=1e-12, max_iter=10_000)
    assert wide.converged
    net, once = (spca(X, 3, tol=1e-10, max_iter=m, **options) for m in (100, 0))
    for directions in (net, once, wide):
        cosines = np.abs(np.sum(directions.loadings.T * np.linalg.svd(X)[2][:3], axis=1))
        np.testing.assert_allclose(cosines, 1, atol=1e-9)


@pytest.mark.parametrize("shape", [(60, 8), (10, 25)])
def test_scikit_learn_finds_the_same_from_all_rows(shape):
    """The triangular root of the covariance has as little to say as all rows of the data."""
    rows = correlated(*shape)
    n = len(rows)
    ours = dictionary(sparse.data_root(rows), 3, l1=0.8, tol=1e-8, max_iter=1000, random_state=0)
    theirs = sklearn.decomposition.SparsePCA(
        3, alpha=0.8 * np.sqrt(n - 1), tol=1e-8, max_iter=1000, random_state=0
    ).fit(rows)
    signs = np.sign(np.sum(ours.loadings.T * theirs.components_, axis=1))
    np.testing.assert_allclose(ours.loadings.T * signs[:, None], theirs.components_, atol=1e-3)
    assert ours.converged
    assert ours.n_iter > 1


@pytest.mark.parametrize("method", SPARSE_METHODS)
def test_data_and_their_covariance_give_the_same(method):
    X = correlated() + 3.0
    data = SparsePCA(3, method=method, l1_penalty=0.3, tol=1e-7).fit(X)
    matrix = clone(data).set_params(input="covariance").fit(np.cov(X, rowvar=False))
    for name in ("components_", "adjusted_variance_ratio_"):
        np.testing.assert_allclose(getattr(matrix, name), getattr(data, name), atol=1e-4)
    np.testing.assert_array_equal(matrix.mean_, 0)


@pytest.mark.parametrize("method", SPARSE_METHODS)
def test_measures_are_those_of_the_scores_and_repeat_to_the_byte(method):
    X = correlated() + 3.0
    model = SparsePCA(3, method=method, l1_penalty=0.3).fit(X)
    scores = model.transform(X)
    axes = model.components_
    variances = scores.var(axis=0, ddof=1)
    added = np.linalg.qr(scores)[1].diagonal() ** 2
    total = X.var(axis=0, ddof=1).sum()
    np.testing.assert_allclose(model.explained_variance_, variances, rtol=1e-9)
    np.testing.assert_allclose(model.explained_variance_ratio_, variances / total, rtol=1e-9)
    np.testing.assert_allclose(model.adjusted_variance_, added / (len(X) - 1), rtol=1e-9)
    assert clone(model).fit(X).components_.tobytes() == axes.tobytes()
    np.testing.assert_array_equal(model.n_nonzero_, np.count_nonzero(axes, axis=1))
    np.testing.assert_allclose(np.linalg.norm(axes, axis=1), 1)
    error = model.reconstruction_error(X).sum() / (total * (len(X) - 1))
    assert model.reconstruction_error_ == pytest.approx(error, rel=1e-9)
    assert np.all(axes.max(axis=1) == np.abs(axes).max(axis=1))


@pytest.mark.parametrize("method", SPARSE_METHODS)
def test_wide_data_converge(method):
    model = SparsePCA(2, method=method, l1_penalty=3.0, l2_penalty=np.inf).fit(correlated(12, 30))
    assert model.converged_
    assert np.all(model.n_nonzero_ < 30)


def test_each_component_has_its_own_penalty_and_what_does_not_converge_is_warned_about():
    model = SparsePCA(2, l1_penalty=[0.01, 3.0]).fit(correlated())
    assert model.n_nonzero_[0] > model.n_nonzero_[1]
    with pytest.warns(ConvergenceWarning, match=r"max_iter=1 .*tol=1e-12: raise one"):
        model = SparsePCA(2, tol=1e-12, max_iter=1).fit(correlated())
    assert not model.converged_
