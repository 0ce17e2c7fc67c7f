import numpy as np
import pytest

from kpca.linalg.block_lanczos import orthonormal
from kpca.linalg.rayleigh_ritz import Subspace, iterate, stalled
from tests.kpca.linalg.matrices import SPECTRUM, A, N, Q, product

RNG = np.random.default_rng(1)


@pytest.mark.parametrize("max_basis", [40, 400])
def test_converges_to_the_top_with_and_without_restarts(
    max_basis: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kpca.linalg.rayleigh_ritz.MAX_BASIS", max_basis)
    subspace = Subspace.start(RNG.normal(size=(N, 5)), product)
    ritz = iterate(subspace, product, 5, 1e-9, max_iter=200)
    np.testing.assert_allclose(ritz.values, SPECTRUM[:5], rtol=1e-10)
    assert np.linalg.norm(A @ ritz.vectors - ritz.vectors * ritz.values) < 1e-8
    assert (subspace.width <= 45) == (max_basis == 40)
    overlaps = subspace.basis.T @ subspace.basis
    np.testing.assert_allclose(overlaps, np.eye(subspace.width), atol=1e-12)


def test_precise_old_products_survive_noisy_new_ones() -> None:
    """Averaging both triangles of the projected matrix stalled at the noise."""
    noise = RNG.normal(size=(N, N)) * 1e-6

    def noisy(V: np.ndarray) -> np.ndarray:
        return A @ V + noise @ V

    near = Q[:, :5] + 1e-4 * RNG.normal(size=(N, 5))
    subspace = Subspace.start(near, product)
    for _ in range(8):
        ritz = subspace.ritz(5)
        subspace.expand(ritz.residuals, noisy)
    assert 0 < subspace.error < 1e-4
    found = subspace.ritz(5)
    true = np.linalg.norm(A @ found.vectors - found.vectors * found.values, axis=0)
    assert true.max() < 1e-7


@pytest.mark.parametrize("max_basis", [15, 400])
def test_errors_of_products_are_bounded_however_often_it_restarts(
    max_basis: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The errors of one size all point the same way, and add up where their vectors cancel."""
    monkeypatch.setattr("kpca.linalg.rayleigh_ritz.MAX_BASIS", max_basis)
    error = 1e-5

    def wrong(V: np.ndarray) -> np.ndarray:
        return A @ V + error * np.linalg.norm(V, axis=0) * Q[:, :1]

    subspace = Subspace.start(Q[:, :5] + 1e-2 * RNG.normal(size=(N, 5)), product)
    iterate(subspace, wrong, 5, 0.0, max_iter=8)
    ritz = subspace.ritz(5)
    off = np.linalg.norm(ritz.products - A @ ritz.vectors, axis=0)
    assert (off > 1e-3 * error).any()
    assert (off <= error * ritz.most).all()
    assert (subspace.width < 30) == (max_basis == 15)


def test_an_exhausted_space_ends_the_search() -> None:
    low = Q[:, :6] @ Q[:, :6].T
    subspace = Subspace.start(RNG.normal(size=(N, 8)), lambda V: low @ V)
    ritz = iterate(subspace, lambda V: low @ V, 8, 1e-12)
    np.testing.assert_allclose(ritz.values, [1] * 6 + [0] * 2, atol=1e-12)


def test_orthonormal_drops_dependent_directions() -> None:
    block = RNG.normal(size=(N, 3))
    basis = orthonormal(orthonormal(np.hstack([block, block @ RNG.normal(size=(3, 2)), 0 * block])))
    assert basis.shape == (N, 3)
    np.testing.assert_allclose(basis.T @ basis, np.eye(3), atol=1e-12)
    assert orthonormal(np.zeros((N, 2))).shape == (N, 0)


def test_stall() -> None:
    assert stalled([1e-4, 2e-7, 1.9e-7, 1.9e-7], 1e-5)
    assert not stalled([1e-4, 2e-6, 1e-7, 1e-8], 1e-5)
    assert not stalled([1.0, 0.9, 0.9, 0.9], 1e-5)
    assert not stalled([1e-4, 2e-7, 1.9e-7, 1.9e-7], 0.0)
