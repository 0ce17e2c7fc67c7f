"""The space that a block Lanczos search spans, and what it says of the rest."""

import numpy as np
import pytest

from kpca.linalg.block_lanczos import KrylovSpace, block_lanczos
from tests.kpca.linalg.matrices import SPECTRUM, A, N, Q, product

RNG = np.random.default_rng(1)


def search(k: int = 5, p: int = 8, tol: float = 1e-9, **limits: int) -> KrylovSpace:
    return block_lanczos(RNG.normal(size=(N, p)), product, k, tol, **limits)


@pytest.mark.parametrize("max_basis", [40, 400])
def test_converges_to_the_top_with_and_without_restarts(max_basis: int) -> None:
    space = search(max_basis=max_basis, max_iter=200)
    vectors, values = space.vectors[:, :5], space.values[:5]
    np.testing.assert_allclose(values, SPECTRUM[:5], rtol=1e-10)
    assert np.linalg.norm(A @ vectors - vectors * values, axis=0).max() <= 1e-9
    width = space.basis.shape[1]
    assert width <= max(max_basis, 24) + 8
    np.testing.assert_allclose(space.basis.T @ space.basis, np.eye(width), atol=1e-12)
    # Products with the basis leave it through the last block only.
    H = (space.small * space.values) @ space.small.T
    left = A @ space.basis - space.basis @ H
    np.testing.assert_allclose(left[:, :-8], 0, atol=1e-13)
    np.testing.assert_allclose(left[:, -8:], space.beyond, atol=1e-13)


def test_whole_krylov_space_is_kept() -> None:
    """The failure probability of the completeness check counts on it."""
    start = RNG.normal(size=(N, 3))
    space = block_lanczos(start, product, 2, 0.0, max_iter=4, max_basis=100)
    power = start
    for _ in range(space.steps - 1):
        power = A @ power
        outside = power - space.basis @ (space.basis.T @ power)
        assert np.linalg.norm(outside) < 1e-9 * np.linalg.norm(power)
    assert space.steps == 5


def test_steps_stop_counting_when_the_space_is_cut_back() -> None:
    assert search(max_basis=24, tol=1e-11, max_iter=200).steps == 4


@pytest.mark.parametrize("max_iter", [0, 1, 3, 9])
def test_what_is_left_out_lies_below_its_bound(max_iter: int) -> None:
    space, norm = search(max_iter=max_iter, max_basis=400), float((SPECTRUM**2).sum())
    for k in range(5):
        assert space.left_out(k, norm) >= SPECTRUM[k]
    if max_iter == 9:
        assert space.left_out(4, norm) < SPECTRUM[3]


def test_a_bound_sees_an_eigenvector_that_the_start_is_orthogonal_to() -> None:
    def blind(V: np.ndarray) -> np.ndarray:
        return V - Q[:, :1] @ (Q[:, :1].T @ V)

    space = block_lanczos(blind(RNG.normal(size=(N, 8))), product, 5, 1e-9, project=blind)
    np.testing.assert_allclose(space.values[0], SPECTRUM[1])
    assert space.left_out(0, float((SPECTRUM**2).sum())) >= 1
    assert space.left_out(5, float((SPECTRUM**2).sum())) >= SPECTRUM[5]


@pytest.mark.parametrize("rank", [6, 12])
def test_an_exhausted_space_ends_the_search(rank: int) -> None:
    low = Q[:, :rank] @ Q[:, :rank].T
    space = block_lanczos(RNG.normal(size=(N, 8)), lambda V: low @ V, 8, 0.0, max_iter=30)
    np.testing.assert_allclose(space.values[:8], 1.0 * (np.arange(8) < rank), atol=1e-12)
    assert space.left_out(8, float(rank)) >= float(rank > 8) - 1e-6


def test_a_space_that_fills_everything_ends_the_search() -> None:
    small = np.diag(np.arange(12.0))
    space = block_lanczos(RNG.normal(size=(12, 5)), lambda V: small @ V, 3, 0.0)
    np.testing.assert_allclose(space.values, np.arange(11, -1, -1), atol=1e-12)


def test_a_zero_matrix() -> None:
    space = block_lanczos(RNG.normal(size=(N, 4)), np.zeros_like, 2, 1e-9)
    assert not space.values.any()
    assert space.left_out(2, 0.0) == 0
