"""``test/kpca.jl`` of MultivariateStats.jl 0.10, translated: its columns are our rows.

Its γ is ours, and its scores are ours; it asks for PCA by the covariance matrix as the reference.
"""

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from kpca import KernelPCA

N, D = 10, 5
RNG = np.random.default_rng(34568)
X, Y = RNG.normal(size=(N, D)), RNG.normal(size=(2 * N, D))


def pca(X: np.ndarray, new: np.ndarray, k: int) -> np.ndarray:
    """Return the absolute scores of new rows, by the eigenvectors of the covariance matrix."""
    vectors = np.linalg.eigh(np.cov(X.T))[1][:, ::-1]
    return np.abs((new - X.mean(0)) @ vectors[:, :k])


@pytest.mark.parametrize("rows", [X, X[:1], Y], ids=["training", "one", "new"])
@pytest.mark.parametrize("options", [{"n_components": D}, {"n_components": 3}])
def test_the_linear_kernel_is_pca(options: dict[str, Any], rows: np.ndarray) -> None:
    model = KernelPCA(**options).fit(X)
    expected = pca(X, rows, options["n_components"])
    np.testing.assert_allclose(abs(model.transform(rows)), expected, atol=1e-9)


@pytest.mark.parametrize("solver", ["krylov", "dense"])
def test_solvers_agree(solver: str) -> None:
    found = KernelPCA(3, eigen_solver=solver).fit(X).transform(Y)
    np.testing.assert_allclose(abs(found), pca(X, Y, 3), atol=1e-8)


def test_all_components_of_a_callable() -> None:
    model = KernelPCA(kernel=lambda x, y: np.exp(-10 * ((x - y) @ (x - y)))).fit(X)
    assert model.transform(X).shape == (N, N - 1)


def test_centring_by_the_formula() -> None:
    """Centring is K − IK − KI + IKI with I = 11ᵀ/n; the kernel is minus a distance."""
    K = -np.linalg.norm(X[:, None] - X, axis=2)
    mean = np.full((N, N), 1 / N)
    expected = np.linalg.eigvalsh(K - mean @ K - K @ mean + mean @ K @ mean)[::-1]
    values = KernelPCA(3, kernel="precomputed").fit(K).eigenvalues_
    np.testing.assert_allclose(values, expected[:3], atol=1e-9)


def test_a_precomputed_kernel_is_pca() -> None:
    Z = KernelPCA(D, kernel="precomputed").fit_transform(X @ X.T)
    np.testing.assert_allclose(abs(Z), pca(X, X, D), atol=1e-9)


@pytest.mark.parametrize(
    ("options", "data"),
    [
        ({"kernel": "precomputed"}, np.ones((1, 10))),
        ({"kernel": 1}, X),
        ({"kernel": "precomputed", "fit_inverse_transform": True}, X @ X.T),
    ],
    ids=["not square", "not a kernel", "no pre-images of a matrix"],
)
def test_refusals(options: dict[str, Any], data: np.ndarray) -> None:
    with pytest.raises((TypeError, ValueError)):
        KernelPCA(**options).fit(data)


def test_no_reconstruction_unless_it_was_asked_for() -> None:
    with pytest.raises(Exception, match="fit_inverse_transform"):
        KernelPCA(D).fit(X).inverse_transform(X)


def test_reconstruction() -> None:
    model = KernelPCA(fit_inverse_transform=True).fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=0.75)


@pytest.mark.parametrize("fitted", [np.float32, np.float64])
@pytest.mark.parametrize("new", [np.float32, np.float64])
def test_precisions_may_mix(fitted: type, new: type) -> None:
    found = KernelPCA(D).fit(X.astype(fitted)).transform(Y.astype(new))
    np.testing.assert_allclose(abs(found), pca(X, Y, D), atol=1e-4)
    assert found.dtype == new or fitted != new


def test_sparse_rows() -> None:
    S = sparse.random(N, 100 * D, 0.6, random_state=0, format="csr")
    Z = KernelPCA(3).fit_transform(S)
    assert Z.shape == (N, 3)
    np.testing.assert_allclose(abs(Z), pca(S.toarray(), S.toarray(), 3), atol=1e-7)
