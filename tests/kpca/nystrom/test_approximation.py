"""The approximation of K̄ by landmarks, and pivots of a randomly pivoted Cholesky factor."""

import numpy as np
import pytest

from kpca.eigensolvers.davidson import preconditioner
from kpca.kernels import KernelParameters
from kpca.linalg.resources import ArrayRows
from kpca.nystrom.scatter import MANY, Approximation, approximate, eigenvectors, random_pivots
from kpca.operators import Centering, CentredGram
from kpca.operators.sources import KernelSource

N = 1100  # two blocks of rows
X = np.random.default_rng(0).normal(size=(N, 3))
WEIGHTS = np.random.default_rng(1).gamma(1.0, size=N)


def source(points: np.ndarray = X) -> KernelSource:
    return KernelSource(points, "rbf", KernelParameters(0.3))


def by_landmarks(points: np.ndarray, centering: Centering, most: float = MANY) -> Approximation:
    return approximate(ArrayRows(X), source(points), centering, 2, most)


@pytest.mark.parametrize("most", [0, MANY])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("center", [False, True])
def test_eigenpairs_and_the_bound_on_what_is_left(
    center: bool, weights: np.ndarray | None, most: float
) -> None:
    centering = Centering(N, center, weights)
    found = by_landmarks(X[random_pivots(source(), 150, seed=0)], centering, most)
    values, products = found.axes.values, CentredGram(source().full(), centering)
    U = eigenvectors(ArrayRows(X), found.axes.head(8), centering, 2)[0]
    np.testing.assert_allclose(U.T @ U, np.eye(8), atol=1e-6)
    exact = np.linalg.eigvalsh(products.matmul(np.eye(N)))[::-1]
    assert (values[:20] <= exact[:20] * (1 + 1e-6)).all()
    assert (exact[:20] <= values[:20] + found.trace_error + found.rounding).all()
    lost = found.trace_error + found.rounding
    assert exact[8] <= found.remainder(8).bound < exact[8] + lost + 1e-3 * exact[0]
    assert found.rounding < 1e-3 * N
    assert exact[-1] <= found.remainder(N - 1).bound
    assert found.trace_error < 0.1 * exact[9]


@pytest.mark.parametrize("apart", [1e-1, 1e-3, 1e-5])
def test_rounding_covers_what_coinciding_landmarks_lose(apart: float) -> None:
    """The nearer two landmarks, the larger the inverse of their kernel matrix."""
    landmarks = np.vstack([X[:40], X[:1] + apart])
    found = by_landmarks(landmarks, Centering(N))
    K, across = (source(points).bound().values(landmarks) for points in (landmarks, X))
    missed = N - np.trace(np.linalg.solve(K, across @ across.T))
    assert missed - found.trace_error <= found.rounding + 1e-6 * N
    assert found.trace_error - missed <= 1e-6 * N or apart < 1e-4  # a direction is left out there
    assert found.rounding < 1e-5 * N


def test_preconditioner_inverts_beside_the_start_vectors() -> None:
    theta, rng = np.array([300.0, 250.0]), np.random.default_rng(2)
    values = np.linspace(200, 90, 8)
    U = np.linalg.qr(rng.normal(size=(N, 8)))[0].astype(np.float32)
    R = rng.normal(size=(N, 2))
    solved = preconditioner(values, U)(R, theta)
    np.testing.assert_allclose(solved * theta - U * values @ (U.T @ solved), R, atol=1e-5)


def test_pivots_are_near_the_best_approximation_and_end_where_points_do() -> None:
    pivots, K = random_pivots(source(), 80, seed=0), source().full().K
    assert len(set(pivots.tolist())) == len(pivots) == 80
    columns = K[:, pivots]
    left = np.trace(K - columns @ np.linalg.pinv(columns[pivots]) @ columns.T)
    best = np.linalg.eigvalsh(K)[:-80].sum()
    assert best <= left < 10 * best
    assert len(random_pivots(source(np.repeat(X[:20], 30, axis=0)), 100, seed=0)) == 20
