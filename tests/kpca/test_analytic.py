"""Spectra known in closed form, and the inequalities that certificates rest on."""

import numpy as np
import pytest

from kpca import KernelPCA
from tests.kpca.naive import NaiveKernelPCA, kernel_matrix

SOLVERS = ("dense", "arpack", "randomized", "krylov", "davidson")


def ring(n: int) -> np.ndarray:
    angles = 2 * np.pi * np.arange(n) / n
    return np.column_stack([np.cos(angles), np.sin(angles)])


def ring_spectrum(n: int, gamma: float) -> np.ndarray:
    """Centred eigenvalues of rbf on a ring: the Fourier transform of a row but its mean."""
    row = np.exp(-4 * gamma * np.sin(np.pi * np.arange(n) / n) ** 2)
    return np.sort(np.fft.fft(row).real[1:])[::-1]


def waves(n: int, frequency: int) -> np.ndarray:
    """The orthonormal cosine and sine of one frequency on the ring."""
    phase = 2 * np.pi * frequency * np.arange(n) / n
    return np.column_stack([np.cos(phase), np.sin(phase)]) * np.sqrt(2 / n)


@pytest.mark.parametrize("k", [6, 5])
@pytest.mark.parametrize("solver", SOLVERS)
def test_ring_has_a_circulant_spectrum_even_where_a_pair_is_cut(solver: str, k: int) -> None:
    n, gamma = 180, 2.0
    model = KernelPCA(k, kernel="rbf", gamma=gamma, eigen_solver=solver, random_state=0)
    model.fit(ring(n))
    expected = ring_spectrum(n, gamma)
    np.testing.assert_allclose(model.eigenvalues_, expected[:k], atol=1e-8 * expected[0])
    shares = expected[:k] / expected.sum()
    np.testing.assert_allclose(model.explained_variance_ratio_, shares, atol=1e-8)
    for frequency in (1, 2, 3):
        span = model.eigenvectors_[:, 2 * frequency - 2 : 2 * frequency]
        cosines = np.linalg.svd(span.T @ waves(n, frequency), compute_uv=False)
        np.testing.assert_allclose(cosines, 1, atol=1e-9 if k == 6 else 1e-8)


@pytest.mark.parametrize("solver", [*SOLVERS, "primal"])
@pytest.mark.parametrize("shape", [(200, 6), (12, 40)])
def test_linear_kernel_is_the_svd(solver: str, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=shape) * rng.gamma(1.0, size=shape[1]) + 5.0
    U, singular, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    model = KernelPCA(3, eigen_solver=solver, random_state=0)
    scores = model.fit_transform(X)
    np.testing.assert_allclose(model.eigenvalues_, singular[:3] ** 2, rtol=1e-7)
    expected = U[:, :3] * singular[:3]
    expected *= np.sign(np.take_along_axis(expected, np.abs(expected).argmax(0)[None], 0))
    np.testing.assert_allclose(scores, expected, atol=1e-5 * singular[0])


@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-6])
@pytest.mark.parametrize("solver", ["arpack", "randomized", "krylov", "davidson"])
def test_certificate_bounds_the_true_error(solver: str, tol: float) -> None:
    """An eigenvalue lies within each residual, whatever accuracy was asked for."""
    X = np.random.default_rng(2).normal(size=(400, 8))
    naive = NaiveKernelPCA(kernel_matrix(X, X, "rbf", gamma=0.1))
    model = KernelPCA(6, kernel="rbf", gamma=0.1, eigen_solver=solver, tol=tol, random_state=0)
    model.fit(X)
    assert model.residuals_.max() <= tol
    distance = np.abs(model.eigenvalues_[:, None] - naive.eigenvalues).min(axis=1)
    assert np.all(distance <= model.residuals_ * naive.eigenvalues[0] * (1 + tol) + 1e-12)
    assert naive.residuals(model.eigenvalues_, model.eigenvectors_).max() <= tol * (1 + tol)
    above = model.eigenvalues_ - naive.eigenvalues[:6]
    assert np.all(above <= model.residuals_ * naive.eigenvalues[0]), "interlacing"
