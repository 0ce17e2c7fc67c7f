"""Contributions: they add up, and they are the classical ones for linear PCA."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.novelty import STATISTICS, contributions

RING = np.column_stack([f(np.linspace(0, 2 * np.pi, 80)) for f in (np.cos, np.sin, np.zeros_like)])
X = RING + 0.05 * np.random.default_rng(0).normal(size=RING.shape)
NEW = np.array([[1.0, 0.0, 0.8], [0.2, 0.1, 0.0], [0.0, -1.0, 0.0]])


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


def test_unknown_statistics_are_refused() -> None:
    with pytest.raises(ValueError, match=r"hotelling.*residual.*got 'spe'"):
        contributions(KernelPCA(2).fit(X), NEW, statistic="spe")
