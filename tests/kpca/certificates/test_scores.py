"""Groups of near-equal eigenvalues, and bounds on their scores by hand."""

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.certificates.scores import groups, score_errors
from tests.kpca.estimators import either
from tests.kpca.naive import assert_close

VALUES = np.array([9.0, 4.0, 4.0, 1.0])
NORMS = np.full(4, 1e-6)


def test_neighbours_are_apart_from_a_hundred_times_all_residuals_on():
    np.testing.assert_array_equal(groups(VALUES, NORMS), [0, 1, 1, 2])
    least = 100 * 2e-6
    np.testing.assert_array_equal(groups(np.array([1 + 1.01 * least, 1.0]), 2 * NORMS[:1]), [0, 1])
    np.testing.assert_array_equal(groups(np.array([1 + 0.99 * least, 1.0]), 2 * NORMS[:1]), [0, 0])
    assert groups(VALUES[:0], NORMS[:0]).shape == (0,)


def test_bounds_are_those_of_the_nearest_other_eigenvalue():
    bounds = score_errors(VALUES, NORMS, groups(VALUES, NORMS), 0.5)
    gaps = np.array([5.0, 3, 3, 0.5])
    residuals = np.array([1, 2**0.5, 2**0.5, 1]) * 1e-6
    expected = np.sqrt(2 * VALUES) * residuals / gaps + residuals / np.sqrt(VALUES)
    np.testing.assert_allclose(bounds, expected, rtol=1e-5)
    for beyond, bounded in ((2.0, [1, 1, 1, 0]), (4.0, [1, 0, 0, 0]), (np.inf, [0, 0, 0, 0])):
        bounds = score_errors(VALUES, NORMS, groups(VALUES, NORMS), beyond)
        np.testing.assert_array_equal(np.isfinite(bounds), bounded)


@pytest.mark.parametrize("solver", ["dense", "randomized", "arpack", "davidson", "nystrom"])
def test_twins_of_a_ring_are_one_group_that_must_not_be_cut(solver):
    """Centred eigenvalues are the Fourier transform of a row but its mean."""
    angles = 2 * np.pi * np.arange(180) / 180
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    row = np.exp(-8 * np.sin(angles / 2) ** 2)
    spectrum = np.sort(np.fft.fft(row).real[1:])[::-1]
    options = {"kernel": "rbf", "gamma": 2.0, "eigen_solver": solver, "landmarks": "uniform"}
    for number, group, n_bounded in ((4, [0, 0, 1, 1], 4), (3, [0, 0, 1], 2)):
        model = either(number, n_landmarks=160, **options).fit(ring)
        assert_close(model.eigenvalues_, spectrum[:number])
        assert_close(model.explained_variance_ratio_, spectrum[:number] / spectrum.sum())
        np.testing.assert_array_equal(model.eigenvalue_groups_, group)
        assert (model.score_error_bounds_[:n_bounded] < 1e-3).all()
        assert np.isinf(model.score_error_bounds_[n_bounded:]).all()


def hollow(x, y):
    """Return a kernel value of zero for equal rows, on which rounding was once measured."""
    return -float(np.abs(x - y).sum())


def test_residuals_of_kernels_with_a_diagonal_of_zeros_include_their_rounding():
    for scale in (1.0, 1e-99):
        model = KernelPCA(2, kernel=hollow).fit(np.eye(3)[[0, 0, 1, 1, 2, 2]] * scale)
        assert (model.residuals_ > 0).all()
        assert model.residuals_.max() < 1e-13
        assert (model.score_error_bounds_ > 0).all()
