import numpy as np
import pytest
import scipy.sparse

from kpca.linear.svd import axis_signs, svd
from tests.kpca.linear.matrices import with_spectrum

METHODS = ["full", "truncated", "randomized"]
SHAPES = [(60, 25), (25, 60)]
SPECTRUM = 0.5 ** np.arange(25)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", SHAPES)
class TestEveryMethod:
    def test_finds_the_leading_triplets(self, method, shape):
        X = with_spectrum(*shape, SPECTRUM)
        found = svd(X, 6, method=method)
        np.testing.assert_allclose(found.s, SPECTRUM[:6], rtol=1e-10)
        np.testing.assert_allclose(found.U.T @ found.U, np.eye(6), atol=1e-12)
        np.testing.assert_allclose(found.Vt @ found.Vt.T, np.eye(6), atol=1e-12)
        assert found.residuals.max() < 1e-7
        again = svd(X, 6, method=method)
        assert found.U.tobytes() == again.U.tobytes()

    def test_errors_are_those_of_the_difference(self, method, shape):
        X = with_spectrum(*shape, np.linspace(2, 1, 25))
        found = svd(X, 6, method=method, n_iter=1)
        rest = X - (found.U * found.s) @ found.Vt
        assert found.frobenius_error == pytest.approx(np.linalg.norm(rest), rel=1e-10)
        true = np.linalg.norm(rest, 2)
        assert true <= found.frobenius_error
        left = np.linalg.norm(X @ found.Vt.T - found.U * found.s, axis=0)
        right = np.linalg.norm(X.T @ found.U - found.Vt.T * found.s, axis=0)
        expected = np.maximum(left, right) / found.s[0]
        np.testing.assert_allclose(found.residuals, expected, atol=1e-14)


@pytest.mark.parametrize("method", ["truncated", "randomized"])
def test_sparse_matrix_gives_what_the_dense_one_gives(method):
    X = scipy.sparse.random_array((50, 30), density=0.2, rng=0, format="csr")
    sparse, dense = svd(X, 4, method=method, n_iter=30), svd(X.toarray(), 4, method="full")
    np.testing.assert_allclose(sparse.s, dense.s, rtol=1e-6)
    assert sparse.frobenius_error == pytest.approx(dense.frobenius_error, rel=1e-6)


def test_matrix_of_zeros_has_zero_error():
    found = svd(np.zeros((4, 3)), 2)
    assert found.frobenius_error == 0
    np.testing.assert_array_equal(found.residuals, 0)


@pytest.mark.parametrize(
    ("X", "arguments", "message"),
    [
        (
            np.ones((8, 5)),
            {"method": "lanczos"},
            "method must be one of .*got 'lanczos'",
        ),
        (np.ones((8, 5)), {"n_components": 0}, "an integer from 1 to 5"),
        (np.ones((8, 5)), {"n_components": 6}, "an integer from 1 to 5"),
        (np.ones((8, 5)), {"n_components": 5, "method": "truncated"}, 'below min.*use "full"'),
        (
            np.ones((8, 5)),
            {"method": "randomized", "normalizer": "lu"},
            "normalizer .*'LU'.*got 'lu'",
        ),
        (scipy.sparse.eye_array(4), {}, 'use "truncated" or "randomized"'),
        (np.ones(4), {}, "Expected 2D array"),
        ([[np.nan, 1.0]], {}, "X contains NaN"),
        (np.full((5, 4), np.nan), {"method": "truncated", "n_components": 1}, "X contains NaN"),
        (np.empty((0, 2)), {}, r"0 sample\(s\)"),
        (np.ones((8, 5)), {"n_components": 1.5}, "n_components must be an integer"),
        (np.ones((8, 5)), {"method": ["full"]}, "method must be one of"),
        (np.ones((8, 5)), {"method": "randomized", "n_iter": -1}, "n_iter must be an integer"),
        (np.ones((8, 5)), {"n_oversamples": 1.5}, "n_oversamples must be an integer"),
    ],
)
def test_refusals_name_the_remedy(X, arguments, message):
    with pytest.raises(ValueError, match=message):
        svd(X, **arguments)


def test_largest_entry_becomes_positive_whatever_the_sign_before():
    axes = np.random.default_rng(0).standard_normal((5, 4))
    signed = axes * axis_signs(axes)[:, None]
    np.testing.assert_array_equal(signed.max(axis=1), np.abs(axes).max(axis=1))
    np.testing.assert_array_equal(-axes * axis_signs(-axes)[:, None], signed)
