"""Kernel values against their definitions, and the median heuristic."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist
from sklearn.metrics.pairwise import laplacian_kernel

from kpca.kernels.bandwidth import median_gamma, weighted_median_gamma
from kpca.kernels.bound import BoundKernel, kernel_matrix
from kpca.kernels.derivatives import weighted_gradients
from kpca.kernels.registry import KERNELS, KernelParameters
from tests.kpca import naive

PARAMETERS = {"gamma": 0.3, "degree": 3.0, "coef0": 0.7}
RNG = np.random.default_rng(0)
X = RNG.normal(size=(12, 4))
Y = RNG.normal(size=(9, 4))


@pytest.mark.parametrize("name", KERNELS)
def test_matrix_equals_the_definition_dense_or_sparse(name):
    """Also where an exponential would be clipped, which no other link may be."""
    rows = np.vstack([X, np.zeros(4), [1e-3, 0, 0, 0], [40.0, -3, 0, 0], np.full(4, 1e3)])
    if name in naive.OF_DISTANCE:
        rows = np.vstack([rows, np.outer([1e80, -1e80, 1e200, -1e200, 1e307, -1e307], np.ones(4))])
    exact = naive.kernel_matrix(rows.astype(np.longdouble), Y, name, **PARAMETERS)
    tiny = 0 if name in naive.EXPONENTIAL else 1e-140
    for one, other in product((rows, sparse.csr_matrix(rows)), (Y, sparse.csr_matrix(Y))):
        K = kernel_matrix(one, other, kernel=name, **PARAMETERS)
        np.testing.assert_allclose(K[:16], exact[:16].astype(float), rtol=1e-10, atol=1e-13)
        np.testing.assert_allclose(K[16:], exact[16:].astype(float), rtol=1e-12, atol=tiny)
    for degree in (1, 2, 5, 8, 2.5) if "degree" in KERNELS[name].uses else ():
        options = PARAMETERS | {"degree": degree}
        K = kernel_matrix(abs(X), kernel=name, **options)
        expected = naive.kernel_matrix(abs(X), abs(X), name, **options)
        np.testing.assert_allclose(K, expected, rtol=1e-13)


def is_of_differences(name):
    K, moved = (naive.kernel_matrix(X + far, Y + far, name, gamma=0.3) for far in (0, 1))
    return np.allclose(K, moved, rtol=1e-9)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("gamma", [0.0, 1e-4, 0.3, 300.0, 1e9])
@pytest.mark.parametrize("far", [0.0, 5.0, 1e6])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_values_are_as_exact_as_they_say(name, gamma, far, dtype):
    """In extended precision. Far away kernels of x·y lose digits; those of x − y must not."""
    points = np.random.default_rng(1).normal(size=(60, 4)) + far
    # Their kernel values are neither 0 nor 1.
    points[:5] = points[0] + 1e-5 * np.arange(5)[:, None]
    X = points.astype(np.longdouble)
    exact = naive.kernel_matrix(X, X, name, gamma=gamma)
    if exact.max() > np.finfo(dtype).max:
        return
    bound = BoundKernel(name, KernelParameters(gamma=gamma), points, dtype)
    error = np.abs(bound.values(points) - exact)
    allowed = bound.rounding(points)
    assert (error <= allowed[:, None] + allowed).all()
    weight = bound.kernel.error_weight(bound._shifted(points), bound.parameters)
    largest = max(1, weight.max(), bound.diagonal(points).max())
    assert allowed.max() < (1e-5 if dtype == np.float32 else 1e-14) * largest
    if is_of_differences(name):
        assert KERNELS[name].by_differences
        assert error.max() < (1e-5 if dtype == np.float32 else 1e-8)


@pytest.mark.parametrize("degree", [0.0, 0.01, 0.5, 0.9])
@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("poly", abs(X)),
        ("poly", np.array([[0.1, 0.3], [3 / 7, -1 / 7]])),
        ("anova", 3 * X),
        ("anova", 300 * X),
    ],
    ids=["positive", "nearly orthogonal", "near", "far"],
)
def test_errors_of_small_powers_are_bounded(name, points, degree):
    bound = BoundKernel(name, KernelParameters(1.0, degree, 0.0), points)
    exact_points = points.astype(np.longdouble)
    exact = naive.kernel_matrix(exact_points, exact_points, name, degree=degree, coef0=0.0)
    allowed = bound.rounding(points)
    assert (np.abs(bound.values(points) - exact) <= allowed[:, None] + allowed).all()


def test_errors_of_small_powers_far_above_zero_are_small():
    points = np.random.default_rng(0).standard_normal((30, 4))
    bound = BoundKernel("poly", KernelParameters(1.0, 0.5, 50.0), points)
    assert bound.rounding(points).max() < 1e-13


def test_a_small_power_keeps_its_value_where_its_base_underflows():
    K = kernel_matrix([[40.0]], [[0.0]], kernel="anova", gamma=1.0, degree=0.01)
    np.testing.assert_allclose(K, [[np.exp(-16)]])


def test_a_small_power_keeps_its_gradient_where_its_base_underflows():
    parameters = KernelParameters(gamma=1.0, degree=0.01)
    points = np.array([[40.0], [0.0]])
    slopes = weighted_gradients("anova", points[:1], points[1:], np.ones((1, 1)), parameters)
    np.testing.assert_allclose(slopes, [[[-0.8 * np.exp(-16)]]])


def test_the_laplacian_kernel_is_that_of_scikit_learn():
    """Its `KernelPCA`, which the others are compared with, does not take it."""
    K = kernel_matrix(X, Y, kernel="laplacian", gamma=0.3)
    np.testing.assert_allclose(K, laplacian_kernel(X, Y, 0.3))


@pytest.mark.parametrize("name", KERNELS)
def test_no_record_contradicts_itself(name):
    """One derivative, and a power if it is of a distance."""
    kernel = KERNELS[name]
    assert [kernel.of_product, kernel.slope, kernel.gradients].count(None) == 2
    assert (kernel.slope is None) == (kernel.median_power is None)


@pytest.mark.parametrize("name", [name for name in KERNELS if KERNELS[name].slope])
def test_the_slope_is_the_derivative_and_within_its_bounds(name):
    """exp(−√γ ‖x − y‖) without a bound of its slope once ended in a false proof."""
    kernel = KERNELS[name]
    T = -np.geomspace(1e-30, 1e4, 200)
    h = 1e-6
    far = T * (1 + h)
    near = T * (1 - h)
    for values in (far, near):
        kernel.link(values, KernelParameters())
    slope = kernel.slope(T)
    error = np.abs(T * slope - (far - near) / (2 * h))
    assert (error <= 1e-8 * (1 + np.abs(far))).all()
    assert (np.abs(T * slope) <= 1).all()
    assert (np.abs(slope) <= kernel.largest_slope).all()


def test_every_kernel_is_in_the_docstring_and_says_why_it_is_semidefinite():
    text = kernel_matrix.__doc__ or ""
    for name, kernel in KERNELS.items():
        assert f'"{name}"' in text
        assert kernel.formula in text
        assert kernel.theory in text


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nothing_underflows_to_subnormal_numbers(dtype):
    """Subnormal entries make every product with them slow."""
    points = np.array([[0.0], [30.0], [1e4]])
    bound = BoundKernel("rbf", KernelParameters(gamma=1.0), points, dtype)
    K = bound.values(points)
    assert K.min() >= np.finfo(dtype).tiny
    np.testing.assert_allclose(K, np.eye(3), atol=1e-20)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("degree", [1.0, 3.0, 2.5])
@pytest.mark.parametrize("coef0", [1.0, 0.0, -1.0])
def test_kernels_called_semidefinite_are_so(name, degree, coef0):
    rng = np.random.default_rng(0)
    parameters = {"degree": degree, "coef0": coef0}
    semidefinite = KERNELS[name].semidefinite
    if not semidefinite(KernelParameters(**parameters)):
        assert {"degree", "coef0"} & {*KERNELS[name].uses}
        return
    clouds = [rng.normal(size=(60, d)) for d in (1, 2, 20)]
    corners = np.array([*product((0.0, 1.0), repeat=4)])  # witness of sums of distances
    for gamma, points in product((1e-3, 0.3, 30.0), [*clouds, corners]):
        K = naive.kernel_matrix(points, points, name, gamma=gamma, **parameters)
        assert np.linalg.eigvalsh(K)[0] >= -1e-12 * np.linalg.norm(K)


@pytest.mark.parametrize("scale", [1e-200, 1e-30, 1e200])
@pytest.mark.parametrize("points", [X, sparse.csr_matrix(X)], ids=["dense", "sparse"])
def test_cosine_knows_directions_only(points, scale):
    expected = kernel_matrix(X, Y, kernel="cosine")
    K = kernel_matrix(points * scale, Y, kernel="cosine")
    np.testing.assert_allclose(K, expected, atol=1e-13)


def test_few_points_use_every_pair_and_many_a_seeded_sample():
    for kernel in naive.OF_DISTANCE:
        power = KERNELS[kernel].median_power
        for points in (X, sparse.csr_matrix(X)):
            expected = 1 / np.median(pdist(X, "minkowski", p=power) ** power)
            np.testing.assert_allclose(median_gamma(points, kernel), expected)
    many = np.random.default_rng(1).normal(size=(2000, 3))
    exact = 1 / np.median(pdist(many, "sqeuclidean"))
    assert median_gamma(many, seed=3) == median_gamma(many, seed=3)
    assert median_gamma(many, seed=3) != median_gamma(many, seed=4)
    np.testing.assert_allclose(median_gamma(many), exact, rtol=0.03)
    # All floats above 2⁵³ are integers, and weights beyond it do not count copies.
    same = weighted_median_gamma("rbf", many, np.full(2000, 1e17))
    np.testing.assert_allclose(same, exact, rtol=0.03)
    # Distances of zero do not count.
    assert median_gamma(np.ones((5, 2))) == median_gamma(np.ones((1, 2))) == 1.0
    assert median_gamma(np.vstack([np.zeros((9, 1)), [[2.0]]])) == 0.25
    pixels = np.random.default_rng(0).integers(0, 256, (50, 20), dtype=np.uint8)
    assert median_gamma(pixels) == median_gamma(pixels.astype(float))
