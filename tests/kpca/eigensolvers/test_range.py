"""Kernel values far from one, in single and in double precision."""

import numpy as np
import pytest
from sklearn.base import clone

from kpca import KernelPCA, exact_residuals, kernel_matrix
from kpca.kernels.registry import KERNELS
from tests.kpca.estimators import either
from tests.kpca.naive import NaiveKernelPCA

PIXELS = np.random.default_rng(0).integers(0, 256, (900, 30)).astype(float)
# Errors in single precision are relative to K, whose largest eigenvalue centring takes off.
NOISE = np.random.default_rng(0).integers(0, 256, (300, 100)).astype(float)
CLOUD = np.random.default_rng(1).normal(size=(160, 4)) * [4, 3, 2, 1]
SAMPLES = np.random.default_rng(3).normal(size=(1100, 4))
GAUSSIAN = kernel_matrix(SAMPLES, gamma=0.25)


@pytest.mark.parametrize(
    ("samples", "gamma", "degree"), [(PIXELS, 1.0, 3), (PIXELS, 1.0, 6), (NOISE, 0.01, 3)]
)
def test_large_values_are_as_exact_as_others(samples, gamma, degree):
    """They overflow single precision."""
    K = (gamma * samples @ samples.T + 1) ** degree
    naive = NaiveKernelPCA(K)
    for solver in ("davidson", "arpack"):
        model = KernelPCA(3, kernel="poly", degree=degree, gamma=gamma, eigen_solver=solver)
        scores = model.fit(samples).transform(samples[:5])
        assert model.residuals_.max() <= 1e-8
        assert exact_residuals(model, samples).max() <= 1e-8
        np.testing.assert_allclose(model.eigenvalues_, naive.eigenvalues[:3], rtol=1e-6)
        ratios = model.explained_variance_ratio_
        np.testing.assert_allclose(ratios, naive.variance_ratios(3), rtol=1e-6)
        np.testing.assert_allclose(scores, naive.scores(K[:5], 3), rtol=1e-4)


@pytest.mark.parametrize("kernel", ["laplacian", "anova", "matern32", "rbf"])
@pytest.mark.parametrize("scale", [1e-150, 1e-50, 1e50, 1e140])
def test_a_unit_of_the_features_is_one_over_that_of_gamma(kernel, scale):
    """Single precision holds neither features of such a size nor their γ."""
    power = KERNELS[kernel].median_power or 2  # anova has squares, too
    gamma = 0.3 / scale**power
    model = KernelPCA(3, kernel=kernel, gamma=gamma, degree=2, eigen_solver="davidson")
    plain = KernelPCA(3, kernel=kernel, gamma=0.3, degree=2, eigen_solver="dense")
    expected = plain.fit(CLOUD).eigenvalues_
    np.testing.assert_allclose(model.fit(CLOUD * scale).eigenvalues_, expected, rtol=1e-7)


STORED = ["auto", "dense", "arpack", "randomized", "nystrom"]
# What has a unit, and the solvers that take it.
UNITS = {
    "weights": [*STORED, "davidson"],
    "matrix": STORED,
    "samples": ["dense", "primal", "davidson", "nystrom"],
    "uncentred samples": ["dense", "primal", "davidson", "nystrom"],
}


@pytest.mark.parametrize("scale", [1e-96, 1e-30, 1e12, 1e90])
@pytest.mark.parametrize(
    ("unit", "solver"), [(unit, solver) for unit in UNITS for solver in UNITS[unit]]
)
def test_a_unit_is_one_of_the_eigenvalues(unit, solver, scale):
    for n in (80, 1100) if solver in ("auto", "arpack") else (80,):
        rows = SAMPLES[:n]
        factor = scale**0.5
        weights = None
        kernel = "linear"
        if unit == "weights":
            factor = 1.0
            weights = np.full(n, scale)
            kernel = "rbf"
        elif unit == "matrix":
            rows = GAUSSIAN[:n, :n]
            factor = scale
            kernel = "precomputed"
        options = {"kernel": kernel, "gamma": 0.25, "landmarks": "uniform", "n_landmarks": 9}
        model = either(3, eigen_solver=solver, center=unit != "uncentred samples", **options)
        plain = clone(model).fit(rows)
        expected = plain.transform(rows[:5])
        largest = plain.eigenvalues_[0]
        scores = model.fit(rows * factor, sample_weight=weights).transform(rows[:5] * factor)
        if weights is None:
            scores /= scale**0.5
        np.testing.assert_allclose(model.eigenvalues_ / scale, plain.eigenvalues_, rtol=1e-7)
        np.testing.assert_allclose(abs(scores), abs(expected), rtol=1e-5, atol=1e-6)
        digits = np.log10(model.score_error_bounds_), np.log10(plain.score_error_bounds_)
        np.testing.assert_allclose(*digits, atol=2)
        claim = model.completeness_
        assert claim.status == "open" or claim.bound / scale < largest
        assert abs(model.lambda_min_) / scale < 2e-4 * largest
        assert -0.1 < model.definiteness_.bound / scale / largest < 1e-9
        if solver == "nystrom":
            missed = model.trace_error_ / scale
            np.testing.assert_allclose(missed, plain.trace_error_, rtol=1e-7, atol=1e-9 * largest)
            for name in ("residual_bounds_", "explained_variance_bounds_"):
                bounds = getattr(model, name), getattr(plain, name)
                np.testing.assert_allclose(*bounds, rtol=1e-6, atol=1e-12)
        else:
            assert exact_residuals(model, rows * factor).max() <= 1e-8


@pytest.mark.parametrize("solver", ["arpack", "davidson"])
def test_scores_of_lightly_weighted_rows_are_those_of_transform(solver):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1200, 4))
    weights = 10.0 ** rng.uniform(-6, 6, 1200)
    model = KernelPCA(20, kernel="rbf", eigen_solver=solver)
    fitted = model.fit_transform(X, sample_weight=weights)
    scores = model.transform(X)
    assert (abs(fitted - scores).max(axis=0) < 1e-5 * abs(scores).max(axis=0)).all()
