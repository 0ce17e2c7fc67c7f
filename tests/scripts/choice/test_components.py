"""The number of components: the one-standard-error rule, held-out errors, angles of resamples."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles

from kpca import choice
from kpca.model_selection.folds import shuffled_folds
from tests.kpca.model_selection.clouds import cloud
from tests.kpca.naive import kernel_matrix
from tests.kpca.preimage.clouds import half_circle
from workflow.scripts.choice import components


def test_the_first_within_one_standard_error_of_the_best_is_taken() -> None:
    # Means 4, 2.2, 2, 3; the third has a standard error of ½.
    errors = np.array([[4.0, 2.2, 1.5, 3.0], [4.0, 2.2, 2.5, 3.0]])
    means, deviations = errors.mean(axis=0), components.standard_errors(errors)
    assert deviations.tolist() == [0, 0, 0.5, 0]
    assert components.one_standard_error(means, deviations) == 1
    assert (
        components.one_standard_error(means[::-1], deviations[::-1]) == 1
    )  # 3 is more than ½ away


def test_a_single_measurement_has_no_error_and_what_is_not_finite_does_not_count() -> None:
    errors = np.array([[3.0, 1.0, 2.0]])
    assert components.one_standard_error(errors[0], components.standard_errors(errors)) == 1
    assert components.one_standard_error(np.array([5.0, 1.0, np.nan]), np.full(3, 0.5)) == 1
    with pytest.raises(ValueError, match="no candidate has a finite error"):
        components.one_standard_error(np.full(3, np.nan), np.zeros(3))


def test_components_are_chosen_by_corrupted_rows_and_not_by_rows_as_they_are() -> None:
    rows, circle = cloud(80, 10) * np.array([1.0, 1.0, *[1e-3] * 8]), half_circle(60, 0.03)
    K, wide = rows @ rows.T, kernel_matrix(circle, circle, "rbf", gamma=1.0)
    assert (
        components.choose_components(K, 8, corrupted=choice.corrupt(rows, 0.3, seed=1) @ rows.T)
        == 2
    )
    assert components.choose_components(wide, 20) > 15
    folds = list(shuffled_folds(len(circle), 4, 3))
    by_number = components.choose_components(wide, 20, folds=4, seed=3)
    assert components.choose_components(wide, 20, folds=folds) == by_number


def test_with_the_linear_kernel_they_are_angles_between_axes_of_pca() -> None:
    X = cloud(30, 4)
    found = components.bootstrap_angles(X @ X.T, 6, draws=2, seed=5)

    def axes(rows: np.ndarray) -> np.ndarray:
        return np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)[2].T

    rng = np.random.default_rng(5)
    for draw in range(2):
        drawn = X[rng.integers(0, 30, 30)]
        for m in (1, 2, 3):
            angles = subspace_angles(axes(X)[:, :m], axes(drawn)[:, :m])
            np.testing.assert_allclose(found[draw, m - 1], np.degrees(angles).mean(), rtol=1e-6)
    assert np.isfinite(found[:, :4]).all()
    assert np.isnan(found[:, 4:]).all()  # beyond the rank


def test_a_gap_in_the_spectrum_is_where_the_subspace_is_stable() -> None:
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(3, 5)) * 10
    X = centres[np.arange(90) % 3] + rng.normal(size=(90, 5))  # two directions between three
    angles = components.bootstrap_angles(kernel_matrix(X, X, "linear"), 4, draws=10).mean(axis=0)
    assert angles.argmin() == 1
    assert angles[2] > 2 * angles[1]
