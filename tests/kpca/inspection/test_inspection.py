"""Gradients, importances, contributions, variance ratios and what a second sample would show."""

import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from kpca import KernelPCA, exact_residuals, kernel_matrix
from kpca.inspection import contributions, reproducibility, sensitivity
from kpca.inspection.contributions import QuadratureWarning
from kpca.inspection.inflation import variance_ratios
from kpca.inspection.sensitivity import gradients, importance, statistic_gradients
from kpca.operators.sources import AsymmetricKernelWarning
from tests.kpca.estimators import either
from tests.kpca.naive import OF_DISTANCE, SEMIDEFINITE

CASES = {
    **{name: {"kernel": name, "gamma": 0.3, "degree": 3, "coef0": 0.5} for name in SEMIDEFINITE},
    "poly-homogeneous": {"kernel": "poly", "gamma": 0.3, "degree": 2, "coef0": 0.0},
    "anova-small": {"kernel": "anova", "gamma": 0.3, "degree": 0.5},
    "sigmoid": {"kernel": "sigmoid", "gamma": 0.1, "coef0": -0.2, "indefinite": "clip"},
    "uncentred": {"kernel": "rbf", "gamma": 0.4, "center": False},
    "landmarks": {"kernel": "rbf", "gamma": 0.4, "eigen_solver": "nystrom", "n_landmarks": 20},
}
pytestmark = pytest.mark.filterwarnings(
    "ignore::kpca.certificates.definiteness.IndefiniteKernelWarning"
)
STEP = 1e-5
RBF = {"kernel": "rbf", "gamma": 0.5}


def points(n, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 4)) * [1.0, 2.0, 0.5, 1.0] + 0.2


def differences(function, X):
    """Central differences, the variable on the last axis."""
    steps = STEP * np.eye(X.shape[1])
    return np.stack([(function(X + h) - function(X - h)) / (2 * STEP) for h in steps], axis=-1)


@pytest.mark.parametrize("options", CASES.values(), ids=CASES)
def test_gradients_are_finite_differences(options):
    model = either(3, **options).fit(points(60))
    X = points(9, 1)
    of_scores = differences(model.transform, X)
    assert_allclose(gradients(model, X), of_scores, atol=1e-7 * np.abs(of_scores).max())
    positive = model.reconstruction_error(X) > 0  # an indefinite kernel's negative ones are cut off
    assert positive.sum() >= 5
    of_residual = differences(model.reconstruction_error, X)
    slopes = statistic_gradients(model.expansion(), "residual", X)
    scale = np.abs(of_residual).max()
    assert_allclose(slopes[positive], of_residual[positive], atol=1e-6 * scale)


NEAR = np.round(points(30) * 64) / 64  # so that far points are exact
FAR = NEAR + 2.0**36
OF_DIFFERENCES = ["linear", "anova", *OF_DISTANCE]


@pytest.mark.parametrize("kernel", OF_DIFFERENCES)
def test_gradients_far_from_the_origin_keep_their_digits(kernel):
    near, far = (gradients(KernelPCA(2, kernel=kernel, gamma=1).fit(X), X) for X in (NEAR, FAR))
    assert_allclose(far, near, atol=1e-12)


@pytest.mark.parametrize("statistic", ["residual", "hotelling"])
@pytest.mark.parametrize("kernel", OF_DIFFERENCES)
def test_gradients_of_statistics_far_from_the_origin_keep_their_digits(kernel, statistic):
    models = (KernelPCA(2, kernel=kernel, gamma=1).fit(X) for X in (NEAR, FAR))
    near, far = (statistic_gradients(m.expansion(), statistic, m.X_fit_) for m in models)
    assert_allclose(far, near, atol=1e-11)


@pytest.mark.parametrize(("degree", "argument"), [(0.5, 0.0), (0.5, -2.0), (1.5, -2.0)])
def test_a_derivative_that_is_not_finite_is_refused(degree, argument):
    model = KernelPCA(1, kernel="poly", degree=degree, gamma=1, coef0=0).fit(np.eye(4) + 1)
    with pytest.raises(ValueError, match=f"coef0 is {argument:g}: take an integer"):
        gradients(model, np.full((1, 4), argument / 5))


def test_gradients_of_a_constant_kernel_are_zero():
    model = KernelPCA(1, kernel="poly", degree=0, coef0=0).fit(np.eye(4))
    assert_array_equal(gradients(model, np.zeros((1, 4))), np.zeros((1, 1, 4)))


def test_importances_of_the_linear_kernel_are_scaled_loadings():
    X = points(60)
    model = KernelPCA(2).fit(X)
    _, _, axes = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    expected = np.abs(axes[:2]) * X.std(axis=0)
    expected /= expected.sum(axis=1, keepdims=True)
    assert_allclose(importance(model), expected, atol=1e-7)


