"""The number of components at one γ, or of any kernel matrix: held-out errors and stability."""

import numpy as np
from scipy.linalg import svdvals

from kpca.arguments import as_kernel_matrix, as_numbers, check_values
from kpca.model_selection.held_out import (
    Folds,
    as_folds,
    centred_fit,
    feature_errors,
    fits_without,
    leading,
    like,
)
from kpca.types import Floats


def one_standard_error(means: Floats, errors: Floats) -> int:
    """Give the first candidate whose mean error is within one standard error of the least mean.

    Parameters
    ----------
    means, errors : ndarray of shape (candidates,)
        Mean error of each candidate, the simplest first, and the standard error of that mean
        (`standard_errors`). A mean that is not finite does not count.

    Returns
    -------
    int
        Number of the candidate.

    Raises
    ------
    ValueError
        Where no mean is finite, or the two do not fit together.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and Regression Trees, §3.4.3.

    Examples
    --------
    >>> import numpy as np
    >>> one_standard_error(np.array([4.0, 2.1, 2.0]), np.array([0.3, 0.2, 0.1]))
    1
    """
    means, errors = as_numbers(means, "means"), as_numbers(errors, "errors")
    if means.shape != errors.shape:
        raise ValueError(f"errors must be one a mean: got {errors.size} for {means.size} means.")
    usable = np.where(np.isfinite(means), means, np.inf)
    best = int(usable.argmin())
    if not np.isfinite(usable[best]):
        raise ValueError("no candidate has a finite error: there is nothing to choose from.")
    if not 0 <= errors[best] < np.inf:
        raise ValueError(f"errors must be numbers from 0, got {errors[best]} at the least mean.")
    return int(np.argmax(usable <= usable[best] + errors[best]))


def standard_errors(errors: Floats) -> Floats:
    """Give the standard error of the mean of each column, one measurement a row.

    A single measurement has none, and 0 stands for it.
    """
    errors = as_numbers(errors, "errors", dimensions=(2,))
    if np.isinf(errors).any():
        raise ValueError("errors must be finite numbers, or NaN where there is none.")
    n = len(errors)
    if n < 2:
        return np.zeros(errors.shape[1])
    return errors.std(axis=0, ddof=1) / np.sqrt(n)


def choose_components(
    K: Floats,
    n_components: int,
    *,
    corrupted: Floats | None = None,
    folds: int | Folds = 5,
    seed: int = 0,
) -> int:
    """Choose the number of components by the held-out error in feature space.

    The fewest components whose mean error is within one standard error of the least. The
    error of rows as they are never rises with m, so that the choice is near the largest m;
    that of corrupted rows has a least value where more components would keep their noise.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    n_components : int
        Largest number to try.
    corrupted : ndarray of shape (n, n), optional
        k(x̃_i, x_j) of rows x̃_i that were corrupted, as by `kpca.choice.corrupt`.
    folds : int, or sequence of (kept, left out)
    seed : int
        Of the folds where they are drawn.

    Returns
    -------
    int
        At least 1.

    Raises
    ------
    TypeError, ValueError
        Naming the argument that cannot be used, before any fit.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca.choice import corrupt
    >>> rng = np.random.default_rng(0)
    >>> plane = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 10))  # two dimensions in ten
    >>> choose_components(plane @ plane.T, 8, corrupted=corrupt(plane, 0.3, seed=1) @ plane.T)
    2
    """
    K = as_kernel_matrix(K)
    check_values(n_components=n_components)
    if corrupted is not None:
        corrupted = like(corrupted, K)
    asked = leading(n_components, kernel="precomputed")
    parts = fits_without(asked, K, as_folds(len(K), folds, seed), corrupted)
    errors = feature_errors(parts, n_components)[:, 1:]
    return 1 + one_standard_error(errors.mean(axis=0), standard_errors(errors))


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

    Raises
    ------
    TypeError, ValueError
        Naming the argument that cannot be used, before any fit.

    References
    ----------
    Björck, Golub (1973), Numerical methods for computing angles between linear subspaces,
    Mathematics of Computation 27. Diaconis, Efron (1983), Computer-intensive methods in
    statistics, which bootstraps principal components.
    """
    K = as_kernel_matrix(K)
    check_values(n_components=n_components, draws=draws, seed=seed)
    n = len(K)
    axes = centred_fit(K, n_components).expansion().axes
    onto = axes.T @ K
    rng = np.random.default_rng(seed)
    angles = np.full((draws, n_components), np.nan)
    for draw in range(draws):
        counts = np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64)
        cosines = onto @ centred_fit(K, n_components, counts).expansion().axes
        for m in range(1, min(cosines.shape) + 1):
            own = np.minimum(svdvals(cosines[:m, :m]), 1.0)
            angles[draw, m - 1] = np.degrees(np.arccos(own)).mean()
    return angles
