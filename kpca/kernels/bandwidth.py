"""The median heuristic for the width of a kernel."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kpca.kernels.registry import KERNELS, as_dense
from kpca.linalg.resources import blocks
from kpca.types import TINY, Array, Floats, Matrix
from kpca.validation import checked

MAX_EXACT = 256  # largest number of samples for which every pair is used
MAX_COPIES = 2.0**53  # largest sum of weights that counts copies, since all larger floats are whole
SAMPLED_PAIRS = 32_768  # number of random pairs if there are more than MAX_EXACT samples


def median_gamma(X: ArrayLike | Matrix, kernel: str = "rbf", *, seed: int = 0) -> float:
    """Return γ = 1 / median distance over pairs of distinct training samples.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d)
        Training samples.
    kernel : str, default="rbf"
        Kernel that γ is for: a function of a distance, such as "rbf", "laplacian" or "cauchy".
    seed : int, default=0
        Seed of the sample of pairs.

    Returns
    -------
    float
        γ, in units of one over the distance. It is 1.0 if all samples coincide, since every γ then
        gives the same kernel matrix.

    Raises
    ------
    ValueError
        If γ of this kernel is not an inverse distance, or X contains NaN or infinity.

    Notes
    -----
    The distance is the one in the formula of the kernel (see `kpca.kernel_matrix`): ‖x − y‖² or
    ‖x − y‖₁. With up to 256 samples, all pairs are used. With more samples, 32 768 pairs are drawn
    at random, from the seed.

    References
    ----------
    Garreau, Jitkrittum, Kanagawa (2017), Large sample analysis of the median heuristic.

    Examples
    --------
    >>> import numpy as np
    >>> median_gamma(np.array([[0.0], [1.0], [2.0]]))
    1.0
    """
    return weighted_median_gamma(kernel, checked(X, accept_sparse="csr"), None, seed)


def power_of(kernel: Any) -> int | None:
    """Return the power, 1 or 2, in the distance of a kernel, or None if it uses no distance."""
    return None if callable(kernel) or kernel not in KERNELS else KERNELS[kernel].median_power


def weighted_median_gamma(kernel: Any, X: Matrix, weights: Floats | None, seed: int = 0) -> float:
    """Return the `median_gamma` of weighted samples.

    If all weights are integers, a sample counts as that many copies. Otherwise, or if the weights
    sum to more than 2⁵³, pairs are drawn at random, with probabilities proportional to the weights.

    Raises
    ------
    ValueError
        If γ of this kernel is not an inverse distance, or float64 cannot hold γ.
    """
    power = power_of(kernel)
    if power is None:
        named = "a function" if callable(kernel) else repr(kernel)
        with_distance = sorted(name for name, record in KERNELS.items() if record.median_power)
        raise ValueError(
            f"The median distance is the width of the kernels {with_distance}, and kernel is "
            f"{named}: give gamma as a number."
        )
    pairs = _pairs(np.ones(X.shape[0]) if weights is None else weights, seed)
    distances = _distances(X, *pairs, power)
    positive = distances[distances > 0]
    if positive.size == 0:
        return 1.0
    # The median is 0 if more than half of the pairs coincide. Then use the other pairs only.
    median = float(np.median(distances)) or float(np.median(positive))
    if not TINY < median < 1 / TINY:
        raise ValueError(
            f"The median distance of the rows is {median:.3g}, and gamma, its inverse, is beyond "
            "float64: scale the data, or give gamma as a number."
        )
    return 1.0 / median


def _pairs(weights: Floats, seed: int) -> tuple[Array, Array]:
    """Return the indices i and j of pairs of samples; a sample of weight w counts w times."""
    ends = np.cumsum(weights)
    rng = np.random.default_rng(seed)
    if ends[-1] > MAX_COPIES or (weights != np.round(weights)).any():
        places = rng.random((2, SAMPLED_PAIRS)) * ends[-1]
        i, j = np.searchsorted(ends, places, side="right")
        return i[i != j], j[i != j]
    copies = int(ends[-1])
    if copies <= MAX_EXACT:
        pairs = np.triu_indices(copies, k=1)
    else:
        first = rng.integers(0, copies, SAMPLED_PAIRS)
        pairs = first, (first + rng.integers(1, copies, SAMPLED_PAIRS)) % copies
    i, j = np.searchsorted(ends, pairs, side="right")
    return i, j


def _distances(X: Matrix, i: Array, j: Array, power: int) -> Floats:
    """Return Σ_f |x_if − x_jf|^power of each pair, computed in blocks to limit memory."""
    out = np.empty(i.size)
    for rows in blocks(i.size, max(1, 4_000_000 // max(1, X.shape[1]))):
        # Convert before subtracting, because unsigned integers would wrap around.
        difference = X[i[rows]].astype(np.float64) - X[j[rows]].astype(np.float64)
        out[rows] = (np.abs(as_dense(difference)) ** power).sum(axis=1)
    return out
