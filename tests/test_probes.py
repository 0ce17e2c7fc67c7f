"""Probes bound what an approximation leaves, and they are not fooled by a missed eigenvalue."""

import numpy as np
import pytest

from kpca import KernelPCA, ladder
from kpca.completeness import FAILURE
from kpca.gram import Centering, CentredGram
from kpca.kernels import KernelParameters
from kpca.probes import Probes
from kpca.source import KernelSource

N = 300
X = np.random.default_rng(0).normal(size=(N, 3))
OPERATOR = CentredGram(KernelSource(X, "rbf", KernelParameters(0.5)).full(), Centering(N))
VALUES, VECTORS = np.linalg.eigh(OPERATOR.matmul(np.eye(N)))
VALUES, VECTORS = VALUES[::-1], VECTORS[:, ::-1]


def probes_after(steps: int, kept: list[int], seed: int = 0, following: float = 0.0) -> Probes:
    known = VECTORS[:, kept]

    def approximation(V: np.ndarray) -> np.ndarray:
        return known * VALUES[kept] @ (known.T @ V)

    probes = Probes(approximation, following, Centering(N), seed)
    product = probes.along(OPERATOR.matmul)
    block = VECTORS[:, :2]
    for _ in range(steps):
        np.testing.assert_allclose(product(block), block * VALUES[:2], atol=1e-9)
    return probes


@pytest.mark.parametrize("steps", [1, 2, 4])
def test_bound_holds_and_tightens(steps: int) -> None:
    kept = list(range(20))
    bound = probes_after(steps, kept).remainder(0.0)
    assert bound.failure == FAILURE
    assert bound.bound >= VALUES[20]
    assert bound.bound >= probes_after(steps + 2, kept).remainder(0.0).bound
    assert probes_after(12, kept).remainder(0.0).bound < 1.3 * VALUES[20]


@pytest.mark.parametrize("seed", range(20))
def test_a_missing_eigenvalue_is_seen(seed: int) -> None:
    kept = [i for i in range(20) if i != 2]
    assert probes_after(3, kept, seed).remainder(0.0).bound >= VALUES[2]


def test_error_of_a_product_and_the_next_eigenvalue_are_added() -> None:
    kept = list(range(20))
    exact, rough = (probes_after(3, kept).remainder(slack).bound for slack in (0.0, 0.1))
    assert exact < rough
    shifted = probes_after(3, kept, following=2.0).remainder(0.0).bound
    assert shifted == pytest.approx(exact + 2)


def test_probes_stay_behind_once_they_have_said_enough() -> None:
    widths = []

    def product(V: np.ndarray) -> np.ndarray:
        widths.append(V.shape[1])
        return OPERATOR.matmul(V)

    probes = Probes(np.zeros_like, 0.0, Centering(N), 0, enough=10 * VALUES[0])
    joined = probes.along(product)
    for _ in range(4):
        joined(VECTORS[:, :2])
    assert widths[0] > 2
    assert widths[-1] == 2
    assert VALUES[0] <= probes.remainder(0.0).bound <= 10 * VALUES[0]


def test_matrix_free_fit_decides_where_the_trace_does_not() -> None:
    many = np.random.default_rng(1).normal(size=(1500, 6))
    model = KernelPCA(6, kernel="rbf", gamma=0.15, eigen_solver="davidson").fit(many)
    K = KernelSource(many, "rbf", KernelParameters(0.15)).full()
    exact = np.linalg.eigvalsh(CentredGram(K, Centering(1500)).matmul(np.eye(1500)))[::-1]
    completeness = model.completeness_
    assert (completeness.status, completeness.method) == ("probable", "random probes")
    assert exact[6] <= completeness.bound < exact[5]


@pytest.mark.parametrize("weighted", [False, True])
def test_stored_fit_decides_where_its_random_start_does_not(
    weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "_squared_norm", lambda *_: None)  # nor what its space leaves
    n = 1700
    many = np.random.default_rng(1).normal(size=(n, 6))
    weights = np.random.default_rng(2).uniform(0.5, 1.5, size=n) if weighted else None
    model = KernelPCA(6, kernel="rbf", gamma=0.15, eigen_solver="krylov")
    completeness = model.fit(many, sample_weight=weights).completeness_
    K = KernelSource(many, "rbf", KernelParameters(0.15)).full()
    whole = CentredGram(K, Centering(n, True, weights)).matmul(np.eye(n))
    exact = np.linalg.eigvalsh(whole)[::-1]
    assert (completeness.status, completeness.method) == ("probable", "random probes")
    assert exact[6] <= completeness.bound < exact[5]
