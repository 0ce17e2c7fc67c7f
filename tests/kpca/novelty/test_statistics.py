"""T², residuals, their limits and their shares of the variables."""

import tracemalloc
from typing import Any

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.inspection import sensitivity
from kpca.novelty import STATISTICS, contributions, hotelling, novelty_scores
from kpca.novelty.statistics import (
    SATURATED,
    conformal_limit,
    conformal_pvalues,
    false_discovery_limit,
)
from tests.kpca.naive import NaiveKernelPCA, kernel_matrix

RING = np.column_stack([f(np.linspace(0, 2 * np.pi, 80)) for f in (np.cos, np.sin, np.zeros_like)])
X = RING + 0.05 * np.random.default_rng(0).normal(size=RING.shape)
NEW = np.array([[1.0, 0.0, 0.8], [0.2, 0.1, 0.0], [0.0, -1.0, 0.0]])


def gaussian(n: int, d: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d)) * np.linspace(2, 0.5, d)


def test_hotelling_of_a_whole_linear_model_is_the_mahalanobis_distance() -> None:
    X, new = gaussian(100, 3, 0), gaussian(10, 3, 1)
    model = KernelPCA(5).fit(X)  # two components without variance are left out
    centred = new - X.mean(axis=0)
    expected = np.einsum("mi,ij,mj->m", centred, np.linalg.inv(np.cov(X.T, ddof=0)), centred)
    np.testing.assert_allclose(hotelling(model, new), expected, rtol=1e-8)
    np.testing.assert_allclose(hotelling(model, X).mean(), 3)


def test_residuals_are_those_of_the_definition_for_training_and_new_points() -> None:
    X, new = gaussian(50, 3, 0), gaussian(8, 3, 1)
    naive = NaiveKernelPCA(kernel_matrix(X, X, "rbf", gamma=0.3))
    model = KernelPCA(4, kernel="rbf", gamma=0.3).fit(X)
    given = KernelPCA(4, kernel="precomputed").fit(naive.K)
    for rows in (X, new):
        K, ones = kernel_matrix(rows, X, "rbf", gamma=0.3), np.ones(len(rows))
        own = 1 - 2 * K @ naive.mean + naive.mean @ naive.K @ naive.mean
        expected = own - np.square(naive.scores(K, 4)).sum(axis=1)
        np.testing.assert_allclose(model.reconstruction_error(rows), expected, atol=1e-7)
        np.testing.assert_allclose(given.reconstruction_error(K, ones), expected, atol=1e-7)
    with pytest.raises(ValueError, match="pass it as `diagonal`"):
        given.reconstruction_error(K)


FAR = np.array([[1e3, 0.0, 0.0], [1e6, 0.0, 0.0], [1e6, 0.0, 1e8]])


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
@pytest.mark.parametrize("center", [True, False])
def test_scores_go_on_rising_where_the_kernel_has_vanished(kernel: str, center: bool) -> None:
    model = KernelPCA(4, kernel=kernel, gamma=1.0, center=center).fit(X)
    residuals = model.reconstruction_error(FAR)
    np.testing.assert_allclose(residuals, residuals[0], rtol=1e-12)

    scores = novelty_scores(model, FAR, statistic="residual")
    power = 2 if kernel == "rbf" else 1
    nearest = (np.abs(FAR[:, None] - X) ** power).sum(axis=2).min(axis=1)
    np.testing.assert_allclose(scores, residuals[0] * (SATURATED + nearest), rtol=1e-9)

    near = novelty_scores(model, NEW, statistic="residual")
    errors = model.reconstruction_error(NEW)
    np.testing.assert_array_equal(near, errors)
    assert errors.max() < SATURATED * residuals[0]


def test_other_statistics_are_what_they_are() -> None:
    for options in ({"kernel": "linear"}, {"kernel": "poly", "degree": 2}):
        model = KernelPCA(2, **options).fit(X)
        for statistic, values in STATISTICS.items():
            found = novelty_scores(model, FAR, statistic=statistic)
            np.testing.assert_array_equal(found, values(model, FAR, None))


