"""A symmetric matrix of known eigenpairs, for the searches."""

import numpy as np

N = 200
Q = np.linalg.qr(np.random.default_rng(0).normal(size=(N, N)))[0]
SPECTRUM = 0.93 ** np.arange(N)
A = (Q * SPECTRUM) @ Q.T


def product(V: np.ndarray) -> np.ndarray:
    return A @ V
