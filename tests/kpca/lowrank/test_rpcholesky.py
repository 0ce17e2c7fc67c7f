import numpy as np
import pytest

from kpca.kernels import KernelParameters, kernel_matrix
from kpca.lowrank.rpcholesky import random_pivots
from kpca.operators.sources import KernelSource

N = 400
X = np.random.default_rng(0).normal(size=(N, 3))
K = kernel_matrix(X, gamma=0.5)


def source(name: str = "rbf") -> KernelSource:
    return KernelSource(X, name, KernelParameters(0.5))


def trace_error(pivots: np.ndarray, matrix: np.ndarray) -> float:
    """tr(K − K̂), what the pivots leave."""
    assert len(set(pivots.tolist())) == len(pivots)
    columns = matrix[:, pivots]
    return float(np.trace(matrix - columns @ np.linalg.pinv(columns[pivots]) @ columns.T))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_pivots_are_near_the_best_approximation(dtype: type) -> None:
    pivots = random_pivots(source(), 80, seed=0, dtype=dtype)
    assert len(pivots) == 80
    best = np.linalg.eigvalsh(K)[:-80].sum()
    assert best <= trace_error(pivots, K) < 10 * best


def test_polynomial_kernel_needs_no_more_pivots_than_features() -> None:
    pivots = random_pivots(source(name="poly"), 100, seed=0, dtype=np.float64)
    assert len(pivots) == 20  # monomials of degree at most 3 in 3 variables
    polynomial = kernel_matrix(X, kernel="poly", gamma=0.5)
    assert trace_error(pivots, polynomial) < 1e-8 * np.trace(polynomial)
