"""The residual of eigenpairs from a sample of rows, where all rows would take hours."""

from __future__ import annotations

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel

from kpca.types import Floats

ROWS, COLUMNS = 2048, 4096


def sampled_residual(
    X: Floats, gamma: float, values: Floats, vectors: Floats, rows: int = ROWS
) -> float:
    """Estimate max_i ‖K̄a_i − λ_i a_i‖ / λ_1 from scikit-learn's kernel values, in float64.

    The residual r = K̄a − λa has mean zero, and its entries are those of K(I − 11ᵀ/n)a − λa less
    their mean: n times the variance over random rows is an unbiased estimate of ‖r‖². With at
    most `rows` points it is exact.
    """
    n = len(X)
    chosen = np.arange(n)
    if n > rows:
        chosen = np.random.default_rng(0).choice(n, rows, replace=False)
    centred = vectors - vectors.mean(axis=0)
    left = -vectors[chosen] * values
    for start in range(0, n, COLUMNS):
        part = slice(start, start + COLUMNS)
        left += rbf_kernel(X[chosen], X[part], gamma=gamma) @ centred[part]
    spread = left.var(axis=0, ddof=int(n > rows))
    return float(np.sqrt(n * spread.max()) / values[0])
