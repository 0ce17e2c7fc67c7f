"""Rows for the tests of choosing."""

import numpy as np

from tests.kpca.naive import Matrix


def cloud(n: int = 40, d: int = 4, *, seed: int = 0) -> Matrix:
    """Gaussian rows whose variables differ in scale."""
    return np.random.default_rng(seed).normal(size=(n, d)) * np.arange(d, 0, -1) + 3.0
