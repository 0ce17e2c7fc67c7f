"""The one-standard-error rule on errors whose answer is plain."""

import numpy as np
import pytest

from kpca.choice import one_standard_error, standard_errors


def test_the_first_within_one_standard_error_of_the_best_is_taken() -> None:
    # Means 4, 2.2, 2, 3; the third has a standard error of ½.
    errors = np.array([[4.0, 2.2, 1.5, 3.0], [4.0, 2.2, 2.5, 3.0]])
    means, deviations = errors.mean(axis=0), standard_errors(errors)

    assert deviations.tolist() == [0, 0, 0.5, 0]
    assert one_standard_error(means, deviations) == 1
    assert one_standard_error(means[::-1], deviations[::-1]) == 1  # 3 is more than ½ away


def test_a_single_measurement_has_no_error_and_the_best_is_taken() -> None:
    errors = np.array([[3.0, 1.0, 2.0]])

    assert one_standard_error(errors[0], standard_errors(errors)) == 1


def test_a_mean_that_is_not_finite_does_not_count() -> None:
    assert one_standard_error(np.array([5.0, 1.0, np.nan]), np.full(3, 0.5)) == 1


def test_no_finite_candidate_is_an_error() -> None:
    with pytest.raises(ValueError, match="no candidate has a finite error"):
        one_standard_error(np.full(3, np.nan), np.zeros(3))
