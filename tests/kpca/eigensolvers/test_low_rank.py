"""Where few landmarks leave nothing, a fit ends without a search, and proves as much as one."""

from dataclasses import replace

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.eigensolvers import low_rank
from kpca.inspection import exact_residuals

RNG = np.random.default_rng(0)
PLANE = RNG.normal(size=(3000, 2))
REASON = "landmarks leave less than the tolerance"
DRAWN = RNG.uniform(0.2, 2, len(PLANE))


def fitted(X, weights=None, **options):
    options = {"kernel": "rbf", "gamma": 0.1, "eigen_solver": "davidson"} | options
    return KernelPCA(6, **options).fit(X, sample_weight=weights)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("weights", [None, DRAWN, DRAWN * 1e90], ids=["none", "drawn", "large"])
@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_it_is_as_exact_as_a_search(kernel, weights, center):
    options = {"kernel": kernel, "gamma": 0.1, "center": center}
    model = fitted(PLANE, weights, **options)
    again = fitted(PLANE, weights, **options)
    np.testing.assert_array_equal(again.eigenvectors_, model.eigenvectors_)
    true = fitted(PLANE, weights, eigen_solver="arpack", **options)
    assert REASON in model.solver_.reason
    unit = true.eigenvalues_[0]
    bounds = model.residual_bounds_
    assert (abs(model.eigenvalues_ - true.eigenvalues_) <= bounds * unit).all()
    assert bounds.max() < 1e-8
    assert (exact_residuals(model, PLANE) <= bounds).all()
    np.testing.assert_allclose(model.eigenvectors_.T @ model.eigenvectors_, np.eye(6), atol=1e-11)
    np.testing.assert_allclose(model.transform(PLANE[:9]), true.transform(PLANE[:9]), atol=1e-6)
    np.testing.assert_allclose(model.kernel_means_, true.kernel_means_, atol=1e-7)
    ratios = true.explained_variance_ratio_
    np.testing.assert_allclose(model.explained_variance_ratio_, ratios, rtol=1e-7)
    assert model.completeness_.status == "proven"
    assert np.isfinite(model.score_error_bounds_).all()


def test_points_that_no_sample_shows_become_landmarks(monkeypatch):
    """Each of some points is alone, and neither drawn nor far from the mean."""
    few = replace(low_rank.OPTIONS, drawn=500, farthest=5)
    monkeypatch.setattr(low_rank, "OPTIONS", few)
    corners = 6.0 * np.array([[i, j] for i in range(-3, 4) for j in (-3, 3)])
    ring = 40 * np.stack([np.cos(np.arange(9)), np.sin(np.arange(9))], axis=1)
    points = np.concatenate([PLANE, corners, ring])
    model = fitted(points, gamma=0.05)
    assert REASON in model.solver_.reason
    assert (exact_residuals(model, points) <= model.residual_bounds_).all()
    monkeypatch.setattr(low_rank, "OPTIONS", replace(few, rounds=1))
    assert REASON not in fitted(points, gamma=0.05).solver_.reason


@pytest.mark.parametrize(
    ("constants", "options"),
    [
        ({"max_landmarks": 20}, {}),
        ({"points_per_landmark": 1000}, {}),
        ({"rounds": 0}, {}),
        ({}, {"n_jobs": 1, "memory_budget": 5e6}),
    ],
)
def test_where_it_is_not_enough_a_search_follows(constants, options, monkeypatch):
    monkeypatch.setattr(low_rank, "OPTIONS", replace(low_rank.OPTIONS, **constants))
    model = fitted(PLANE, **options)
    assert REASON not in model.solver_.reason
    assert model.residuals_.max() <= 1e-8


def test_a_tolerance_below_rounding_is_left_to_a_search(monkeypatch):
    attempts = list[object]()
    monkeypatch.setattr(low_rank, "solve", attempts.append)
    # The kernel is wide: λ_1 is 0.02 of the trace before centering, or λ_12 is small.
    fitted(PLANE, tol=1e-8, gamma=0.005)
    KernelPCA(12, kernel="rbf", gamma=0.02, eigen_solver="davidson").fit(PLANE)
    fitted(PLANE, tol=1e-12)
    assert not attempts
