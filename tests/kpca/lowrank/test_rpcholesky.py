import numpy as np
import pytest

from kpca.kernels import KernelParameters, kernel_matrix
from kpca.lowrank.rpcholesky import random_pivots
from kpca.operators.sources import KernelSource

N = 400
X = np.random.default_rng(0).normal(size=(N, 3))
K = kernel_matrix(X, gamma=0.5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_pivots_are_near_the_best_approximation(dtype: type) -> None:
    source = KernelSource(X, "rbf", KernelParameters(0.5))
    pivots = random_pivots(source, 80, seed=0, dtype=dtype)
    assert len(set(pivots.tolist())) == len(pivots) == 80
    columns = K[:, pivots]
    left = np.trace(K - columns @ np.linalg.pinv(columns[pivots]) @ columns.T)
    best = np.linalg.eigvalsh(K)[:-80].sum()
    assert best <= left < 10 * best
