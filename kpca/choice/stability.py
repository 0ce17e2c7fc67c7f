"""Stability of the subspace of the leading components under the bootstrap."""

import numpy as np
from scipy.linalg import svdvals

from kpca.choice.held_out import centred_fit
from kpca.subspace import Subspace
from kpca.types import Floats


def bootstrap_angles(K: Floats, n_components: int, *, draws: int = 20, seed: int = 0) -> Floats:
    """Give the mean principal angle between the subspace of all rows and that of a resample.

    With V = ΦC the leading m axes of all rows and V′ = ΦC′ those of the resample, the cosines
    of the principal angles are the singular values of VᵀV′ = CᵀKC′. A resample is a weighted
    fit: a row that was drawn twice counts twice.

    Small angles mean that another sample would have given the same subspace. They do not say
    that it is a good one: a wide kernel tends to linear PCA, which is hard to beat in
    stability, so that the angle may choose m at one γ and not γ.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    n_components : int
        Largest m.
    draws : int
        Resamples of n rows.
    seed : int
        Of the resamples.

    Returns
    -------
    ndarray of shape (draws, n_components)
        Degrees, for m = 1, 2, …; NaN beyond the rank.

    References
    ----------
    Björck, Golub (1973), Numerical methods for computing angles between linear subspaces,
    Mathematics of Computation 27. Diaconis, Efron (1983), Computer-intensive methods in
    statistics, which bootstraps principal components.
    """
    n = len(K)
    axes = Subspace(centred_fit(K, n_components)).axes
    onto = axes.T @ K
    rng = np.random.default_rng(seed)
    angles = np.full((draws, n_components), np.nan)
    for draw in range(draws):
        counts = np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64)
        cosines = onto @ Subspace(centred_fit(K, n_components, counts)).axes
        for m in range(1, min(cosines.shape) + 1):
            angles[draw, m - 1] = _mean_angle(cosines[:m, :m])
    return angles


def _mean_angle(cosines: Floats) -> float:
    return float(np.degrees(np.arccos(np.minimum(svdvals(cosines), 1.0))).mean())
