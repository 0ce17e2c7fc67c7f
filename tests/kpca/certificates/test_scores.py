"""Groups of near-equal eigenvalues, and bounds on their scores by hand."""

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.certificates.scores import groups, score_errors
from tests.kpca.certificates.test_no_certificate_says_too_much import centred
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


@pytest.mark.parametrize("exponent", [-300, -100, 100, 300])
def test_bounds_hold_at_any_scale(exponent: int) -> None:
    c = 2.0**exponent
    expected = score_errors(VALUES, NORMS, groups(VALUES, NORMS), 0.5)
    found = score_errors(VALUES * c, NORMS * c, groups(VALUES * c, NORMS * c), 0.5 * c)
    np.testing.assert_array_equal(found, expected * c**0.5)


@pytest.mark.parametrize("solver", ["dense", "nystrom"])
@pytest.mark.parametrize("weight", [1e-100, 1e-50, 1e50, 1e100])
@pytest.mark.filterwarnings("error")
def test_the_bounds_of_a_fit_do_not_depend_on_the_size_of_its_weights(
    weight: float, solver: str
) -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    asked = {"kernel": "rbf", "eigen_solver": solver, "n_landmarks": 30}
    expected = either(3, **asked).fit(X).score_error_bounds_
    found = either(3, **asked).fit(X, sample_weight=np.full(60, weight)).score_error_bounds_
    np.testing.assert_allclose(found, expected, rtol=0.01)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_the_bounds_of_a_share_of_the_variance_are_read(share: float) -> None:
    """The search has decided more components than the share keeps."""
    X = np.random.default_rng(0).standard_t(1.0, size=(87, 3))
    model = KernelPCA(share, kernel="rbf", gamma=0.0035, eigen_solver="davidson").fit(X)
    assert model.score_error_bounds_.shape == model.eigenvalues_.shape
    assert model.certified_components_ <= len(model.eigenvalues_)


def hollow(x: np.ndarray, y: np.ndarray) -> float:
    """Return a kernel value of zero for equal rows, on which rounding was once measured."""
    return -float(np.abs(x - y).sum())


def test_residuals_of_kernels_with_a_diagonal_of_zeros_include_their_rounding() -> None:
    """Of 60 classical scalings by −D²/2, in long double, 24 had a larger residual than was said."""
    rng = np.random.default_rng(0)
    for n in rng.integers(3, 60, size=60):
        Y = rng.normal(size=(n, 3))
        K = -((Y[:, None] - Y) ** 2).sum(axis=2) / 2
        model = KernelPCA(2, kernel="precomputed").fit(K)
        exact = centred(K.astype(np.longdouble), None, True)
        vectors = model.eigenvectors_.astype(np.longdouble)
        left = np.asarray(exact @ vectors - vectors * model.eigenvalues_, dtype=float)
        residuals = np.linalg.norm(left, axis=0) / model.eigenvalues_[0]
        assert (residuals <= model.residuals_).all()
        assert model.residuals_.max() < 1e-13
    for scale in (1.0, 1e-99):
        model = KernelPCA(2, kernel=hollow).fit(np.eye(3)[[0, 0, 1, 1, 2, 2]] * scale)
        assert (model.residuals_ > 0).all()
        assert (model.score_error_bounds_ > 0).all()