def test_pvalues_count_and_the_limit_agrees_with_them() -> None:
    calibration = np.sort(np.random.default_rng(0).integers(0, 12, 39).astype(float))
    scores = np.arange(-1.0, 13.0, 0.5)
    pvalues = conformal_pvalues(scores, calibration)
    counted = [(1 + (calibration >= score).sum()) / 40 for score in scores]
    np.testing.assert_allclose(pvalues, counted)
    for alpha in (0.025, 0.05, 0.1, 0.3, 0.5, 0.9):
        np.testing.assert_array_equal(
            scores > conformal_limit(calibration, alpha), pvalues <= alpha + 1e-12
        )
    assert conformal_limit(calibration, 0.02) == np.inf


def test_pvalues_of_ordinary_scores_are_uniform_or_larger() -> None:
    rng = np.random.default_rng(0)
    pvalues = [
        conformal_pvalues(draw[:1], np.sort(draw[1:]))[0] for draw in rng.normal(size=(2000, 20))
    ]
    for alpha in (0.05, 0.25, 0.5):
        assert np.mean(np.array(pvalues) <= alpha + 1e-12) == pytest.approx(alpha, abs=0.035)


def test_discoveries_are_those_of_benjamini_and_hochberg() -> None:
    pvalues = np.array([0.021, 0.5, 0.001, 0.02, 0.9])
    assert false_discovery_limit(pvalues, 0.05) == 0.021  # 0.02 > 0.02, and 0.021 <= 0.03
    assert false_discovery_limit(pvalues, 0.02) == 0.001
    assert false_discovery_limit(pvalues, 0.004) == 0
    assert false_discovery_limit(pvalues[:0], 0.5) == 0


@pytest.mark.parametrize("statistic", sorted(STATISTICS))
@pytest.mark.parametrize("reference", [None, [1.0, 0.0, 0.0]])
def test_they_add_up_to_the_rise_of_the_statistic(statistic: str, reference: Any) -> None:
    model = KernelPCA(4, kernel="rbf", gamma=1.0, preimage="fixed_point").fit(X)
    start = model.denoise(NEW) if reference is None else np.tile(reference, (3, 1))
    values = STATISTICS[statistic]
    expected = values(model, NEW, None) - values(model, start, None)
    shares = contributions(model, NEW, statistic=statistic, reference=reference)
    np.testing.assert_allclose(shares.sum(axis=1), expected, atol=1e-8 * np.abs(expected).max())


def test_of_linear_residuals_are_the_squared_residuals_of_the_variables() -> None:
    model = KernelPCA(2, preimage="fixed_point").fit(X)
    expected = np.square(NEW - model.denoise(NEW))
    np.testing.assert_allclose(contributions(model, NEW), expected, atol=1e-10)


def test_the_variable_that_is_off_gets_the_blame() -> None:
    model = KernelPCA(4, kernel="rbf", gamma=1.0, preimage="fixed_point").fit(X)
    shares = contributions(model, NEW[:1])[0]
    assert shares[2] > 0.95 * shares.sum()


@pytest.mark.parametrize("statistic", sorted(STATISTICS))
def test_gradients_of_all_points_are_never_held_at_once(
    statistic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    X = np.random.default_rng(0).normal(size=(300, 20))
    model = KernelPCA(20, kernel="rbf").fit(X[:50])
    expected = contributions(model, X, statistic=statistic, reference=X[0])
    monkeypatch.setattr(sensitivity, "GRADIENT_ENTRIES", 5000)
    tracemalloc.start()
    found = contributions(model, X, statistic=statistic, reference=X[0])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    np.testing.assert_allclose(found, expected, atol=1e-10)
    assert peak < 8 * 20 * X.size / 2  # bytes: half of an array (m, k, d)


def test_unknown_statistics_are_refused() -> None:
    with pytest.raises(ValueError, match=r"hotelling.*residual.*got 'spe'"):
        contributions(KernelPCA(2).fit(X), NEW, statistic="spe")