@pytest.mark.parametrize("options", CASES.values(), ids=CASES)
def test_no_components_have_no_gradients(options):
    model = either(**options | {"center": True}).fit(np.ones((12, 4)))
    assert gradients(model, points(9)).shape == (9, 0, 4)
    assert importance(model).shape == (0, 4)


def test_blocks_and_sparse_points_give_the_same(monkeypatch):
    X = points(60)
    new = points(20, 1)
    model = KernelPCA(3, kernel="rbf", gamma=0.4).fit(X)
    whole = gradients(model, new)
    monkeypatch.setattr(sensitivity, "GRADIENT_ENTRIES", 7 * 60)
    assert_allclose(gradients(model, new), whole, atol=1e-12)
    thin = KernelPCA(3, kernel="rbf", gamma=0.4).fit(sparse.csr_array(X))
    assert_allclose(gradients(thin, sparse.csr_array(new)), whole, atol=1e-6)


def test_gradients_and_halves_count_against_the_budget_and_importances_do_not():
    X = points(60)
    model = KernelPCA(3, kernel="rbf", memory_budget=1e5).fit(X)
    many = np.tile(X, (18, 1))  # 8 bytes times 1080 points, 3 components, 4 variables
    with pytest.raises(MemoryError, match=r"1080 points of 4 variables take about 1.04e\+05 bytes"):
        gradients(model, many)
    assert_allclose(importance(model, many), importance(model), rtol=1e-9)
    assert gradients(model, many[:1000]).shape == (1000, 3, 4)
    with pytest.raises(MemoryError, match="sample of the rows"):
        reproducibility(model.set_params(memory_budget=1e4))


def test_importance_of_repeated_samples_is_that_of_weights():
    X = points(40)
    weights = np.arange(40) % 3 + 1
    model = KernelPCA(2, kernel="rbf", gamma=0.1)
    weighted = importance(model.fit(X, sample_weight=weights))
    repeated = importance(model.fit(np.repeat(X, weights, axis=0)))
    assert_allclose(weighted, repeated, rtol=1e-6)


def test_contributions_whose_sum_is_off_are_warned_about():
    samples = points(60)
    model = KernelPCA(3, kernel="cauchy", gamma=30.0).fit(samples)
    with pytest.warns(QuadratureWarning, match=r"of row \d+ are off by"):
        contributions(model, samples[:5] * 2, reference=np.zeros(4))
    smooth = KernelPCA(3, kernel="cauchy", gamma=0.1).fit(samples)
    with warnings.catch_warnings(action="error", category=QuadratureWarning):
        for statistic in ("residual", "hotelling"):
            contributions(smooth, samples[:5] * 2, statistic=statistic, reference=np.zeros(4))


def test_contributions_that_are_exact_are_not_warned_about_if_the_statistic_is_negative():
    X = points(60)
    model = KernelPCA(2, kernel="sigmoid", gamma=1, coef0=-1).fit(X)
    with warnings.catch_warnings(action="error", category=QuadratureWarning):
        contributions(model, X, reference=X)


def test_leaving_out_each_point_is_the_textbook_leave_one_out():
    X = points(25)
    model = KernelPCA(2, kernel="rbf", gamma=0.2)
    scores = np.vstack([model.fit(np.delete(X, i, 0)).transform(X[[i]]) for i in range(25)])
    expected = (scores**2).mean(axis=0) / (model.fit_transform(X) ** 2).mean(axis=0)
    assert_allclose(variance_ratios(model, folds=25), expected, rtol=1e-6)
    # A component of eigenvalue zero has ratio one, and no components have none.
    X = np.column_stack([np.arange(12.0), np.zeros(12)])
    assert variance_ratios(KernelPCA(2).fit(X))[1] == 1
    assert variance_ratios(KernelPCA().fit(np.ones((6, 2)))).shape == (0,)


def values(model, **options):
    estimated = reproducibility(model, **options)
    parts = [
        estimated.half,
        estimated.estimate,
        estimated.at_least,
        estimated.at_most,
        estimated.single,
    ]
    return np.vstack([*parts, estimated.variances, estimated.variance_ratios])


def test_halves_by_hand():
    """Four splits of two quarterings, whose halves are fitted as models of their own."""
    X = points(40)
    rng = np.random.default_rng(3)
    expected = []
    for other in (1, 2, 3, 1):  # quarter that is in one half with the first
        if other == 1:
            quarter = np.argsort(rng.permutation(40)) // 10
        in_first = np.isin(quarter, [0, other])
        half = X[in_first], X[~in_first]
        axes = [KernelPCA(3, **RBF).fit(rows).expansion().axes for rows in half]
        cosines = axes[0].T @ kernel_matrix(*half, **RBF) @ axes[1]
        together = [np.square(cosines[:j, :j]).sum() / j for j in (1, 2, 3)]
        expected.append([together, np.square(cosines.diagonal())])
    estimated = reproducibility(KernelPCA(3, **RBF).fit(X), n_splits=4, seed=3)
    assert_allclose([estimated.half, estimated.single], np.mean(expected, axis=0), rtol=1e-6)


