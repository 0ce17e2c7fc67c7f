import numpy as np

from kpca.gram import FullGram
from kpca.lanczos import Deflated, extremes

RNG = np.random.default_rng(0)
Q = np.linalg.qr(RNG.normal(size=(120, 120)))[0]
SPECTRUM = np.concatenate([[-4.0, 9.0, 7.0], RNG.uniform(-1, 1, size=117)])
A = (Q * SPECTRUM) @ Q.T


def test_ends_of_the_spectrum_from_inside() -> None:
    found = extremes(FullGram(A), 40, seed=0)
    np.testing.assert_allclose([found.lowest, found.highest], [-4, 9], rtol=1e-8)
    assert found.lowest >= -4 - 1e-12
    assert found.highest <= 9 + 1e-12
    vector = found.lowest_vector
    np.testing.assert_allclose(A @ vector, -4 * vector, atol=1e-4)


def test_deflation_hides_known_eigenvectors() -> None:
    found = extremes(Deflated(FullGram(A), Q[:, 1:2]), 40, seed=0)
    np.testing.assert_allclose(found.highest, 7, rtol=1e-8)


def test_an_invariant_space_ends_it() -> None:
    found = extremes(FullGram(2 * np.eye(10)), 8, seed=0)
    assert found.exhausted
    assert found.steps == 1
    assert found.highest == 2.0


def test_small_matrices_and_zero() -> None:
    assert extremes(FullGram(np.zeros((3, 3))), 40, seed=0).highest == 0
    assert extremes(FullGram(np.array([[5.0]])), 40, seed=0).lowest == 5
