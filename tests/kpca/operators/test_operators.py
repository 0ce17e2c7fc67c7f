"""Every Gram operator is the same matrix, centred and symmetric."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import rbf_kernel

from kpca import KernelPCA
from kpca.kernels import KERNELS, KernelParameters, kernel_matrix
from kpca.operators import Centering, CentredGram, Gram
from kpca.operators.sources import AsymmetricKernelWarning, KernelSource, MatrixSource, source_of

N = 700
RNG = np.random.default_rng(0)
X, V = RNG.normal(size=(N, 3)), RNG.normal(size=(N, 5))
PAIR = np.array([[2.0, 1.0], [1.0, 3.0]])
POINTS = np.random.default_rng(0).normal(size=(60, 4))
KINDS = ("full", "tiled", "tiled single")


def build(kind: str, source: KernelSource) -> Gram:
    if kind == "full":
        return source.full()
    dtype = np.float32 if "single" in kind else np.float64
    return source.operator(1, dtype)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", KERNELS)
def test_product_and_diagonal(kind: str, name: str) -> None:
    for gamma in (0.2, 50.0):
        K = kernel_matrix(X, kernel=name, gamma=gamma)
        gram = build(kind, KernelSource(X, name, KernelParameters(gamma)))
        bound = 1e-13 if gram.dtype == np.float64 else 1e-6
        product = gram.matmul(V)
        assert product.dtype == np.float64
        np.testing.assert_allclose(product, K @ V, atol=bound * np.abs(K).sum())
        np.testing.assert_allclose(gram.diagonal, K.diagonal(), rtol=1e-12)
    # Single-precision features of a narrow kernel were wrong by 1e-5 of the largest eigenvalue.
    assert np.linalg.norm(product - K @ V) < 1e-6 * np.linalg.norm(K @ V)


@pytest.mark.parametrize("weights", [None, RNG.uniform(0.2, 2, N)], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", ["rbf", "poly", "linear", "sigmoid"])
def test_errors_of_products_are_bounded(name: str, weights: np.ndarray | None) -> None:
    """Far from the origin it is relative to K, not to what centring leaves of it."""
    source = KernelSource(X + 3, name, KernelParameters(0.2))
    centering = Centering(N, True, weights)
    exact = CentredGram(source.full(), centering)
    quick = CentredGram(build("tiled single", source), centering)
    product = exact.matmul(V)
    error = np.linalg.norm(quick.matmul(V) - product)
    bound = quick.error * np.linalg.norm(V)
    assert error <= bound
    assert bound < 1e-4 * exact.scale * np.linalg.norm(V)
    assert name != "poly" or error > 3e-7 * np.linalg.norm(product)


def symmetrised(K: np.ndarray) -> np.ndarray:
    return MatrixSource(K).full().K


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(("dtype", "amounts"), [("f8", (1e-10, 1e-6)), ("f4", (1e-5, 1e-2))])
def test_asymmetry_is_averaged(dtype: str, amounts: Any, named: bool, recwarn: Any) -> None:
    """A warning names the larger amount, which is more than rounding."""
    amount = amounts[named]
    skewed = PAIR.astype(dtype)
    skewed[0, 1] += amount
    before = skewed.copy()
    result = symmetrised(skewed)
    np.testing.assert_array_equal(result, result.T)
    np.testing.assert_allclose(result[0, 1], 1 + amount / 2, rtol=1e-6)
    np.testing.assert_array_equal(skewed, before)
    assert [w.category for w in recwarn.list] == [AsymmetricKernelWarning] * named
    assert not named or "reaches 3.3e-0" in str(recwarn.list[0].message)
    assert symmetrised(PAIR) is PAIR
    rounded = PAIR.copy()
    rounded[0, 1] += 4e-16 * PAIR.max()
    gram = MatrixSource(rounded).full()
    assert gram.K is rounded
    np.testing.assert_allclose(gram.rounding, np.ptp([rounded[0, 1], 1]) / 4)
    with pytest.raises(ValueError, match="must be a square matrix"):
        symmetrised(np.ones((2, 3)))


def inner(x: np.ndarray, y: np.ndarray) -> float:
    return float(x @ y)


def broken(value: Any) -> Callable[..., Any]:
    """Give a value of one's choice between points 3 and 7 alone."""
    pair = {POINTS[3, 0], POINTS[7, 0]}
    return lambda x, y: value if {x[0], y[0]} == pair else float(x @ y)


def skewed(x: np.ndarray, y: np.ndarray) -> float:
    return float(x @ y) + 3 * x[0]


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (np.nan, "nan"),
        (np.inf, "inf"),
        (None, "None"),
        ("near", "'near'"),
        (1j, "1j"),
        (np.ones(4), r"an array of shape \(4,\)"),
        (np.ones((1, 1)), r"an array of shape \(1, 1\)"),
    ],
)
def test_only_finite_numbers_are_values(value: Any, named: str) -> None:
    message = f"gave {named} for rows 7 and 3: it must.*kernel='precomputed'"
    with pytest.raises(ValueError, match=message):
        KernelPCA(2, kernel=broken(value)).fit(POINTS)


@pytest.mark.parametrize("points", [POINTS, sparse.csr_matrix(POINTS)], ids=["dense", "sparse"])
@pytest.mark.parametrize("method", ["transform", "reconstruction_error"])
def test_new_points(method: str, points: Any) -> None:
    def kernel(x: Any, y: Any) -> float:
        return np.nan if x.max() > 100 else float((x @ y.T).sum())

    far = POINTS[:3].copy()
    far[1] = 200
    model = KernelPCA(2, kernel=kernel).fit(points)
    with pytest.raises(ValueError, match="gave nan for row"):
        getattr(model, method)(type(points)(far) if points is not POINTS else far)


@pytest.mark.parametrize(
    ("kernel", "points", "message"),
    [
        (rbf_kernel, POINTS, "(?s)Expected 2D array.*kernel='precomputed'"),  # of whole arrays
        *(
            (inner, form([["ab"], ["cd"]]), "X holds .*'ab'.*pass their kernel matrix")
            for form in (list, np.array, np.ravel)
        ),
        (inner, [[1.0, 2.0], [3.0]], "inhomogeneous"),
        (inner, [[np.nan], [1.0]], "NaN"),
    ],
)
def test_what_has_no_rows_is_told_of_the_matrix(kernel: Any, points: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        KernelPCA(2, kernel=kernel).fit(points)


def test_an_asymmetric_function_is_treated_as_its_matrix_after_a_call_per_row() -> None:
    K = POINTS @ POINTS.T + 3 * POINTS[:, :1]
    with pytest.warns(AsymmetricKernelWarning) as by_function:
        found = KernelPCA(2, kernel=skewed, center=False).fit(POINTS)
    with pytest.warns(AsymmetricKernelWarning) as by_matrix:
        expected = KernelPCA(2, kernel="precomputed", center=False).fit(K)
    np.testing.assert_allclose(found.eigenvalues_, expected.eigenvalues_)
    assert str(by_function[0].message) == str(by_matrix[0].message)
    calls: list[int] = []
    source_of(POINTS, lambda x, y: calls.append(1) or inner(x, y), KernelParameters(), {}).full()
    assert len(calls) == 60 * 61 // 2 + 59


@pytest.mark.filterwarnings("error")
def test_a_matrix_in_single_precision_is_fitted_without_a_warning() -> None:
    points = np.random.default_rng(0).normal(size=(30, 3))
    K = kernel_matrix(points, kernel="rbf").astype(np.float32)
    assert KernelPCA(2, kernel="precomputed").fit(K).eigenvalues_.min() > 0