@pytest.mark.parametrize("center", [True, False])
def test_features_kernel_values_and_scales_give_the_same(center):
    X = points(80)[:, :3] + 5
    weights = np.arange(1.0, 81) % 3
    options = {"center": center, "eigen_solver": "dense"}
    primal = KernelPCA(3, center=center, eigen_solver="primal")
    estimated = values(primal.fit(X, sample_weight=weights))
    assert_allclose(estimated[[0, 2], -1], 1)  # the whole space comes back
    for kernel, samples, unit in (
        ("linear", X, 1),
        ("precomputed", X @ X.T, 1),
        ("linear", 1e30 * X, 1e60),
    ):
        dense = KernelPCA(3, kernel=kernel, **options).fit(samples, sample_weight=weights)
        same = values(dense)
        same[5:8] /= unit
        assert_allclose(same, estimated, rtol=1e-9)


def test_a_search_for_few_eigenpairs_changes_little(monkeypatch):
    """Lanczos in place of LAPACK."""
    model = KernelPCA(4, **RBF).fit(points(500))
    estimated = values(model, n_splits=2)
    module = sys.modules["kpca.inspection.reproducibility"]  # the function has its name
    monkeypatch.setattr(module, "OPTIONS", replace(module.OPTIONS, lanczos_rows=1000))
    assert_allclose(values(model, n_splits=2), estimated, atol=1e-3)


def test_rows_of_weight_zero_do_not_count():
    X = points(80)
    weights = np.tile([1.0, 2.0], 40)
    counting = np.arange(80) % 5 > 0
    of_counting = KernelPCA(3, **RBF).fit(X[counting], sample_weight=weights[counting])
    of_all = KernelPCA(3, **RBF).fit(X, sample_weight=weights * counting)
    assert_allclose(values(of_counting), values(of_all), rtol=1e-6)


def test_copies_in_groups_count_once():
    """Twenty rows, 16 times each: by rows most comes back, by groups as of twenty rows."""
    X = np.repeat(np.random.default_rng(0).normal(size=(20, 10)), 16, axis=0)
    model = KernelPCA(3, kernel="rbf", gamma=0.1).fit(X)
    plain = reproducibility(model)
    grouped = reproducibility(model, groups=np.repeat(np.arange(20), 16))
    assert grouped.half[2] < 0.3 < 0.6 < plain.half[2]
    wide, narrow = (np.diff(estimated.variances[::2], axis=0) for estimated in (grouped, plain))
    assert (wide > narrow).all()


def test_near_equal_eigenvalues_count_as_one():
    t = np.arange(64) * 2 * np.pi / 64
    model = KernelPCA(3).fit(np.column_stack([np.cos(t), np.sin(t), 0.1 * np.cos(2 * t)]))
    assert model.eigenvalue_groups_.tolist() == [0, 0, 1]
    estimated = values(model)
    assert_array_equal(estimated[:5, 0], estimated[:5, 1])


def test_sums_of_leading_eigenvalues_are_corrected_downwards():
    model = KernelPCA(3, **RBF).fit(np.random.default_rng(0).normal(size=(60, 8)))
    ends = reproducibility(model).variance_ratios
    assert (np.diff(ends, axis=0) > 0).all()  # low, estimate, high
    assert (ends[1] < np.cumsum(model.explained_variance_ratio_)).all()


def test_nothing_is_said_beyond_the_rank_of_a_part():
    model = KernelPCA(20, **RBF).fit(points(32))
    estimated = reproducibility(model)
    assert np.isnan(estimated.half[15:]).all()  # A half has 16 rows, which are centred.
    for ends in (estimated.estimate, estimated.at_least, estimated.at_most):
        assert np.isnan(ends[7:]).all()  # A quarter has 8 rows.
    assert np.isfinite(estimated.half[:15]).all()


def lopsided(x, y):
    return float(np.exp(-0.2 * np.square(x - y).sum()) + 0.05 * (x[0] > y[0]))


@pytest.mark.filterwarnings("ignore:The kernel matrix is not symmetric")
@pytest.mark.parametrize("kernel", ["precomputed", lopsided])
def test_exact_residuals_are_of_the_symmetric_part_that_was_fitted(kernel):
    X = points(60)
    if kernel == "precomputed":
        X = np.array([[lopsided(x, y) for y in X] for x in X])
    model = KernelPCA(3, kernel=kernel, indefinite="clip").fit(X)
    with pytest.warns(AsymmetricKernelWarning):
        assert exact_residuals(model, X).max() < 1e-8
    assert exact_residuals(model, X, n_rows=40).max() < 1e-12


def test_residuals_of_a_constant_kernel_are_relative_to_its_trace():
    X = points(60)
    model = KernelPCA(2, kernel="poly", degree=1, gamma=0.0, coef0=1e30).fit(X)
    assert exact_residuals(model, X).max() < 1e-12
    assert exact_residuals(model, X, n_rows=40).max() < 1e-12
