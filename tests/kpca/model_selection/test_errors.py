"""Held-out errors against refits, linear PCA and de-noising by the estimator."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import PCA

from kpca import KernelPCA, choice
from kpca.model_selection.folds import shuffled_folds
from tests.kpca.model_selection.clouds import cloud
from tests.kpca.naive import kernel_matrix
from tests.kpca.preimage.clouds import half_circle

X = cloud()
NOISY = choice.corrupt(X, 0.3, seed=1)
FOLDS = list(shuffled_folds(len(X), 4, 0))
GAMMA = 0.05
GAMMAS = [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0]


def gaussian(gamma: float) -> np.ndarray:
    return kernel_matrix(X, X, "rbf", gamma=gamma)


def parts_of(
    K: np.ndarray, k: int, corrupted: np.ndarray | None = None, folds: choice.Folds = FOLDS
) -> Iterator[choice.HeldOut]:
    return choice.fits_without(choice.leading(k, kernel="precomputed"), K, folds, corrupted)


def test_every_row_is_left_out_once_and_never_fitted() -> None:
    parts = list(parts_of(gaussian(GAMMA), 3))
    assert sorted(np.concatenate([part.rows for part in parts])) == list(range(len(X)))
    assert all(not set(part.rows) & set(part.kept) for part in parts)


@pytest.mark.parametrize("kind", ["points", "matrix"])
def test_scores_are_those_of_independent_fits(kind: str) -> None:
    noisy = kernel_matrix(NOISY, X, "rbf", gamma=GAMMA)
    points = choice.fits_without(choice.leading(3, kernel="rbf", gamma=GAMMA), X, FOLDS, NOISY)
    for part in points if kind == "points" else parts_of(gaussian(GAMMA), 3, noisy):
        alone = KernelPCA(3, kernel="rbf", gamma=GAMMA).fit(X[part.kept])
        np.testing.assert_allclose(part.clean, alone.transform(X[part.rows]), atol=1e-9)
        np.testing.assert_allclose(part.scores, alone.transform(NOISY[part.rows]), atol=1e-9)
        clean = replace(part, scores=part.clean, rows=np.arange(10))
        errors = choice.feature_errors([clean], 3)[:, 3]
        expected = alone.reconstruction_error(X[part.rows])
        np.testing.assert_allclose(errors, expected, atol=1e-9)


def test_with_the_linear_kernel_they_are_those_of_pca() -> None:
    parts = parts_of(X @ X.T, 3, NOISY @ X.T)
    errors = choice.feature_errors(parts, 3)
    for kept, rows in FOLDS:
        pca = PCA(2).fit(X[kept])
        away = pca.inverse_transform(pca.transform(NOISY[rows])) - X[rows]
        np.testing.assert_allclose(errors[rows, 2], np.square(away).sum(axis=1), rtol=1e-9)


def test_uncorrupted_rows_never_lose_by_a_component_and_always_prefer_a_wide_kernel() -> None:
    means = [
        choice.feature_errors(parts_of(gaussian(gamma), 10), 10).mean(axis=0)
        for gamma in (1e-6, 1e-4, 1e-2, 1)
    ]
    assert all((np.diff(mean) <= 1e-12).all() for mean in means)
    assert (np.diff(np.array(means)[:, 1:], axis=0) > 0).all()
    assert means[0][1] < 1e-3


def test_corrupted_rows_lose_by_components_that_carry_noise() -> None:
    rows = half_circle(60, 0.03)
    K = kernel_matrix(rows, rows, "rbf", gamma=1.0)
    noisy = kernel_matrix(choice.corrupt(rows, 0.5, seed=0), rows, "rbf", gamma=1.0)
    folds = list(shuffled_folds(len(rows), 4, 0))
    means = choice.feature_errors(parts_of(K, 30, noisy, folds), 30).mean(axis=0)
    best = int(means.argmin())
    assert 1 <= best <= 10
    assert means[30] > 1.5 * means[best]


def test_the_rank_bounds_the_number_of_components() -> None:
    plane = X[:, :2] @ X[:, :2].T
    errors = choice.feature_errors(parts_of(plane, 5), 5)
    np.testing.assert_allclose(errors[:, 2:], 0, atol=1e-9 * np.trace(plane))


@pytest.mark.parametrize("m", [1, 4])
def test_errors_in_the_input_space_are_those_of_the_estimator_that_denoises(m: int) -> None:
    parts = choice.fits_without(choice.leading(6, kernel="rbf", gamma=GAMMA), X, FOLDS, NOISY)
    errors = choice.input_errors(parts, X, NOISY, [1, 4])
    kept, rows = FOLDS[1]
    alone = KernelPCA(m, kernel="rbf", gamma=GAMMA, preimage="fixed_point").fit(X[kept])
    expected = np.square(alone.denoise(NOISY[rows]) - X[rows]).sum(axis=1)
    # Iterations stop at a thousandth of the spread.
    np.testing.assert_allclose(errors[rows, [1, 4].index(m)], expected, rtol=0.02)


def test_corruption_has_the_size_that_is_asked_for() -> None:
    rows = cloud(20_000)
    away = np.square(choice.corrupt(rows, 0.3, seed=0) - rows)
    assert away.sum(axis=1).mean() == pytest.approx(0.09 * rows.var(axis=0).sum(), rel=0.02)
    np.testing.assert_allclose(away.mean(axis=0), away.mean(), rtol=0.05)


def test_a_curve_is_described_by_a_kernel_that_is_neither_wide_nor_narrow() -> None:
    found = choice.choose_by_denoising(half_circle(60, 0.03), GAMMAS, [1, 4, 16])
    assert 0.01 < found.gamma < 100
    assert found.errors.shape == (6, 3)
    g, s = np.unravel_index(found.errors.argmin(), found.errors.shape)
    assert (found.gamma, found.n_components) == (GAMMAS[g], [1, 4, 16][s])


def test_without_corruption_the_identity_wins_and_that_is_a_wide_kernel() -> None:
    found = choice.choose_by_denoising(half_circle(60, 0.03), GAMMAS, [4], noise=0.0)
    assert found.gamma == GAMMAS[0]
    assert found.errors.min() < 1e-4


def test_a_choice_at_the_edge_is_told_and_what_cannot_be_tried_refused() -> None:
    points = half_circle(60, 0.03)
    with pytest.warns(UserWarning, match="gamma and n_components lies at the edge"):
        found = choice.choose_by_denoising(points.tolist(), [1e-4, 1e-3], [1, 2])
    assert found.at_edge == ("gamma", "n_components")
    for gammas, sizes, message in (
        ([], [1], "gammas must be positive numbers"),
        ([-1.0], [1], "gammas must be positive numbers"),
        ([1.0], [60], "sizes must be whole numbers from 1 to 59"),
        ([1.0], [0], "sizes must be whole numbers from 1 to 59"),
    ):
        with pytest.raises(ValueError, match=message):
            choice.choose_by_denoising(points, gammas, sizes)
