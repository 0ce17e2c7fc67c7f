"""Expectations of the tests of scikit-matter 0.4.1: ``test_kernel_pcovr.py``, centring, weights.

`KernelPCovR` with mixing 1 is kernel PCA, up to one factor, since it divides K by its trace.
"""

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import rbf_kernel

from kpca import KernelPCA

ALL_X, ALL_Y = load_diabetes(return_X_y=True)
CHOSEN = np.random.RandomState(0).choice(len(ALL_X), 100)
X = (ALL_X - ALL_X[CHOSEN].mean(0))[CHOSEN] / ALL_X[CHOSEN].std(0).mean()
KERNELS: dict[str, dict[str, Any]] = {
    "linear": {},
    "poly": {"degree": 2},
    "rbf": {"gamma": 3.0},
    "sigmoid": {"gamma": 3.0, "coef0": 0.5},
    "cosine": {},
}


@pytest.mark.parametrize("kernel", KERNELS)
def test_more_components_never_approximate_worse(kernel: str) -> None:
    options = {"kernel": kernel, "indefinite": "clip", **KERNELS[kernel]}
    Z = KernelPCA(6, **options).fit_transform(X)
    whole = KernelPCA(**options).fit_transform(X)
    left = [np.linalg.norm(whole @ whole.T - Z[:, :k] @ Z[:, :k].T) for k in range(7)]
    assert np.all(np.diff(left) <= 1e-6)


@pytest.mark.parametrize("kernel", KERNELS)
def test_mixing_1_is_kernel_pca(kernel: str) -> None:
    pcovr = pytest.importorskip("skmatter.decomposition").KernelPCovR
    fixed = {"mixing": 1.0, "n_components": 4, "center": True, "svd_solver": "full", "tol": 1e-12}
    theirs = pcovr(kernel=kernel, **fixed, **KERNELS[kernel])
    T = theirs.fit(X, ALL_Y[CHOSEN, None]).transform(X)
    Z = KernelPCA(4, kernel=kernel, indefinite="clip", **KERNELS[kernel]).fit_transform(X)
    ours, expected = Z @ Z.T, T @ T.T
    np.testing.assert_allclose(ours / ours.trace(), expected / expected.trace(), atol=1e-7)


def test_centred_landmarks_have_the_variance_of_the_formula() -> None:
    """Its `SparseKernelCenterer` takes the trace of C K_mm⁺ Cᵀ, C = K_nm less its means."""
    chosen = np.arange(0, 100, 10)
    K_nm, K_mm = rbf_kernel(X, X[chosen], gamma=0.1), rbf_kernel(X[chosen], gamma=0.1)
    C = K_nm - K_nm.mean(0)
    expected = np.trace(C @ np.linalg.pinv(K_mm, rcond=1e-12) @ C.T)
    model = KernelPCA(kernel="rbf", gamma=0.1, eigen_solver="nystrom", landmarks=chosen)
    found = model.fit(X).eigenvalues_.sum()
    np.testing.assert_allclose(found, expected, rtol=1e-8)


def test_weights_of_one_change_nothing_and_others_do() -> None:
    model = KernelPCA(3, kernel="rbf", gamma=0.1)
    plain = model.fit(X).eigenvalues_
    np.testing.assert_allclose(model.fit(X, sample_weight=np.ones(100)).eigenvalues_, plain)
    weights = np.random.default_rng(0).uniform(size=100)
    assert not np.allclose(model.fit(X, sample_weight=weights).eigenvalues_, plain, rtol=1e-3)


@pytest.mark.parametrize("weights", [np.ones(101), np.ones((100, 2))], ids=["length", "dimension"])
def test_invalid_weights_are_refused(weights: np.ndarray) -> None:
    with pytest.raises(ValueError, match="sample_weight"):
        KernelPCA(3).fit(X, sample_weight=weights)


def test_other_refusals() -> None:
    with pytest.raises(ValueError, match="100"):
        KernelPCA(3, kernel="precomputed").fit(X @ X.T).transform(np.ones((2, 99)))
    with pytest.raises(NotFittedError):
        KernelPCA(3).transform(X)
    with pytest.raises(ValueError, match="eigen_solver"):
        KernelPCA(3, eigen_solver="bad").fit(X)
