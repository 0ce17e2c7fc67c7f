"""Matrices that more than one test of the linear family needs."""

import numpy as np


def with_spectrum(n, d, singular_values, seed=0):
    """An n × d matrix with the given singular values and random singular vectors."""
    rng = np.random.default_rng(seed)
    k = len(singular_values)
    U = np.linalg.qr(rng.standard_normal((n, k)))[0]
    V = np.linalg.qr(rng.standard_normal((d, k)))[0]
    return (U * singular_values) @ V.T


def correlated(n=60, d=8, seed=0):
    """Centred data whose leading components mix several variables."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3)) @ rng.standard_normal((3, d)) + rng.standard_normal((n, d))
    return X - X.mean(axis=0)
