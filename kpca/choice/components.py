"""The number of components at one γ, or for any kernel matrix, by held-out reconstruction."""

from kpca.choice.errors import feature_errors
from kpca.choice.held_out import Folds, as_folds, fits_without, leading
from kpca.choice.rule import one_standard_error, standard_errors
from kpca.types import Floats


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

    Examples
    --------
    >>> import numpy as np
    >>> from kpca.choice import corrupt
    >>> rng = np.random.default_rng(0)
    >>> plane = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 10))  # two dimensions in ten
    >>> choose_components(plane @ plane.T, 8, corrupted=corrupt(plane, 0.3, seed=1) @ plane.T)
    2
    """
    asked = leading(n_components, kernel="precomputed")
    parts = fits_without(asked, K, as_folds(len(K), folds, seed), corrupted)
    errors = feature_errors(parts, n_components)[:, 1:]
    return 1 + one_standard_error(errors.mean(axis=0), standard_errors(errors))
