import numpy as np
import pytest

from kpca.kernels import KernelParameters, kernel_matrix
from kpca.nystrom import random_pivots
from kpca.source import KernelSource

N = 400
X = np.random.default_rng(0).normal(size=(N, 3))
K = kernel_matrix(X, gamma=0.5)


def source(points: np.ndarray = X, name: str = "rbf", gamma: float = 0.5) -> KernelSource:
    return KernelSource(points, name, KernelParameters(gamma))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_remainder_is_semidefinite_and_its_trace_is_known(dtype: type) -> None:
    factor = random_pivots(source(), 60, seed=1, dtype=dtype)
    F = factor.columns.astype(float)
    noise = 1e-4 if dtype == np.float32 else 1e-10
    left = K - F @ F.T
    assert np.linalg.eigvalsh(left)[0] > -noise
    np.testing.assert_allclose(np.trace(left), factor.trace_error, atol=10 * noise)
    assert F.shape[1] == len(factor.pivots) == len(set(factor.pivots.tolist())) == 60


def test_pivots_are_near_the_best_approximation() -> None:
    factor = random_pivots(source(), 80, seed=0, dtype=np.float64)
    best = np.linalg.eigvalsh(K)[:-80].sum()
    assert best <= factor.trace_error < 10 * best


def test_it_stops_where_only_rounding_is_left() -> None:
    """Going on in float32 gave NaN."""
    repeated = np.repeat(X[:20], 20, axis=0)
    factor = random_pivots(source(repeated), 200, seed=0)
    assert factor.columns.shape[1] == 20
    assert np.isfinite(factor.columns).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_pivots_repeat_bit_by_bit(threads: int) -> None:
    first, second = (random_pivots(source(), 50, seed=3, n_threads=threads) for _ in range(2))
    np.testing.assert_array_equal(first.columns, second.columns)


def test_polynomial_kernel_needs_no_more_columns_than_features() -> None:
    factor = random_pivots(source(name="poly"), 100, seed=0, dtype=np.float64)
    assert factor.columns.shape[1] == 20  # monomials of degree at most 3 in 3 variables
    assert factor.trace_error < 1e-8 * np.trace(kernel_matrix(X, kernel="poly", gamma=0.5))
