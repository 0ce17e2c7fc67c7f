import numpy as np
import pytest

from kpca.kernels import kernel_matrix
from kpca.operators import Centering, CentredGram, FullGram
from tests.kpca.naive import NaiveKernelPCA

RNG = np.random.default_rng(0)
N = 15
K = kernel_matrix(RNG.normal(size=(N, 2)), gamma=0.4)
WEIGHTS = RNG.gamma(1.0, size=N)
WEIGHTS[3] = 0
CASES = [(True, None), (True, WEIGHTS), (False, None), (False, WEIGHTS)]


@pytest.mark.parametrize(("center", "weights"), CASES)
def test_operator_equals_the_matrix_written_out(center: bool, weights: np.ndarray | None) -> None:
    naive = NaiveKernelPCA(K, weights=weights, center=center)
    operator = CentredGram(FullGram(K), Centering(N, center, weights))
    V = RNG.normal(size=(N, 3))
    for _ in range(2):  # the first product carries the means along, later ones do not
        np.testing.assert_allclose(operator.matmul(V), naive.centred @ V, atol=1e-13)
    np.testing.assert_allclose(operator.trace, np.trace(naive.centred), rtol=1e-12)
    np.testing.assert_allclose(operator.means, K @ naive.mean, atol=1e-14)
    dense = operator.centering.matrix(K)
    np.testing.assert_allclose(dense, naive.centred, atol=1e-14)
    assert not np.shares_memory(dense, K)


def test_means_cost_no_pass_of_their_own() -> None:
    class Counted(FullGram):
        products = 0

        def matmul(self, V: np.ndarray) -> np.ndarray:
            self.products += 1
            return super().matmul(V)

    gram = Counted(K)
    operator = CentredGram(gram, Centering(N))
    operator.matmul(np.ones((N, 1)))
    assert operator.means.shape == (N,)
    assert operator.trace > 0
    assert gram.products == 1


@pytest.mark.parametrize(("center", "weights"), CASES)
def test_projection_takes_out_the_null_space(center: bool, weights: np.ndarray | None) -> None:
    centering = Centering(N, center, weights)
    V = RNG.normal(size=(N, 2))
    naive = NaiveKernelPCA(K, weights=weights, center=center)
    projected = centering.project(V)
    np.testing.assert_allclose(naive.centred @ projected, naive.centred @ V, atol=1e-13)
    if center:
        root = np.ones(N) if weights is None else np.sqrt(weights)
        np.testing.assert_allclose(root @ projected, 0, atol=1e-13)
