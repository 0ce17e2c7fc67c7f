"""Own landmarks, and kernel matrices of which only some columns are read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

from kpca import KernelColumns, KernelPCA, LandmarkKernelPCA, exact_residuals, load, save
from tests.kpca.naive import NaiveKernelPCA, kernel_matrix
from tests.kpca.nystrom.test_fit import GAMMA, NEW, RNG, X, nystrom

K = kernel_matrix(X, X, "rbf", gamma=GAMMA)
K_NEW = kernel_matrix(NEW, X, "rbf", gamma=GAMMA)
INDICES = RNG.permutation(len(X))[:40]


def columns(k: float | None = 5, **options: Any) -> LandmarkKernelPCA:
    return nystrom(k, **{"kernel": "precomputed", "landmarks": "rpcholesky"} | options)


def _columns_of(function: Callable[..., Any]) -> KernelColumns:
    return KernelColumns(function, np.ones(len(X)))


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_columns_give_the_model_of_the_kernel(center: bool, weighted: bool, tmp_path: Path) -> None:
    np.save(tmp_path / "K.npy", K)
    mapped = np.load(tmp_path / "K.npy", mmap_mode="r")
    weights = RNG.integers(0, 3, size=len(X)) if weighted else None
    options = {"landmarks": INDICES, "center": center}
    reference = nystrom(**options).fit(X, sample_weight=weights)
    for given in (K, mapped, sparse.csr_matrix(K), _columns_of(lambda i: K[:, i])):
        model = columns(**options)
        scores = model.fit_transform(given, sample_weight=weights)
        np.testing.assert_allclose(model.eigenvalues_, reference.eigenvalues_, rtol=1e-9)
        np.testing.assert_allclose(model.trace_error_, reference.trace_error_, rtol=1e-6)
        for own in (K_NEW, K_NEW[:, INDICES]):  # with all training samples, or the landmarks
            np.testing.assert_allclose(model.transform(own), reference.transform(NEW), atol=1e-7)
        distances = model.reconstruction_error(K_NEW, diagonal=np.ones(len(NEW)))
        np.testing.assert_allclose(distances, reference.reconstruction_error(NEW), atol=1e-7)
        np.testing.assert_allclose(scores, model.transform(given), atol=1e-7)
        found = exact_residuals(model, K)
        np.testing.assert_allclose(found, exact_residuals(reference, X), rtol=1e-6)


@pytest.mark.parametrize("landmarks", ["rpcholesky", "uniform", INDICES])
def test_the_columns_of_the_landmarks_are_read_once(landmarks: Any) -> None:
    read: list[int] = []

    def counted(indices: np.ndarray) -> np.ndarray:
        read.extend(indices.tolist())
        return K[:, indices]

    model = columns(n_landmarks=40, landmarks=landmarks).fit(_columns_of(counted))
    assert sorted(read) == sorted(model.landmark_indices_.tolist())
    assert len(read) == 40
    again = columns(n_landmarks=40, landmarks=landmarks).fit(K)
    np.testing.assert_array_equal(again.eigenvalues_, model.eigenvalues_)


@pytest.mark.parametrize("seed", range(20))
def test_bounds_hold_for_any_matrix_and_any_landmarks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, rank = 60, int(rng.integers(1, 61))
    factor = rng.standard_normal((n, rank)) * rng.gamma(0.3, size=rank)
    matrix, m = factor @ factor.T, int(rng.integers(2, n))
    landmarks = rng.permutation(n)[:m] if seed % 2 else "rpcholesky"
    k = min(rank, m, 3)
    model = columns(k, landmarks=landmarks, n_landmarks=m, remove_zero_eig=True).fit(matrix)
    naive, k = NaiveKernelPCA(matrix), len(model.eigenvalues_)
    true, slack = naive.eigenvalues[:k], 1e-7 * naive.eigenvalues[0]
    assert (model.eigenvalues_ <= true + slack).all()
    assert (true <= model.eigenvalues_ + model.trace_error_ + slack).all()
    (low, high), ratios = model.explained_variance_bounds_, naive.variance_ratios(k)
    assert ((low - 1e-7 <= ratios) & (ratios <= high + 1e-7)).all()
    assert model.completeness_.bound >= naive.eigenvalues[k] - slack
    assert model.definiteness_.status == "assumed"


@pytest.mark.parametrize("given", ["indices", "samples"])
def test_own_landmarks_come_with_every_form_of_samples(given: str, tmp_path: Path) -> None:
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    reference = nystrom(landmarks=X[INDICES]).fit(X)
    np.testing.assert_array_equal(reference.X_fit_, X[INDICES])
    blocks = [X[:250], X[250:]]
    for form in (X, mapped, sparse.csr_matrix(X), blocks, lambda: iter(blocks)):
        landmarks = INDICES if given == "indices" else X[INDICES]
        model = nystrom(landmarks=landmarks).fit(form)
        np.testing.assert_allclose(model.eigenvalues_, reference.eigenvalues_, rtol=1e-9)
        assert "40 landmarks (given)" in model.solver_.reason


def test_models_of_columns_are_saved_and_learn_pre_images(tmp_path: Path) -> None:
    model = columns(landmarks=INDICES, fit_inverse_transform=True).fit(K, X_original=X)
    save(model, tmp_path / "model.npz")
    loaded = load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.transform(K_NEW), model.transform(K_NEW))
    back = loaded.inverse_transform(loaded.transform(K_NEW))
    assert np.mean((back - NEW) ** 2) < np.mean((X.mean(axis=0) - NEW) ** 2)


REFUSALS: dict[str, tuple[Callable[[], Any], str]] = {
    "k-means": (lambda: columns(landmarks="kmeans").fit(K), "'rpcholesky', 'uniform' or an array"),
    "indefinite": (lambda: columns().fit(K - 0.5 * np.eye(len(K))), "not positive semidefinite"),
    "negative": (lambda: columns().fit(2 * np.eye(len(K)) - K), "not positive semidefinite"),
    "oblong": (lambda: columns().fit(K[:, :9]), "square"),
    "short": (lambda: columns().fit(_columns_of(lambda i: K[:9, i])), r"shape \(600, 1\)"),
    "shifted": (lambda: columns().fit(_columns_of(lambda i: K[:, i - 1])), "disagree"),
    "no number": (lambda: columns().fit(_columns_of(lambda i: K[:, i] * np.nan)), "NaN"),
    "diagonal": (lambda: KernelColumns(lambda i: K[:, i], [1.0, -1.0]), "non-negative"),
    "width": (lambda: columns(landmarks=INDICES).fit(K).transform(K_NEW[:, :7]), "40 features"),
    "samples of columns": (lambda: columns(landmarks=X[:9]).fit(K), "as indices"),
    "other solver": (
        lambda: KernelPCA(2, kernel="precomputed").fit(_columns_of(lambda i: K[:, i])),
        "LandmarkKernelPCA",
    ),
    "operator": (lambda: KernelPCA(2).fit(aslinearoperator(K)), "KernelColumns"),
    "budget": (lambda: columns(memory_budget=1e5).fit(K), "memory_budget"),
    "twice": (lambda: nystrom(landmarks=[3, 3]).fit(X), "distinct"),
    "beyond": (lambda: nystrom(landmarks=[3, 600]).fit(X), "from 0 to 599"),
    "before": (lambda: nystrom(landmarks=[-1, 3]).fit(X), "from 0 to 599"),
    "fractions": (lambda: nystrom(landmarks=[0.5, 3]).fit(X), "integers"),
    "none": (lambda: nystrom(landmarks=[]).fit(X), "at least one"),
    "narrow": (lambda: nystrom(landmarks=X[:5, :2]).fit(X), "2 columns, X has 4"),
    "word": (lambda: nystrom(landmarks="best").fit(X), "samples or indices"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals_say_what_to_do(case: str) -> None:
    call, words = REFUSALS[case]
    with pytest.raises((TypeError, ValueError, MemoryError), match=words):
        call()


@pytest.mark.parametrize("landmarks", ["uniform", "rpcholesky"])
@pytest.mark.parametrize("m", [20, 300])
@pytest.mark.parametrize("gamma", [0.01, 0.1, None])
def test_matrices_in_single_precision_fit(gamma: float | None, m: int, landmarks: str) -> None:
    whole = X @ X.T if gamma is None else kernel_matrix(X, X, "rbf", gamma=gamma)
    single = whole.astype(np.float32)
    exact, off = KernelPCA(3, kernel="precomputed").fit(whole), 0.2 if m == 20 else 1e-3
    mixed = KernelColumns(lambda i: single[:, i], np.diag(whole))
    for given in (single, mixed):
        model = columns(3, n_landmarks=m, landmarks=landmarks).fit(given)
        np.testing.assert_allclose(model.eigenvalues_, exact.eigenvalues_, rtol=off)


def test_landmarks_that_are_all_samples_come_in_their_order() -> None:
    model = columns(landmarks=np.arange(80)[::-1]).fit(K[:80, :80])
    scores = model.eigenvectors_ * np.sqrt(model.eigenvalues_)
    np.testing.assert_array_equal(model.landmark_indices_, np.arange(80))
    np.testing.assert_allclose(model.transform(K[:80, model.landmark_indices_]), scores, atol=1e-9)


def test_zeros_sparse_columns_and_a_buffer_that_is_filled_again() -> None:
    nothing = columns(2, n_landmarks=9).fit(KernelColumns(lambda i: K[:, i] * 0, np.zeros(600)))
    np.testing.assert_array_equal(nothing.eigenvalues_, 0)
    zeros = nystrom(2, kernel="linear", landmarks="rpcholesky", n_landmarks=9)
    np.testing.assert_array_equal(zeros.fit(np.zeros((80, 3))).eigenvalues_, 0)
    compact = columns(3, n_landmarks=9).fit(_columns_of(lambda i: sparse.csc_matrix(K[:, i])))
    buffer = np.empty((600, 1))

    def reused(indices: np.ndarray) -> np.ndarray:
        buffer[:] = K[:, indices]
        return buffer

    found = columns(3, n_landmarks=9).fit(_columns_of(reused))
    for one in (found, compact):
        expected = columns(3, n_landmarks=9).fit(K).eigenvalues_
        np.testing.assert_array_equal(one.eigenvalues_, expected)
