from typing import Any

import numpy as np
import pytest
from scipy import sparse

from kpca.operators.sources import MatrixSource
from kpca.operators.symmetry import (
    AsymmetricKernelWarning,
    is_symmetric,
    to_dense_symmetric,
)

K = np.array([[2.0, 1.0], [1.0, 3.0]])


def symmetrised(K: np.ndarray) -> np.ndarray:
    return to_dense_symmetric(K, is_symmetric(K))


def test_symmetric_matrices_pass_without_a_copy() -> None:
    assert symmetrised(K) is K


@pytest.mark.parametrize(
    ("dtype", "amount", "named"),
    [
        (np.float64, 1e-6, True),
        (np.float32, 1e-2, True),
        (np.float64, 1e-10, False),
        (np.float32, 1e-5, False),
    ],
)
def test_asymmetry_is_averaged_and_named_where_it_is_more_than_rounding(
    dtype: type, amount: float, named: bool, recwarn: pytest.WarningsRecorder
) -> None:
    skewed = K.astype(dtype)
    skewed[0, 1] += amount
    before = skewed.copy()
    result = symmetrised(skewed)
    np.testing.assert_array_equal(result, result.T)
    np.testing.assert_allclose(result[0, 1], 1 + amount / 2, rtol=1e-6)
    np.testing.assert_array_equal(skewed, before)
    assert [w.category for w in recwarn.list] == [AsymmetricKernelWarning] * named
    assert not named or "reaches 3.3e-0" in str(recwarn.list[0].message)


def test_rectangular_matrices_are_refused() -> None:
    with pytest.raises(ValueError, match="must be a square matrix"):
        symmetrised(np.ones((2, 3)))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csr_array])
def test_sizes_are_those_of_rows_dense_or_sparse(form: Any) -> None:
    np.testing.assert_array_equal(MatrixSource(form([[1.0, -3.0], [-3.0, 2.0]])).sizes(), [3, 3])
