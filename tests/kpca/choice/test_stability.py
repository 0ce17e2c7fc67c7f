"""Angles between subspaces of resamples against scipy's, in a feature space that is explicit."""

import numpy as np
from scipy.linalg import subspace_angles

from kpca.choice import bootstrap_angles
from tests.kpca.choice.clouds import cloud
from tests.kpca.naive import kernel_matrix


def test_with_the_linear_kernel_they_are_angles_between_axes_of_pca() -> None:
    X = cloud(30, 4)

    found = bootstrap_angles(X @ X.T, 3, draws=2, seed=5)

    def axes(rows: np.ndarray) -> np.ndarray:
        return np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)[2].T

    rng = np.random.default_rng(5)
    for draw in range(2):
        drawn = X[rng.integers(0, 30, 30)]
        for m in (1, 2, 3):
            angles = subspace_angles(axes(X)[:, :m], axes(drawn)[:, :m])
            np.testing.assert_allclose(found[draw, m - 1], np.degrees(angles).mean(), rtol=1e-6)


def test_beyond_the_rank_there_is_no_angle() -> None:
    X = cloud(30, 2)

    angles = bootstrap_angles(X @ X.T, 4, draws=3)

    assert np.isfinite(angles[:, :2]).all()
    assert np.isnan(angles[:, 2:]).all()


def test_a_gap_in_the_spectrum_is_where_the_subspace_is_stable() -> None:
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(3, 5)) * 10
    X = centres[np.arange(90) % 3] + rng.normal(size=(90, 5))  # two directions between three

    angles = bootstrap_angles(kernel_matrix(X, X, "linear"), 4, draws=10).mean(axis=0)

    assert angles.argmin() == 1
    assert angles[2] > 2 * angles[1]
