"""Rows for the tests of choosing."""

import numpy as np

from tests.kpca.naive import Matrix


def half_circle(n: int = 60, *, seed: int = 0) -> Matrix:
    """Rows along a half circle with a little noise: one dimension in two."""
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, np.pi, n)
    return np.column_stack([np.cos(t), np.sin(t)]) + rng.normal(0, 0.03, (n, 2))


def cloud(n: int = 40, d: int = 4, *, seed: int = 0) -> Matrix:
    """Gaussian rows whose variables differ in scale."""
    return np.random.default_rng(seed).normal(size=(n, d)) * np.arange(d, 0, -1) + 3.0
