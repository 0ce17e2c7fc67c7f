"""The streamed Nyström approximation, and pivots of a randomly pivoted Cholesky factor."""

import numpy as np
import pytest

from kpca.kernels import KernelParameters
from kpca.lowrank import Nystrom, StreamedFactor, random_pivots
from kpca.operators import Centering, CentredGram
from kpca.operators.sources import KernelSource
from tests.kpca.naive import NaiveKernelPCA

N = 700  # two blocks of rows
X = np.random.default_rng(0).normal(size=(N, 3))
WEIGHTS = np.random.default_rng(1).gamma(1.0, size=N)


def source(points: np.ndarray = X) -> KernelSource:
    return KernelSource(points, "rbf", KernelParameters(0.3))


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_factor_is_the_textbook_one(threads: int, center: bool, weights: np.ndarray | None) -> None:
    landmarks = X[:60]
    centering = Centering(N, center, weights)
    factor = StreamedFactor(source(), centering, landmarks, threads)
    gram, trace_error = factor.centred_gram()
    K = source().full().K
    approximation = K[:, :60] @ np.linalg.solve(K[:60, :60], K[:60])
    naive = NaiveKernelPCA(approximation, weights=weights, center=center)
    F = factor.matmul(np.eye(60))
    np.testing.assert_allclose(F @ F.T, naive.centred, atol=2e-4)
    np.testing.assert_allclose(F.T @ F, gram, atol=1e-3 * gram.max())
    R = np.random.default_rng(2).normal(size=(N, 2))
    np.testing.assert_allclose(factor.adjoint(R), F.T @ R, atol=1e-2)
    left = naive.weights @ (K - approximation).diagonal()
    np.testing.assert_allclose(trace_error, left, rtol=1e-3)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_eigenpairs_and_the_bound_on_what_is_left(weights: np.ndarray | None) -> None:
    centering = Centering(N, True, weights)
    nystrom = Nystrom(source(), centering, 150, seed=0)
    U = nystrom.vectors(8)
    np.testing.assert_allclose(U.T @ U, np.eye(8), atol=1e-4)
    whole = CentredGram(source().full(), centering).matmul(np.eye(N))
    exact = np.linalg.eigvalsh(whole)[::-1]
    assert (nystrom.values[:20] <= exact[:20] * (1 + 1e-5)).all()
    assert (exact[:20] <= nystrom.values[:20] + nystrom.trace_error).all()
    assert exact[8] <= nystrom.next_bound(8) < exact[8] + nystrom.trace_error + 1e-3 * exact[0]
    assert exact[-1] <= nystrom.next_bound(N - 1)
    assert nystrom.trace_error < 0.1 * exact[9]


def test_rounding_is_what_coinciding_landmarks_lose() -> None:
    """The nearer two landmarks, the larger the inverse of their kernel matrix."""
    lost = []
    for apart in (1e-1, 1e-3, 1e-5):
        landmarks = np.vstack([X[:40], X[:1] + apart])
        factor = StreamedFactor(source(), Centering(N), landmarks, 1)
        factor.centred_gram()
        lost.append(factor.rounding / N)
    assert lost == sorted(lost)
    assert lost[0] < 1e-6
    assert lost[-1] > 100 * lost[0]


def test_it_stops_where_the_points_do() -> None:
    """Going on where only rounding is left gave NaN in float32."""
    repeated = np.repeat(X[:20], 30, axis=0)
    nystrom = Nystrom(source(repeated), Centering(600), 100, seed=0)
    assert len(nystrom.values) <= 19
    assert nystrom.trace_error < 1e-2


def test_preconditioner_inverts_beside_the_start_vectors() -> None:
    p, theta = 4, np.array([300.0, 250.0])
    nystrom = Nystrom(source(), Centering(N), 60, seed=1)
    start, rest = nystrom.vectors(p), nystrom.vectors(12)[:, p:]
    R = np.random.default_rng(2).normal(size=(N, 2))
    R -= start @ (start.T @ R)
    solved = nystrom.preconditioner(p)(R, theta)
    back = solved * theta - rest * nystrom.values[p:12] @ (rest.T @ solved)
    np.testing.assert_allclose(rest.T @ back, rest.T @ R, atol=1e-3)
    np.testing.assert_allclose(start.T @ solved, 0, atol=1e-3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_pivots_are_near_the_best_approximation(dtype: type) -> None:
    pivots, K = random_pivots(source(), 80, seed=0, dtype=dtype), source().full().K
    assert len(set(pivots.tolist())) == len(pivots) == 80
    columns = K[:, pivots]
    left = np.trace(K - columns @ np.linalg.pinv(columns[pivots]) @ columns.T)
    best = np.linalg.eigvalsh(K)[:-80].sum()
    assert best <= left < 10 * best
