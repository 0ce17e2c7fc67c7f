import numpy as np

from kpca.linear.signs import axis_signs


def test_largest_entry_becomes_positive_whatever_the_sign_before():
    axes = np.random.default_rng(0).standard_normal((5, 4))
    signed = axes * axis_signs(axes)[:, None]
    np.testing.assert_array_equal(signed.max(axis=1), np.abs(axes).max(axis=1))
    np.testing.assert_array_equal(-axes * axis_signs(-axes)[:, None], signed)
