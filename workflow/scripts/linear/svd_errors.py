"""How far a randomized SVD is from the best one: spectrum, power iterations, normaliser."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd
from sklearn.utils.extmath import randomized_range_finder

from pipeline.job import script
from pipeline.seeds import seed_for

NORMALIZERS = ("none", "LU", "QR")


def expected_spectral_error(
    singular_values: np.ndarray, n_components: int, n_oversamples: int, n_iter: int
) -> float:
    """Return the bound on E‖X − QQᵀX‖₂ (Halko, Martinsson and Tropp 2011, corollary 10.10).

    With k components, p ≥ 2 oversamples, q power iterations and s = 2q + 1::

        [(1 + √(k/(p−1))) σ_{k+1}^s + e √(k+p)/p (Σ_{j>k} σ_j^{2s})^{1/2}]^{1/s}
    """
    k, p, s = n_components, n_oversamples, 2 * n_iter + 1
    tail = singular_values[k:]
    # Relative to σ_{k+1}: σ^{2s} itself under- or overflows for q above a few.
    spread = np.sqrt(np.sum((tail / tail[0]) ** (2 * s)))
    factor = 1 + np.sqrt(k / (p - 1)) + np.e * np.sqrt(k + p) / p * spread
    return float(tail[0] * factor ** (1 / s))


@script
def randomized_errors(
    *,
    seed: int,
    shape: tuple[int, int] = (300, 200),
    n_components: int = 10,
    n_oversamples: int = 10,
    n_iters: Sequence[int] = range(7),
    draws: int = 10,
) -> pd.DataFrame:
    """Measure ‖X − QQᵀX‖₂ for every spectrum, number of power iterations, normaliser and draw."""
    rows, seed = [], seed_for(seed, "linear", "svd")
    index = np.arange(1, shape[1] + 1)
    size = n_components + n_oversamples
    for name, spectrum in {"flat": index**-0.5, "steep": 0.5**index}.items():
        rng = np.random.default_rng(seed)
        U, V = (np.linalg.qr(rng.standard_normal((n, shape[1])))[0] for n in shape)
        X = (U * spectrum) @ V.T
        best = spectrum[n_components]
        for q, normalizer, draw in product(n_iters, NORMALIZERS, range(draws)):
            bound = expected_spectral_error(spectrum, n_components, n_oversamples, q)
            options = {"power_iteration_normalizer": normalizer, "random_state": seed + draw}
            Q = randomized_range_finder(X, size=size, n_iter=q, **options)
            error = np.linalg.norm(X - Q @ (Q.T @ X), 2)
            rows.append((name, normalizer, q, draw, error / best, bound / best))
    columns = ["spectrum", "normalizer", "n_iter", "draw", "error", "bound"]
    return pd.DataFrame(rows, columns=columns)
