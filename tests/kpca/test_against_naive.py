"""Every solver on every kernel in both precisions against textbook formulas and closed forms."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.kernels.registry import KERNELS
from tests.kpca.naive import (
    SEMIDEFINITE,
    NaiveKernelPCA,
    assert_close,
    kernel_matrix,
    residual_norms,
    used,
)

N_TRAIN = 260
N_NEW = 30
N_FEATURES = 5
N_COMPONENTS = 4
TOL = 1e-8

KERNEL_PARAMETERS = {name: used(name, gamma=0.1, degree=3, coef0=1.0) for name in KERNELS}
KERNEL_PARAMETERS["sigmoid"] = {"gamma": 0.02, "coef0": 0.1}  # wider ones are all but constant
SOLVERS = ("auto", "dense", "randomized", "arpack", "davidson", "primal")
MONOMIALS = ("linear", "poly")  # the kernels of few features
CASES = [*product(SOLVERS, KERNEL_PARAMETERS, ("plain", "uncentred", "weighted"))]
WEIGHTS = {"weighted": np.random.default_rng(2).gamma(1.0, size=N_TRAIN)}
WEIGHTS["weighted"][::7] = 0


def points(n, seed, dtype):
    scales = np.array([3.0, 2.0, 1.5, 1.0, 0.5])
    return (np.random.default_rng(seed).normal(size=(n, N_FEATURES)) * scales).astype(dtype)


@cache
def naive_fit(kernel, dtype, how):
    X = points(N_TRAIN, 0, dtype)
    K = kernel_matrix(X, X, kernel, **KERNEL_PARAMETERS[kernel])
    return NaiveKernelPCA(K, weights=WEIGHTS.get(how), center=how != "uncentred")


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("solver", "kernel", "how"), CASES)
def test_pairs_and_scores(solver, kernel, how, dtype):
    """LAPACK once overwrote an uncentred matrix that the residuals were then taken with."""
    X = points(N_TRAIN, 0, dtype)
    new = points(N_NEW, 1, dtype)
    parameters = KERNEL_PARAMETERS[kernel]
    model = KernelPCA(N_COMPONENTS, kernel=kernel, eigen_solver=solver, **parameters)
    model.set_params(center=how != "uncentred", random_state=0)
    suitable = {"davidson": SEMIDEFINITE, "primal": MONOMIALS}
    if kernel not in suitable.get(solver, KERNELS):
        with pytest.raises(ValueError, match=f"eigen_solver='{solver}' needs a"):
            model.fit(X)
        return
    model.fit(X, sample_weight=WEIGHTS.get(how))
    naive = naive_fit(kernel, dtype, how)
    top = naive.eigenvalues[:N_COMPONENTS]
    assert model.eigenvalues_.dtype == model.eigenvectors_.dtype == np.float64
    assert model.X_fit_.dtype == dtype
    np.testing.assert_array_equal(model.X_fit_, X)
    assert_close(model.kernel_means_, naive.mean @ naive.K, 1e-6)
    assert_close(model.eigenvalues_, top, TOL)
    assert model.variance_denominator_ == ("positive mass" if kernel == "sigmoid" else "trace")
    ratios = naive.variance_ratios(N_COMPONENTS, model.variance_denominator_)
    assert_close(model.explained_variance_ratio_, ratios, 2 * TOL)

    norms = residual_norms(naive.centred, model.eigenvalues_, model.eigenvectors_)
    independent = norms / naive.eigenvalues[0]
    assert np.all(independent <= model.residuals_ + 1e-12), "the certificate is an upper bound"
    assert model.residuals_.max() <= TOL

    scores = model.transform(new)
    assert scores.dtype == dtype
    gaps = -np.diff(naive.eigenvalues[: N_COMPONENTS + 1])
    spacing = gaps.min() / naive.eigenvalues[0]
    bound = 10 * TOL / spacing + (1e-5 if dtype == "float32" else 1e-10)
    K_new = kernel_matrix(new, X, kernel, **parameters)
    assert_close(scores, naive.scores(K_new, N_COMPONENTS), bound)
