"""Awkward inputs give the right answer or a clear error: never NaN, never a changed input."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kpca import KernelPCA
from tests.kpca.naive import SEMIDEFINITE, NaiveKernelPCA, kernel_matrix

SOLVERS = ("auto", "dense", "randomized", "arpack", "davidson")
EPS = np.finfo(float).eps
quick = settings(max_examples=40, deadline=None, derandomize=True)


@st.composite
def clouds(draw: st.DrawFn) -> np.ndarray:
    """Few points on a coarse lattice: duplicated rows and constant columns come by themselves."""
    shape = draw(st.tuples(st.integers(1, 12), st.integers(1, 4)))
    X = draw(arrays(float, shape, elements=st.integers(-4, 4).map(lambda i: i / 2)))
    return X * 10.0 ** draw(st.integers(-3, 3))


def assert_right(model: KernelPCA, X: np.ndarray, naive: NaiveKernelPCA, k: int) -> None:
    """Eigenvalues, residuals and scores within ``tol``, or what rounding of K leaves of it."""
    bound = 1e-8 * naive.eigenvalues[0] + 100 * EPS * len(X) * np.abs(naive.K).max()
    values = np.maximum(naive.eigenvalues[:k], 0)
    np.testing.assert_allclose(model.eigenvalues_, values, rtol=0, atol=bound)
    assert np.all(np.diff(model.eigenvalues_, append=0) <= 0)
    assert np.all(np.isfinite(model.explained_variance_ratio_))
    pairs = naive.centred @ model.eigenvectors_ - model.eigenvectors_ * model.eigenvalues_
    assert np.linalg.norm(pairs, axis=0).max() <= bound
    positive = model.eigenvalues_ > 0
    axes = model.eigenvectors_[:, positive]
    np.testing.assert_allclose(axes.T @ axes, np.eye(positive.sum()), atol=1e-10)
    expected = model.eigenvectors_ * np.sqrt(model.eigenvalues_)
    smallest = model.eigenvalues_[positive].min(initial=1.0)
    np.testing.assert_allclose(model.transform(X), expected, atol=bound / np.sqrt(smallest))


@quick
@given(
    X=clouds(),
    kernel=st.sampled_from(SEMIDEFINITE),
    solver=st.sampled_from(SOLVERS),
    data=st.data(),
)
def test_small_awkward_clouds(X: np.ndarray, kernel: str, solver: str, data: Any) -> None:
    k = data.draw(st.integers(1, len(X)), label="k")
    model = KernelPCA(k, kernel=kernel, eigen_solver=solver, random_state=0).fit(X)
    K = kernel_matrix(X, X, kernel, gamma=1 / X.shape[1])  # the default of the estimator
    assert_right(model, X, NaiveKernelPCA(K), k)


@quick
@given(X=clouds(), shift=arrays(float, 12, elements=st.integers(-9, 9).map(float)))
def test_centring_forgets_what_is_added_to_rows_and_columns(X: np.ndarray, shift: Any) -> None:
    """H(K + u1ᵀ + 1uᵀ)H = HKH, and centring a centred matrix changes nothing."""
    K, u = X @ X.T, shift[: len(X)]
    naive = NaiveKernelPCA(K)
    options: dict[str, Any] = {"kernel": "precomputed", "eigen_solver": "dense"}
    plain = KernelPCA(1, **options).fit(K)
    bound = 1e-12 * max(np.trace(K), 100.0) * len(X)
    shifted = KernelPCA(1, indefinite="clip", **options).fit(K + u + u[:, None])
    np.testing.assert_allclose(shifted.eigenvalues_, plain.eigenvalues_, atol=bound)
    uncentred = KernelPCA(1, center=False, **options).fit(naive.centred)
    np.testing.assert_allclose(uncentred.eigenvalues_, plain.eigenvalues_, atol=bound)
    mean = plain.transform(K).mean(axis=0)
    np.testing.assert_allclose(mean, 0, atol=1e-10 * np.sqrt(bound / 1e-12))


@pytest.mark.parametrize("copy_X", [True, False])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "cosine", "precomputed"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_inputs_are_never_mutated(solver: str, kernel: str, copy_X: bool) -> None:
    if kernel == "precomputed" and solver == "davidson":
        pytest.skip("matrix-free needs points")
    X = np.random.default_rng(0).normal(size=(40, 40)) + 1.0
    X = X @ X.T if kernel == "precomputed" else X
    weights = np.arange(1.0, 41.0)
    samples = X.copy()
    model = KernelPCA(2, kernel=kernel, eigen_solver=solver, copy_X=copy_X, random_state=0)
    model.fit(X, sample_weight=weights).transform(X)
    np.testing.assert_array_equal(X, samples)
    np.testing.assert_array_equal(weights, np.arange(1.0, 41.0))
