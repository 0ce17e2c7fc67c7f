"""The one-standard-error rule on errors whose answer is plain."""

import numpy as np
import pytest

from kpca.choice import one_standard_error, standard_errors


def test_the_first_within_one_standard_error_of_the_best_is_taken() -> None:
    # Means 4, 2.2, 2, 3; the third has a standard error of ½.
    errors = np.array([[4.0, 2.2, 1.5, 3.0], [4.0, 2.2, 2.5, 3.0]])

    assert standard_errors(errors)[2] == 0.5
    assert one_standard_error(errors) == 1
    assert one_standard_error(errors[:, ::-1]) == 1  # 3 is more than ½ away from 2


def test_a_single_measurement_has_no_error_and_the_best_is_taken() -> None:
    assert one_standard_error(np.array([[3.0, 1.0, 2.0]])) == 1


def test_a_candidate_without_a_finite_measurement_does_not_count() -> None:
    assert one_standard_error(np.array([[5.0, 1.0, np.nan], [5.0, 1.0, 0.0]])) == 1


def test_no_finite_candidate_is_an_error() -> None:
    with pytest.raises(ValueError, match="no candidate has finite errors"):
        one_standard_error(np.full((2, 3), np.nan))
