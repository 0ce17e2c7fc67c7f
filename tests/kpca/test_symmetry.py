import numpy as np
import pytest

from kpca.symmetry import AsymmetricKernelWarning, symmetrised

K = np.array([[2.0, 1.0], [1.0, 3.0]])


def test_symmetric_matrices_pass_without_a_copy() -> None:
    assert symmetrised(K) is K


@pytest.mark.parametrize(("dtype", "amount"), [(np.float64, 1e-6), (np.float32, 1e-2)])
def test_asymmetry_is_named_and_averaged(dtype: type, amount: float) -> None:
    skewed = K.astype(dtype)
    skewed[0, 1] += amount
    before = skewed.copy()
    with pytest.warns(AsymmetricKernelWarning, match=r"reaches 3\.3e-0\d"):
        result = symmetrised(skewed)
    np.testing.assert_array_equal(result, result.T)
    np.testing.assert_allclose(result[0, 1], 1 + amount / 2, rtol=1e-6)
    np.testing.assert_array_equal(skewed, before)


@pytest.mark.parametrize(("dtype", "amount"), [(np.float64, 1e-10), (np.float32, 1e-5)])
def test_rounding_is_averaged_in_silence(
    dtype: type, amount: float, recwarn: pytest.WarningsRecorder
) -> None:
    skewed = K.astype(dtype)
    skewed[0, 1] += amount
    result = symmetrised(skewed)
    np.testing.assert_array_equal(result, result.T)
    assert not recwarn.list


def test_rectangular_matrices_are_refused() -> None:
    with pytest.raises(ValueError, match="must be a square matrix"):
        symmetrised(np.ones((2, 3)))
