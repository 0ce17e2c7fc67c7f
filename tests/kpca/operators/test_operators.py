"""Every Gram operator is the same matrix, centred and symmetric."""

import numpy as np
import pytest
from scipy import sparse

from kpca import KernelPCA
from kpca.kernels.bound import kernel_matrix
from kpca.kernels.registry import KERNELS, KernelParameters
from kpca.operators.grams import Centering, CentredGram
from kpca.operators.sources import AsymmetricKernelWarning, KernelSource, MatrixSource, source_of

N = 700
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 3))
V = RNG.normal(size=(N, 5))
PAIR = np.array([[2.0, 1.0], [1.0, 3.0]])
POINTS = np.random.default_rng(0).normal(size=(60, 4))


@pytest.mark.parametrize("dtype", [None, np.float64, np.float32])
@pytest.mark.parametrize("name", KERNELS)
def test_product_and_diagonal(dtype, name):
    """Of the stored matrix, and by tiles in either precision."""
    for gamma in (0.2, 50.0):
        K = kernel_matrix(X, kernel=name, gamma=gamma)
        source = KernelSource(X, name, KernelParameters(gamma))
        gram = source.operator(1, dtype) if dtype else source.full()
        bound = 1e-6 if dtype == np.float32 else 1e-13
        product = gram.matmul(V)
        assert product.dtype == np.float64
        np.testing.assert_allclose(product, K @ V, atol=bound * np.abs(K).sum())
        np.testing.assert_allclose(gram.diagonal, K.diagonal(), rtol=1e-12)
    # Single-precision features of a narrow kernel were wrong by 1e-5 of the largest eigenvalue.
    assert np.linalg.norm(product - K @ V) < 1e-6 * np.linalg.norm(K @ V)


def hollow():
    """Return a matrix with small entries on the diagonal, except one that is the largest of all."""
    K = 0.1 * np.ones((20, 20))
    np.fill_diagonal(K, 0)
    K[0] = K[:, 0] = 0
    K[0, 0] = 1
    return K


SPHERE = X / np.linalg.norm(X, axis=1)[:, None]
ON_SPHERE = KernelParameters(1.0, 2, -1.0)  # k(x, x) = 0, although other values are not
SOURCES = {
    "rbf": KernelSource(X, "rbf", KernelParameters(0.2)),
    "poly": KernelSource(SPHERE, "poly", ON_SPHERE),
    "sigmoid": KernelSource(SPHERE, "sigmoid", ON_SPHERE),
    "precomputed": MatrixSource(hollow()),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_sizes_bound_every_entry(source):
    K = source.full().K
    for gram in (source.full(), source.operator()):
        limits = np.sqrt(np.outer(gram.sizes, gram.sizes))
        assert (np.abs(K) <= limits * (1 + 1e-12)).all()


@pytest.mark.parametrize("name", ["poly", "sigmoid"])
def test_kernels_that_vanish_on_the_diagonal_have_components(name):
    expected = np.linalg.eigvalsh(CentredGram(SOURCES[name].full(), Centering(N)).matmul(np.eye(N)))
    model = KernelPCA(1, kernel=name, gamma=1, degree=2, coef0=-1).fit(SPHERE)
    np.testing.assert_allclose(model.eigenvalues_, expected[-1:], rtol=1e-9)


def test_tiny_values_of_a_sigmoid_kernel_are_not_rounding():
    model = KernelPCA(3, kernel="sigmoid", gamma=1e-20, coef0=0).fit(X)
    expected = 1e-20 * KernelPCA(3).fit(X).eigenvalues_
    np.testing.assert_allclose(model.eigenvalues_, expected, rtol=1e-9)


@pytest.mark.parametrize("weights", [None, RNG.uniform(0.2, 2, N)], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", ["rbf", "poly", "linear", "sigmoid"])
def test_errors_of_products_are_bounded(name, weights):
    """Far from the origin it is relative to K, not to what centring leaves of it."""
    source = KernelSource(X + 3, name, KernelParameters(0.2))
    centering = Centering(N, True, weights)
    exact = CentredGram(source.full(), centering)
    quick = CentredGram(source.operator(1, np.float32), centering)
    product = exact.matmul(V)
    error = np.linalg.norm(quick.matmul(V) - product)
    bound = quick.error * np.linalg.norm(V)
    assert error <= bound
    assert bound < 1e-4 * exact.scale * np.linalg.norm(V)
    assert name != "poly" or error > 3e-7 * np.linalg.norm(product)


def symmetrised(K):
    return MatrixSource(K).full().K


@pytest.mark.parametrize(
    ("dtype", "amount", "warned"),
    [("f8", 1e-10, False), ("f8", 1e-6, True), ("f4", 1e-5, False), ("f4", 1e-2, True)],
)
def test_asymmetry_is_averaged(dtype, amount, warned, recwarn):
    """A warning names the larger amount, which is more than rounding."""
    skewed = PAIR.astype(dtype)
    skewed[0, 1] += amount
    before = skewed.copy()
    result = symmetrised(skewed)
    np.testing.assert_array_equal(result, result.T)
    np.testing.assert_allclose(result[0, 1], 1 + amount / 2, rtol=1e-6)
    np.testing.assert_array_equal(skewed, before)
    assert [w.category for w in recwarn.list] == [AsymmetricKernelWarning] * warned
    assert not warned or "reaches 3.3e-0" in str(recwarn.list[0].message)
    assert symmetrised(PAIR) is PAIR
    rounded = PAIR.copy()
    rounded[0, 1] += 4e-16 * PAIR.max()
    gram = MatrixSource(rounded).full()
    assert gram.K is rounded
    np.testing.assert_allclose(gram.rounding, np.ptp([rounded[0, 1], 1]) / 4)


def inner(x, y):
    return float(x @ y)


def skewed(x, y):
    return float(x @ y) + 3 * x[0]


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix])
def test_new_points(form):
    def kernel(x, y):
        return np.nan if x.max() > 100 else float((x @ y.T).sum())

    model = KernelPCA(2, kernel=kernel).fit(form(POINTS[:20]))
    far = form(np.add(POINTS[:3], [[0], [200], [0]]))
    for method in (model.transform, model.reconstruction_error):
        with pytest.raises(ValueError, match="gave nan for row"):
            method(far)


def test_an_asymmetric_function_is_treated_as_its_matrix_after_a_call_per_row():
    K = POINTS @ POINTS.T + 3 * POINTS[:, :1]
    with pytest.warns(AsymmetricKernelWarning) as by_function:
        model = KernelPCA(2, kernel=skewed, center=False).fit(POINTS)
    with pytest.warns(AsymmetricKernelWarning) as by_matrix:
        expected = KernelPCA(2, kernel="precomputed", center=False).fit(K)
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_)
    assert str(by_function[0].message) == str(by_matrix[0].message)
    calls = []
    source_of(POINTS, lambda x, y: calls.append(1) or inner(x, y), KernelParameters(), {}).full()
    assert len(calls) == 60 * 61 // 2 + 59


@pytest.mark.filterwarnings("ignore:The kernel matrix is not symmetric")
def test_a_sparse_matrix_that_is_not_symmetric_is_averaged_like_a_dense_one():
    K = np.triu(POINTS @ POINTS.T)
    np.testing.assert_array_equal(symmetrised(sparse.csr_array(K)), symmetrised(K))


def test_samples_of_zeros_have_components_of_eigenvalue_zero():
    assert KernelPCA(1).fit(np.zeros((9, 2))).eigenvalues_ == [0]
