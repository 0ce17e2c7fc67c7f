"""What all methods share: the interface, saved models, precision, sparse input, refusals."""

import warnings
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from kpca import KernelPCA
from kpca.preimage import METHODS, PreImageWarning, find, fixed_point, mds
from tests.kpca.preimage.clouds import cloud, half_circle

parametrize_methods = pytest.mark.parametrize("name", sorted(METHODS))


def gaussian(name: str, components: int = 6) -> KernelPCA:
    """One model for every method: only the ridge has to be learned."""
    options = {"preimage": name, "fit_inverse_transform": name == "ridge", "alpha": 1e-3}
    return KernelPCA(components, kernel="rbf", gamma=1.0, **options)


@parametrize_methods
def test_denoised_points_are_nearer_to_the_curve(name: str) -> None:
    rng = np.random.default_rng(1)
    clean = half_circle(100, 0.0, seed=1)
    noisy = clean + 0.15 * rng.normal(size=clean.shape)
    model = gaussian(name, 3).fit(half_circle(300, 0.05))
    assert model.denoise(noisy).shape == noisy.shape

    def from_curve(points: np.ndarray) -> float:
        return float(np.abs(np.linalg.norm(points, axis=1) - 1).mean())

    share = 0.95 if name == "ridge" else 0.5
    assert from_curve(model.denoise(noisy)) < share * from_curve(noisy)


@pytest.mark.parametrize(
    "options",
    [
        {"preimage": "fixed_point", "kernel": "rbf", "gamma": 2.0},
        {"preimage": "mds", "kernel": "rbf", "gamma": 0.2},
        {"preimage": "mds", "kernel": "linear"},
        {"preimage": "mds", "kernel": "poly", "degree": 3, "gamma": 0.25, "coef0": 1.0},
        {"preimage": "mds", "kernel": "poly", "degree": 3, "gamma": 0.25, "coef0": 0.0},
    ],
)
def test_training_points_come_back_once_every_component_is_kept(options: Any) -> None:
    X = cloud(60, 3)
    model = KernelPCA(59, **options, eigen_solver="dense").fit(X)
    found = model.find_preimages(model.transform(X))
    np.testing.assert_allclose(found.points, X, atol=1e-4)
    assert found.converged.all()
    assert found.iterations.any() == (model.preimage == "fixed_point")


@pytest.mark.parametrize("size", [(fixed_point, "COEFFICIENTS"), (mds, "DISTANCES")])
def test_blocks_and_threads_change_nothing(size: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    name = size[0].__name__.rpartition(".")[2]
    noisy, model = cloud(50, seed=1), gaussian(name, 4).set_params(n_jobs=1).fit(cloud())
    whole = model.denoise(noisy)
    monkeypatch.setattr(*size, 7 * 80)
    for n_jobs in (1, 2):
        points = model.set_params(n_jobs=n_jobs).denoise(noisy)
        np.testing.assert_allclose(points, whole, atol=1e-12)


@parametrize_methods
def test_precision_of_the_data_is_kept(name: str) -> None:
    X = cloud().astype(np.float32)
    model = gaussian(name).fit(X)
    assert model.denoise(X).dtype == np.float32
    assert model.inverse_transform(model.transform(X)).dtype == np.float32
    exact = gaussian(name).fit(X.astype(np.float64)).denoise(X.astype(np.float64))
    np.testing.assert_allclose(model.denoise(X), exact, atol=1e-3)


@pytest.mark.parametrize("name", ["fixed_point", "mds"])
@pytest.mark.parametrize("kernel", ["rbf", "poly", "linear"])
def test_sparse_points_equal_dense_ones(name: str, kernel: str) -> None:
    X = np.where(np.abs(cloud()) > 0.5, cloud(), 0.0)
    options = {"kernel": kernel, "gamma": 0.5, "preimage": name}
    dense = KernelPCA(3, **options).fit(X)
    thin = KernelPCA(3, **options).fit(sparse.csr_array(X))
    expected = dense.denoise(X[:9])
    np.testing.assert_allclose(thin.denoise(sparse.csr_array(X[:9])), expected, atol=1e-5)


@pytest.mark.parametrize("name", ["fixed_point", "mds"])
@pytest.mark.parametrize("kernel", ["laplacian", "cosine", "callable", "precomputed"])
def test_kernels_without_a_formula_are_refused_with_a_remedy(name: str, kernel: str) -> None:
    function = (lambda x, y: float(x @ y)) if kernel == "callable" else kernel
    X, message = cloud(20), r"rbf, linear, poly and sigmoid.*ridge"
    if kernel == "precomputed":
        X, message = X @ X.T, r"kernel as a function.*X_original=X"
    model = KernelPCA(2, kernel=function, preimage=name).fit(X)
    with pytest.raises(ValueError, match=message):
        model.denoise(X)


def test_ridge_of_a_precomputed_kernel_learns_from_the_original_points() -> None:
    X = half_circle(200, 0.02)
    K, K_new = X @ X.T, half_circle(20, 0.02, seed=1) @ X.T
    model = KernelPCA(2, kernel="precomputed", fit_inverse_transform=True, alpha=1e-3)
    with pytest.raises(ValueError, match=r"fit\(K, X_original=X\)"):
        model.fit(K)
    model.fit(K, X_original=X)
    np.testing.assert_allclose(model.denoise(K), X, atol=0.02)
    np.testing.assert_allclose(model.denoise(K_new), half_circle(20, 0.02, seed=1), atol=0.05)
    assert np.isnan(model.find_preimages(model.transform(K_new)).distances).all()


def test_what_cannot_be_done_is_said() -> None:
    with pytest.raises(NotFittedError, match="fixed_point"):
        KernelPCA(2).fit(cloud()).denoise(cloud())
    with pytest.raises(ValueError, match="3 columns, but this KernelPCA has 6 components"):
        gaussian("mds").fit(cloud()).inverse_transform(np.zeros((2, 3)))
    with pytest.raises(ValueError, match=r"fixed_point.*mds.*ridge"):
        find("nearest", gaussian("mds").fit(cloud()).expansion(), np.zeros((2, 6)), None)


@pytest.mark.parametrize("method", ["ridge", "mds"])
def test_nearly_one_point_for_every_sample_is_warned_about(method: str) -> None:
    rng = np.random.default_rng(0)
    samples = rng.normal(size=(150, 20)) * 20
    model = KernelPCA(8, kernel="rbf", fit_inverse_transform=method == "ridge", preimage=method)
    with pytest.warns(PreImageWarning, match="nearly the same point"):
        model.fit(samples).denoise(rng.normal(size=(50, 20)) * 20)
    model.set_params(gamma="median", alpha=1e-4).fit(samples / 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error", PreImageWarning)
        model.denoise(samples / 20)
        model.denoise(samples[:1] / 20)
