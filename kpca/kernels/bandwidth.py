"""The median heuristic for the width of a kernel."""

from typing import Any

import numpy as np

from kpca.kernels.registry import KERNELS, is_sparse
from kpca.linalg.row_blocks import blocks
from kpca.types import Array, Floats, Matrix

MAX_EXACT = 256  # up to here every pair is used; above, as many pairs are drawn
SAMPLED_PAIRS = 32_768


def median_gamma(X: Matrix, kernel: str = "rbf", *, seed: int = 0) -> float:
    """Give γ = 1 / median distance over pairs of distinct training points.

    The distance is ‖x − y‖² for every kernel but the laplacian, where it is ‖x − y‖₁.
    Up to 256 points use all their pairs; more points use a seeded sample of 32 768 pairs.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    kernel : str
        Name of the kernel that γ is for.
    seed : int
        Seed of the sample of pairs.

    Returns
    -------
    float
        1.0 where all points coincide, since every γ then gives the same kernel matrix.

    References
    ----------
    Garreau, Jitkrittum, Kanagawa (2017), Large sample analysis of the median heuristic.

    Examples
    --------
    >>> import numpy as np
    >>> median_gamma(np.array([[0.0], [1.0], [2.0]]))
    1.0
    """
    i, j = _pairs(X.shape[0], seed)
    if i.size == 0:
        return 1.0
    distances = _distances(X, i, j, power=1 if kernel == "laplacian" else 2)
    median = float(np.median(distances))
    if median == 0:  # more than half of the pairs coincide: use those that do not
        positive = distances[distances > 0]
        median = float(np.median(positive)) if positive.size else 1.0
    return 1.0 / median


def resolve_gamma(gamma: Any, kernel: Any, X: Matrix, weights: Floats | None = None) -> float:
    """Give γ as a number: None means 1/d, and "median" the `median_gamma` of weighted points.

    Raises
    ------
    ValueError
        For the median of a kernel without a name.
    """
    if gamma is None:
        return 1 / X.shape[1]
    if gamma != "median":
        return float(gamma)
    if kernel not in KERNELS:
        raise ValueError("gamma='median' needs a kernel by name: give gamma as a number.")
    return median_gamma(X if weights is None else X[weights > 0], kernel)


def _pairs(n: int, seed: int) -> tuple[Array, Array]:
    if n <= MAX_EXACT:
        i, j = np.triu_indices(n, k=1)
        return i, j
    rng = np.random.default_rng(seed)
    i = rng.integers(0, n, SAMPLED_PAIRS)
    return i, (i + rng.integers(1, n, SAMPLED_PAIRS)) % n


def _distances(X: Matrix, i: Array, j: Array, power: int) -> Floats:
    """Σ_f |x_if − x_jf|^power, over blocks of pairs so that memory stays small."""
    out = np.empty(i.size)
    for rows in blocks(i.size, max(1, 4_000_000 // max(1, X.shape[1]))):
        # Before the difference: whole numbers without a sign would wrap around.
        difference = X[i[rows]].astype(np.float64) - X[j[rows]].astype(np.float64)
        dense = difference.toarray() if is_sparse(X) else difference
        out[rows] = (np.abs(dense) ** power).sum(axis=1)
    return out
