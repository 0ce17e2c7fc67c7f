import numpy as np
import pytest

from kpca.kernels.bandwidth import median_gamma
from tests.kpca.naive import NaiveKernelPCA, kernel_matrix
from tests.kpca.nystrom.clouds import X
from workflow.scripts.large_n.random_features import fit_fourier, fourier_features

GAMMA = median_gamma(X)
K = kernel_matrix(X, X, "rbf", gamma=GAMMA)


def test_features_approximate_the_kernel_ever_better() -> None:
    errors = []
    for width in (100, 10_000):
        F = fourier_features(X, gamma=GAMMA, n_features=width, seed=0)
        assert F.shape == (600, width)
        errors.append(np.sqrt(np.square(F @ F.T - K).mean()))
    assert 7 < errors[0] / errors[1] < 14  # the square root of a hundred


def test_pairs_are_those_of_the_approximate_matrix_with_an_estimate_of_their_error() -> None:
    values, vectors, estimates = fit_fourier(X, 4, gamma=GAMMA, n_features=200, seed=1)
    F = fourier_features(X, gamma=GAMMA, n_features=200, seed=1)
    naive = NaiveKernelPCA(F @ F.T)
    np.testing.assert_allclose(values, naive.eigenvalues[:4], rtol=1e-9)
    assert naive.span_error(vectors) < 1e-8
    true = NaiveKernelPCA(K).residuals(values, vectors)
    assert estimates.max() == pytest.approx(true.max(), rel=0.3)
