"""Kernel values far from one, in single and in double precision."""

import numpy as np
import pytest

from kpca import PCA, KernelPCA, LandmarkKernelPCA, exact_residuals, kernel_matrix
from kpca.eigensolvers.solve import SOLVERS
from kpca.kernels.registry import KERNELS
from tests.kpca.estimators import either
from tests.kpca.naive import NaiveKernelPCA

PIXELS = np.random.default_rng(0).integers(0, 256, (900, 30)).astype(float)
AWAY = 1e8
CLOUD = np.random.default_rng(1).normal(size=(160, 4)) * [4, 3, 2, 1]
FRESH = np.random.default_rng(2).normal(size=(20, 4))
SAMPLES = np.random.default_rng(3).normal(size=(1100, 4))
GAUSSIAN = kernel_matrix(SAMPLES, gamma=0.25)
EXPECTED = {
    n: KernelPCA(3, kernel="precomputed", eigen_solver="dense").fit(GAUSSIAN[:n, :n])
    for n in (80, 1100)
}
SCALES = [1e-96, 1e-30, 1e12, 1e90]


@pytest.mark.parametrize("degree", [3, 6])
def test_pixels_do_not_overflow_single_precision(degree: int) -> None:
    K = (PIXELS @ PIXELS.T + 1) ** degree
    naive = NaiveKernelPCA(K)
    for solver in ("davidson", "arpack"):
        model = KernelPCA(3, kernel="poly", degree=degree, gamma=1.0, eigen_solver=solver)
        scores = model.fit(PIXELS).transform(PIXELS[:5])
        assert model.residuals_.max() <= 1e-8
        np.testing.assert_allclose(model.eigenvalues_, naive.eigenvalues[:3], rtol=1e-6)
        ratios = model.explained_variance_ratio_
        np.testing.assert_allclose(ratios, naive.variance_ratios(3), rtol=1e-6)
        np.testing.assert_allclose(scores, naive.scores(K[:5], 3), rtol=1e-4)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("solver", list(SOLVERS))
def test_linear_points_far_from_the_origin_lose_nothing(solver: str, weighted: bool) -> None:
    weights = np.arange(160) % 3 + 0.5 if weighted else None
    far = CLOUD + AWAY  # rounded to 1e-8
    expected, found = (
        KernelPCA(4, eigen_solver=solver).fit(X, sample_weight=weights) for X in (far - AWAY, far)
    )
    np.testing.assert_array_equal(found.X_fit_, far)
    np.testing.assert_allclose(found.eigenvalues_, expected.eigenvalues_, rtol=1e-9)
    np.testing.assert_allclose(found.explained_variance_ratio_.sum(), 1, rtol=1e-9)
    assert found.residuals_.max() <= 1e-8
    assert exact_residuals(found, far).max() <= 1e-8
    if not weighted:
        np.testing.assert_allclose(found.kernel_means_, (far @ far.T).mean(axis=1), rtol=1e-12)
        np.testing.assert_allclose(found.eigenvalues_ / 159, PCA().fit(far).explained_variance_)


def test_where_single_precision_gets_no_further_corrections_are_in_double_precision() -> None:
    """Its errors are relative to K, whose largest eigenvalue centring takes off."""
    noise = np.random.default_rng(0).integers(0, 256, (300, 100)).astype(float)
    model = KernelPCA(3, kernel="poly", degree=3, gamma=0.01, eigen_solver="davidson").fit(noise)
    assert model.residuals_.max() <= 1e-8
    assert exact_residuals(model, noise).max() <= 1e-8


@pytest.mark.parametrize("kernel", ["laplacian", "anova", "matern32", "rbf"])
@pytest.mark.parametrize("scale", [1e-150, 1e-50, 1e50, 1e140])
def test_a_unit_of_the_features_is_one_over_that_of_gamma(kernel: str, scale: float) -> None:
    """Single precision holds neither features of such a size nor their γ."""
    power = KERNELS[kernel].median_power or 2  # anova has squares, too
    gamma = 0.3 / scale**power
    model = KernelPCA(3, kernel=kernel, gamma=gamma, degree=2, eigen_solver="davidson")
    plain = KernelPCA(3, kernel=kernel, gamma=0.3, degree=2, eigen_solver="dense")
    expected = plain.fit(CLOUD).eigenvalues_
    np.testing.assert_allclose(model.fit(CLOUD * scale).eigenvalues_, expected, rtol=1e-7)


