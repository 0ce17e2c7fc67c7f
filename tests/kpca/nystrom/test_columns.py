"""Own landmarks, and kernel matrices of which only some columns are read."""

import numpy as np
import pytest
from scipy import sparse

from kpca import KernelColumns, KernelPCA, exact_residuals, load, save
from tests.kpca.naive import kernel_matrix
from tests.kpca.nystrom.test_fit import GAMMA, INDICES, NEW, RNG, K, X, nystrom

K_NEW = kernel_matrix(NEW, X, "rbf", gamma=GAMMA)


def columns(k=5, **options):
    return nystrom(k, **{"kernel": "precomputed", "landmarks": "rpcholesky"} | options)


def _columns_of(function):
    return KernelColumns(function, np.ones(len(X)))


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_columns_give_the_model_of_the_kernel(center, weighted, tmp_path):
    np.save(tmp_path / "K.npy", K)
    mapped = np.load(tmp_path / "K.npy", mmap_mode="r")
    weights = RNG.integers(0, 3, size=len(X)) if weighted else None
    options = {"landmarks": INDICES, "center": center}
    reference = nystrom(**options).fit(X, sample_weight=weights)
    functions = (lambda i: K[:, i]), (lambda i: sparse.csc_matrix(K[:, i]))
    for form in (K, mapped, sparse.csr_matrix(K), *map(_columns_of, functions)):
        model = columns(**options).fit(form, sample_weight=weights)
        np.testing.assert_allclose(model.eigenvalues_, reference.eigenvalues_, rtol=1e-9)
        np.testing.assert_allclose(model.trace_error_, reference.trace_error_, rtol=1e-6)
        # Columns are all training samples, or the landmarks.
        for values in (K_NEW, K_NEW[:, INDICES]):
            np.testing.assert_allclose(model.transform(values), reference.transform(NEW), atol=1e-7)
        np.testing.assert_allclose(model.transform(form), reference.transform(X), atol=1e-7)
        distances = model.reconstruction_error(K_NEW, diagonal=np.ones(len(NEW)))
        np.testing.assert_allclose(distances, reference.reconstruction_error(NEW), atol=1e-7)
        residuals = exact_residuals(model, K)
        np.testing.assert_allclose(residuals, exact_residuals(reference, X), rtol=1e-6)
        assert model.definiteness_.status == "assumed"


def test_models_of_columns_are_saved_and_learn_pre_images(tmp_path):
    model = columns(landmarks=INDICES, fit_inverse_transform=True).fit(K, X_original=X)
    save(model, tmp_path / "model.npz")
    loaded = load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.transform(K_NEW), model.transform(K_NEW))
    back = loaded.inverse_transform(loaded.transform(K_NEW))
    assert np.mean((back - NEW) ** 2) < np.mean((X.mean(axis=0) - NEW) ** 2)


@pytest.mark.parametrize("landmarks", ["rpcholesky", "uniform", INDICES])
def test_the_columns_of_the_landmarks_are_read_once(landmarks):
    read = []

    def counted(indices):
        read.extend(indices.tolist())
        return K[:, indices]

    model = columns(n_landmarks=60, landmarks=landmarks).fit(_columns_of(counted))
    assert sorted(read) == sorted(model.landmark_indices_.tolist())
    assert len(read) == 60
    again = columns(n_landmarks=60, landmarks=landmarks).fit(K)
    np.testing.assert_array_equal(again.eigenvalues_, model.eigenvalues_)


def test_models_of_columns_learn_pre_images():
    model = columns(landmarks=INDICES, fit_inverse_transform=True).fit(K, X_original=X)
    points = model.inverse_transform(model.transform(K_NEW))
    assert np.mean((points - NEW) ** 2) < np.mean((X.mean(axis=0) - NEW) ** 2)


@pytest.mark.parametrize("landmarks", ["uniform", "rpcholesky"])
@pytest.mark.parametrize("m", [20, 300])
@pytest.mark.parametrize("gamma", [0.01, 0.1, None])
def test_matrices_in_single_precision_fit(gamma, m, landmarks):
    whole = X @ X.T if gamma is None else kernel_matrix(X, X, "rbf", gamma=gamma)
    single = whole.astype(np.float32)
    exact = KernelPCA(3, kernel="precomputed").fit(whole)
    off = 0.2 if m == 20 else 1e-3
    mixed = KernelColumns(lambda i: single[:, i], np.diag(whole))
    for form in (single, mixed):
        model = columns(3, n_landmarks=m, landmarks=landmarks).fit(form)
        np.testing.assert_allclose(model.eigenvalues_, exact.eigenvalues_, rtol=off)


def test_landmarks_that_are_all_samples_come_in_their_order():
    model = columns(landmarks=np.arange(80)[::-1]).fit(K[:80, :80])
    scores = model.eigenvectors_ * np.sqrt(model.eigenvalues_)
    np.testing.assert_array_equal(model.landmark_indices_, np.arange(80))
    np.testing.assert_allclose(model.transform(K[:80, model.landmark_indices_]), scores, atol=1e-9)


def test_columns_of_zeros_and_a_buffer_that_is_filled_again():
    nothing = columns(2, n_landmarks=9).fit(KernelColumns(lambda i: K[:, i] * 0, np.zeros(600)))
    np.testing.assert_array_equal(nothing.eigenvalues_, 0)
    buffer = np.empty((600, 1))

    def reused(indices):
        buffer[:] = K[:, indices]
        return buffer

    model = columns(3, n_landmarks=9)
    expected = columns(3, n_landmarks=9).fit(K)
    values = model.fit(_columns_of(reused)).eigenvalues_
    np.testing.assert_array_equal(values, expected.eigenvalues_)
