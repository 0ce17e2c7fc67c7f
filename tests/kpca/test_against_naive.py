"""Every solver on every kernel in both precisions against textbook formulas and closed forms."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.kernels import KERNELS, KernelParameters
from tests.kpca.naive import SEMIDEFINITE, NaiveKernelPCA, assert_close, kernel_matrix, used

N_TRAIN, N_NEW, N_FEATURES, N_COMPONENTS, TOL = 260, 30, 5, 4, 1e-8

KERNEL_PARAMETERS = {name: used(name, gamma=0.1, degree=3, coef0=1.0) for name in KERNELS}
KERNEL_PARAMETERS["sigmoid"] = {"gamma": 0.02, "coef0": 0.1}  # wider ones are all but constant
SOLVERS = ("auto", "dense", "randomized", "arpack", "davidson", "primal")
# What a solver cannot do it refuses: see `test_pairs_and_scores`.
REFUSED = {("davidson", kernel) for kernel in KERNELS if kernel not in SEMIDEFINITE}
REFUSED |= {
    ("primal", name)
    for name, kernel in KERNELS.items()
    if not kernel.feature_count(N_FEATURES, KernelParameters(**KERNEL_PARAMETERS[name]))
}
CASES = [*product(SOLVERS, KERNEL_PARAMETERS, ("plain", "uncentred", "weighted"))]
WEIGHTS = {"weighted": np.random.default_rng(2).gamma(1.0, size=N_TRAIN)}
WEIGHTS["weighted"][::7] = 0


def points(n: int, seed: int, dtype: str) -> np.ndarray:
    scales = np.array([3.0, 2.0, 1.5, 1.0, 0.5])
    return (np.random.default_rng(seed).normal(size=(n, N_FEATURES)) * scales).astype(dtype)


@cache
def naive_fit(kernel: str, dtype: str, how: str) -> NaiveKernelPCA:
    X = points(N_TRAIN, 0, dtype)
    K = kernel_matrix(X, X, kernel, **KERNEL_PARAMETERS[kernel])
    return NaiveKernelPCA(K, weights=WEIGHTS.get(how), center=how != "uncentred")


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("solver", "kernel", "how"), CASES)
def test_pairs_and_scores(solver: str, kernel: str, how: str, dtype: str) -> None:
    """LAPACK once overwrote an uncentred matrix that the residuals were then taken with."""
    X, new = points(N_TRAIN, 0, dtype), points(N_NEW, 1, dtype)
    parameters = KERNEL_PARAMETERS[kernel]
    model = KernelPCA(N_COMPONENTS, kernel=kernel, eigen_solver=solver, **parameters)
    model.set_params(center=how != "uncentred", random_state=0)
    if (solver, kernel) in REFUSED:
        with pytest.raises(ValueError, match=f"eigen_solver='{solver}' needs a"):
            model.fit(X)
        return
    model.fit(X, sample_weight=WEIGHTS.get(how))
    naive = naive_fit(kernel, dtype, how)
    top = naive.eigenvalues[:N_COMPONENTS]
    assert model.eigenvalues_.dtype == model.eigenvectors_.dtype == np.float64
    assert model.X_fit_.dtype == dtype
    assert_close(model.eigenvalues_, top, TOL)
    assert model.variance_denominator_ == ("positive mass" if kernel == "sigmoid" else "trace")
    ratios = naive.variance_ratios(N_COMPONENTS, model.variance_denominator_)
    assert_close(model.explained_variance_ratio_, ratios, 2 * TOL)

    independent = naive.residuals(model.eigenvalues_, model.eigenvectors_)
    assert np.all(independent <= model.residuals_ + 1e-12), "the certificate is an upper bound"
    assert model.residuals_.max() <= TOL

    scores = model.transform(new)
    assert scores.dtype == dtype
    spacing = min(naive.gap(j) for j in range(1, N_COMPONENTS + 1))
    bound = 10 * TOL / spacing + (1e-5 if dtype == "float32" else 1e-10)
    K_new = kernel_matrix(new, X, kernel, **parameters)
    assert_close(scores, naive.scores(K_new, N_COMPONENTS), bound)


@pytest.mark.parametrize("k", [6, 5])
@pytest.mark.parametrize("solver", ["dense", "randomized", "arpack", "davidson"])
def test_ring_has_a_circulant_spectrum_even_where_a_pair_is_cut(solver: str, k: int) -> None:
    """Centred eigenvalues are the Fourier transform of a row but its mean."""
    n, gamma = 180, 2.0
    angles = 2 * np.pi * np.arange(n) / n
    row = np.exp(-4 * gamma * np.sin(angles / 2) ** 2)
    expected = np.sort(np.fft.fft(row).real[1:])[::-1]
    model = KernelPCA(k, kernel="rbf", gamma=gamma, eigen_solver=solver, random_state=0)
    model.fit(np.column_stack([np.cos(angles), np.sin(angles)]))
    np.testing.assert_allclose(model.eigenvalues_, expected[:k], atol=1e-8 * expected[0])
    ratios = expected[:k] / expected.sum()
    np.testing.assert_allclose(model.explained_variance_ratio_, ratios, atol=1e-8)