def check_in_units(model: KernelPCA, scale: float, expected: np.ndarray) -> None:
    np.testing.assert_allclose(model.eigenvalues_ / scale, expected, rtol=1e-7)
    found = model.completeness_
    assert found.status == "open" or found.bound / scale < expected[0]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("solver", sorted({"auto", *SOLVERS, "nystrom"} - {"primal"}))
def test_weights_that_are_all_alike_change_the_unit_alone(solver: str, scale: float) -> None:
    for n in (80, 1100) if solver in ("auto", "arpack", "davidson") else (80,):
        model = either(3, kernel="rbf", gamma=0.25, eigen_solver=solver, n_landmarks=n)
        model.fit(SAMPLES[:n], sample_weight=np.full(n, scale))
        check_in_units(model, scale, EXPECTED[n].eigenvalues_)
        scores, expected = model.transform(SAMPLES[:5]), EXPECTED[n].transform(GAUSSIAN[:5, :n])
        np.testing.assert_allclose(np.abs(scores), np.abs(expected), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("solver", ["auto", "dense", "arpack", "randomized"])
def test_a_factor_of_a_kernel_matrix_is_one_of_the_eigenvalues(solver: str, scale: float) -> None:
    for n in (80, 1100) if solver in ("auto", "arpack") else (80,):
        K, expected = GAUSSIAN[:n, :n] * scale, EXPECTED[n].eigenvalues_
        model = KernelPCA(3, kernel="precomputed", eigen_solver=solver).fit(K)
        check_in_units(model, scale, expected)
        assert abs(model.lambda_min_) / scale < 2e-4 * expected[0]
        assert -0.1 < model.definiteness_.bound / scale / expected[0] < 1e-9
        assert exact_residuals(model, K).max() <= 1e-8


@pytest.mark.parametrize("scale", [1e-50, 1e-12, 1e3, 1e40])
@pytest.mark.parametrize("solver", ["dense", "primal", "davidson", "nystrom"])
def test_uncentred_linear_scores_have_no_mean(solver: str, scale: float) -> None:
    X = (np.random.default_rng(3).normal(5, 1.5, (60, 3))) * scale * 1e4
    model = either(2, center=False, eigen_solver=solver, n_landmarks=60).fit(X)
    left, values, _ = np.linalg.svd(X / scale, full_matrices=False)
    expected = np.abs(left * values)[:, :2]
    for scores in (model.fit_transform(X), model.transform(X)):
        np.testing.assert_allclose(np.abs(scores) / scale, expected, atol=1e-6 * expected.max())
    np.testing.assert_array_equal(model.kernel_means_, 0)
    assert (model.reconstruction_error(X) <= values[0] ** 2 * scale**2).all()


@pytest.mark.parametrize("scale", [1e-95, 1e-30, 1e95])
@pytest.mark.parametrize("kernel", ["linear", "precomputed"])
def test_a_unit_of_landmark_fits_is_one_of_the_eigenvalues(kernel: str, scale: float) -> None:
    root, rows, fresh, factor = scale**0.5, CLOUD, FRESH, scale**0.5
    if kernel == "precomputed":
        rows, factor = CLOUD @ CLOUD.T, scale
        fresh = rows[:9]
    options = {"kernel": kernel, "n_landmarks": 9, "landmarks": "uniform"}
    one, other = (LandmarkKernelPCA(2, **options).fit(rows * unit) for unit in (1, factor))
    scores = other.transform(fresh * factor) / root
    np.testing.assert_allclose(scores, one.transform(fresh), atol=1e-6)
    for name in ("eigenvalues_", "trace_error_"):
        values = getattr(other, name) / scale, getattr(one, name)
        np.testing.assert_allclose(*values, rtol=1e-7, atol=1e-9 * one.eigenvalues_[0])
    for name in ("residual_bounds_", "explained_variance_bounds_"):
        np.testing.assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("solver", ["arpack", "davidson"])
def test_scores_of_lightly_weighted_rows_are_those_of_transform(solver: str) -> None:
    rng = np.random.default_rng(0)
    X, weights = rng.standard_normal((1200, 4)), 10.0 ** rng.uniform(-6, 6, 1200)
    model = KernelPCA(20, kernel="rbf", eigen_solver=solver)
    fitted = model.fit_transform(X, sample_weight=weights)
    scores = model.transform(X)
    assert (abs(fitted - scores).max(axis=0) < 1e-5 * abs(scores).max(axis=0)).all()
