"""Kernel values against their definitions, and the median heuristic."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist

from kpca.kernels import KERNELS, BoundKernel, KernelParameters, get_kernel, kernel_matrix
from kpca.kernels.bandwidth import median_gamma
from tests.kpca import naive

PARAMETERS = {"gamma": 0.3, "degree": 3.0, "coef0": 0.7}
RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(12, 4)), RNG.normal(size=(9, 4))


@pytest.mark.parametrize("name", KERNELS)
def test_matrix_equals_the_definition_dense_or_sparse(name: str) -> None:
    expected = naive.kernel_matrix(X, Y, name, **PARAMETERS)
    for left, right in product((X, sparse.csr_matrix(X)), (Y, sparse.csr_matrix(Y))):
        found = kernel_matrix(left, right, kernel=name, **PARAMETERS)
        np.testing.assert_allclose(found, expected, atol=1e-13)
    for degree in (1, 2, 5, 8, 2.5) if name == "poly" else ():
        found = kernel_matrix(abs(X), kernel=name, gamma=0.3, degree=degree, coef0=0.7)
        np.testing.assert_allclose(found, (0.3 * abs(X) @ abs(X).T + 0.7) ** degree, rtol=1e-13)
    if name in ("rbf", "laplacian"):  # squared norms of 1e6 would leave ten digits less
        far = kernel_matrix(X + 1e6, kernel=name, gamma=0.3)
        np.testing.assert_allclose(far, kernel_matrix(X, kernel=name, gamma=0.3), atol=1e-8)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("features", [np.float32, np.float64])
def test_single_precision_blocks(name: str, features: type) -> None:
    bound = BoundKernel(name, KernelParameters(**PARAMETERS), Y, np.float32, features)
    block = bound.block(bound.left(X), slice(2, 7), np.empty((12, 5), np.float32))
    expected = kernel_matrix(X, Y[2:7], kernel=name, **PARAMETERS)
    np.testing.assert_allclose(block, expected, rtol=2e-4, atol=1e-5)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("gamma", [1e-4, 0.3, 300.0])
@pytest.mark.parametrize("features", [np.float32, np.float64])
def test_the_rounding_of_values_is_bounded(name: str, gamma: float, features: type) -> None:
    """Far from the origin kernels of x·y lose digits, and narrow kernels of x − y."""
    points = np.random.default_rng(1).normal(size=(60, 4)) + 5
    bound = BoundKernel(name, KernelParameters(gamma=gamma), points, np.float32, features)
    error = np.abs(bound.values(points) - kernel_matrix(points, kernel=name, gamma=gamma))
    allowed = bound.rounding(points)
    assert (error <= allowed[:, None] + allowed).all()
    assert allowed.max() < 1e-5 * max(1, bound.kernel.error_weight(points, bound.parameters).max())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nothing_underflows_to_subnormal_numbers(dtype: type) -> None:
    """Subnormal entries make every product with them slow."""
    points = np.array([[0.0], [30.0], [1e4]])
    bound = BoundKernel("rbf", KernelParameters(gamma=1.0), points, dtype)
    K = bound.block(bound.left(points), slice(None), np.empty((3, 3), dtype))
    assert K.min() >= np.finfo(dtype).tiny
    np.testing.assert_allclose(K, np.eye(3), atol=1e-20)


def test_semidefinite_where_theory_says_so() -> None:
    def is_semidefinite(name: str, **values: float) -> bool:
        return get_kernel(name).semidefinite(KernelParameters(**values))

    assert all(is_semidefinite(name) for name in ("linear", "rbf", "laplacian", "cosine"))
    assert is_semidefinite("poly", degree=3, coef0=1)
    assert not is_semidefinite("poly", degree=3, coef0=-1)
    assert not is_semidefinite("poly", degree=2.5, coef0=1)
    assert not is_semidefinite("sigmoid")


@pytest.mark.parametrize("scale", [1e-200, 1e-30, 1e200])
@pytest.mark.parametrize("points", [X, sparse.csr_matrix(X)], ids=["dense", "sparse"])
def test_cosine_knows_directions_only(points: Any, scale: float) -> None:
    expected = kernel_matrix(X, Y, kernel="cosine")
    found = kernel_matrix(points * scale, Y, kernel="cosine")
    np.testing.assert_allclose(found, expected, atol=1e-13)
    bound = BoundKernel("cosine", KernelParameters(), points * scale)
    np.testing.assert_array_equal(bound.diagonal(points * scale), np.ones(12))
    K = kernel_matrix(np.array([[0.0, 0.0], [3.0, 4.0]]), kernel="cosine")
    np.testing.assert_allclose(K, [[0, 0], [0, 1]], atol=1e-15)


@pytest.mark.parametrize("name", ["rbf", "laplacian"])
@pytest.mark.parametrize("far", [1e80, 1e200, 1e307])
@pytest.mark.parametrize("as_points", [np.asarray, sparse.csr_matrix])
def test_points_far_from_all_have_kernel_values_zero(name: str, far: float, as_points: Any) -> None:
    rows = np.vstack([X, np.full(4, far), -np.full(4, far)])
    for right in (Y, sparse.csr_matrix(Y)):
        K = kernel_matrix(as_points(rows), right, kernel=name, gamma=0.3)
        np.testing.assert_allclose(K[:12], kernel_matrix(X, Y, kernel=name, gamma=0.3), atol=1e-14)
        np.testing.assert_array_equal(K[12:], 0)


def test_few_points_use_every_pair_and_many_a_seeded_sample() -> None:
    for kernel, metric in (("rbf", "sqeuclidean"), ("laplacian", "cityblock")):
        for points in (X, sparse.csr_matrix(X)):
            expected = 1 / np.median(pdist(X, metric))
            np.testing.assert_allclose(median_gamma(points, kernel), expected)
    many = np.random.default_rng(1).normal(size=(2000, 3))
    exact = 1 / np.median(pdist(many, "sqeuclidean"))
    assert median_gamma(many, seed=3) == median_gamma(many, seed=3)
    assert median_gamma(many, seed=3) != median_gamma(many, seed=4)
    np.testing.assert_allclose(median_gamma(many), exact, rtol=0.03)
    # Distances of zero do not count.
    assert median_gamma(np.ones((5, 2))) == median_gamma(np.ones((1, 2))) == 1.0
    assert median_gamma(np.vstack([np.zeros((9, 1)), [[2.0]]])) == 0.25
    pixels = np.random.default_rng(0).integers(0, 256, (50, 20), dtype=np.uint8)
    assert median_gamma(pixels) == median_gamma(pixels.astype(float))


@pytest.mark.parametrize("gamma", [1e-4, 0.1, 1000.0])
@pytest.mark.parametrize("far", [0.0, 1e6])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_kernel_of_differences_need_not_be_an_exponential(
    gamma: float, far: float, dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Cauchy kernel 1/(1 + γ‖x − y‖²), whose arguments must not be clipped."""
    gaussian = KERNELS["rbf"]

    def link(T: np.ndarray, _: object) -> None:
        np.divide(1, 1 - T, out=T)

    cauchy = replace(gaussian, link=link, exponential=False, by_differences=None)
    monkeypatch.setitem(KERNELS, "cauchy", cauchy)
    X = np.random.default_rng(0).normal(size=(40, 3)) + far
    squares = np.square(X[:, None] - X).sum(axis=2)
    bound = BoundKernel("cauchy", KernelParameters(gamma), X, dtype)
    tolerance = 1e-5 if dtype is np.float32 else 1e-9
    np.testing.assert_allclose(bound.values(X), 1 / (1 + gamma * squares), rtol=tolerance)
