"""Groups of near-equal eigenvalues, and bounds on their scores by hand."""

import numpy as np
import pytest

from kpca.certificates.scores import groups, score_errors
from tests.kpca.estimators import either

VALUES, NORMS = np.array([9.0, 4.0, 4.0, 1.0]), np.full(4, 1e-6)


def test_neighbours_are_apart_from_a_hundred_times_all_residuals_on() -> None:
    np.testing.assert_array_equal(groups(VALUES, NORMS), [0, 1, 1, 2])
    least = 100 * 2e-6
    np.testing.assert_array_equal(groups(np.array([1 + 1.01 * least, 1.0]), 2 * NORMS[:1]), [0, 1])
    np.testing.assert_array_equal(groups(np.array([1 + 0.99 * least, 1.0]), 2 * NORMS[:1]), [0, 0])
    assert groups(VALUES[:0], NORMS[:0]).shape == (0,)


def test_bounds_are_those_of_the_nearest_other_eigenvalue() -> None:
    found = score_errors(VALUES, NORMS, groups(VALUES, NORMS), 0.5)
    gaps, residuals = np.array([5.0, 3, 3, 0.5]), np.array([1, 2**0.5, 2**0.5, 1]) * 1e-6
    expected = np.sqrt(2 * VALUES) * residuals / gaps + residuals / np.sqrt(VALUES)
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    for beyond, known in ((2.0, [1, 1, 1, 0]), (4.0, [1, 0, 0, 0]), (np.inf, [0, 0, 0, 0])):
        found = score_errors(VALUES, NORMS, groups(VALUES, NORMS), beyond)
        np.testing.assert_array_equal(np.isfinite(found), known)


@pytest.mark.parametrize("solver", ["dense", "arpack", "davidson", "nystrom"])
def test_twins_of_a_square_are_one_group_that_must_not_be_cut(solver: str) -> None:
    side = np.linspace(-1, 1, 15)
    square = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    asked = {"kernel": "rbf", "gamma": 0.5, "eigen_solver": solver, "landmarks": "uniform"}
    model = either(3, n_landmarks=200, **asked).fit(square)
    np.testing.assert_array_equal(model.eigenvalue_groups_, [0, 0, 1])
    assert (model.score_error_bounds_ < 1e-3).all()
    cut = either(1, n_landmarks=200, **asked).fit(square)
    assert np.isinf(cut.score_error_bounds_).all()
