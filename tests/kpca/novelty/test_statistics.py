"""T², residuals, their limits and their shares of the variables."""

import tracemalloc
from typing import Any

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.inspection import sensitivity
from kpca.novelty import STATISTICS, contributions, hotelling, hotelling_limit, residual_limit
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


@pytest.mark.parametrize("false_alarm", [0.01, 0.05, 0.2])
def test_limits_hold_for_gaussian_data(false_alarm: float) -> None:
    """Limits of 30 draws, each tried on 1000 points."""
    beyond = {"hotelling": [], "residual": []}
    for seed in range(30):
        X, new, more = (gaussian(60, 8, 3 * seed + part) for part in range(3))
        new = np.vstack([new, gaussian(1000, 8, 1000 + seed)])
        model = KernelPCA(3).fit(X)
        beyond["hotelling"].append(
            (hotelling(model, new) > hotelling_limit(60, 3, false_alarm)).mean()
        )
        limit = residual_limit(model.reconstruction_error(more), false_alarm)
        beyond["residual"].append((model.reconstruction_error(new) > limit).mean())
    assert np.mean(beyond["hotelling"]) == pytest.approx(false_alarm, rel=0.35, abs=0.006)
    assert np.mean(beyond["residual"]) == pytest.approx(false_alarm, rel=0.35, abs=0.006)


def test_limits_of_degenerate_cases() -> None:
    assert residual_limit(np.zeros(5)) == 0
    assert residual_limit(np.full(5, 2.0)) == 2
    with pytest.raises(ValueError, match="5 components of 5 points"):
        hotelling_limit(5, 5)


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
    monkeypatch.setattr(sensitivity, "ENTRIES", 5000)
    tracemalloc.start()
    found = contributions(model, X, statistic=statistic, reference=X[0])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    np.testing.assert_allclose(found, expected, atol=1e-10)
    assert peak < 8 * 20 * X.size / 2  # bytes: half of an array (m, k, d)


def test_unknown_statistics_are_refused() -> None:
    with pytest.raises(ValueError, match=r"hotelling.*residual.*got 'spe'"):
        contributions(KernelPCA(2).fit(X), NEW, statistic="spe")
