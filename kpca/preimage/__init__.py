"""Pre-images: points of the input space for given scores, with one method per module."""

from collections.abc import Callable

import numpy as np

from kpca.kernels.registry import finite
from kpca.operators.expansion import Expansion
from kpca.preimage import fixed_point, mds, ridge
from kpca.preimage.base import WITH_FORMULA, PreImages, PreImageWarning, rms_spread
from kpca.types import Array, Matrix
from kpca.validation import check_memory, check_scores, warn

__all__ = ["METHODS", "WITH_FORMULA", "PreImageWarning", "PreImages", "find", "learn", "points"]

LEARNED = "ridge"  # the only method that needs ``fit_inverse_transform=True``

# (expansion, scores, start) → pre-images. Iterations begin at `start`; None means training points.
Search = Callable[[Expansion, Array, Matrix | None], PreImages]
SEARCHES: dict[str, Search] = {"fixed_point": fixed_point.find, "mds": mds.find}
METHODS = (LEARNED, *SEARCHES)
FLAT = 0.05  # `points` warns if pre-images spread less than this fraction of the data's spread


def check_room(n: int, budget: float) -> None:
    """Raise an error if learning pre-images of n points needs more memory than `budget`."""
    remedy = "raise memory_budget, or take preimage='fixed_point' or 'mds', which need no fit"
    purpose = f"fit_inverse_transform=True on n = {n} points needs"
    check_memory(purpose, ridge.BYTES * float(n) ** 2, budget, remedy)


def learn(expansion: Expansion, X: Matrix, alpha: float) -> tuple[Array, Array]:
    """Learn ridge pre-images, given the input points X that belong to the points of `expansion`.

    Returns the scores of these points, of shape (n, k), and coefficients of shape (n, d), which
    `find` takes as `learned`. A warning is issued if the distance between the mean of the learned
    pre-images and the mean of X is larger than the spread of X.
    """
    scores = expansion.point_scores
    coefficients = ridge.learn_coefficients(expansion.source, X, scores, alpha)
    # The residuals of a ridge regression are α times its coefficients.
    off = alpha * np.linalg.norm(coefficients.mean(axis=0))
    spread = rms_spread(X)
    if spread < off:
        warn(
            f"The mean of the learned pre-images is off by {off:.3g}, and the spread of the data "
            f"is {spread:.3g}: subtract the means of the columns, or use "
            "preimage='fixed_point'.",
            PreImageWarning,
        )
    return scores, coefficients


def find(
    method: str,
    expansion: Expansion,
    Z: Array,
    start: Matrix | None,
    learned: tuple[Array, Array] | None = None,
) -> PreImages:
    """Return pre-images of scores Z, of shape (m, k), by one of `METHODS`.

    Iterations begin at ``start``, of shape (m, d), or at points of the expansion if it is None.
    ``learned`` is the result of `learn`, which only "ridge" needs.

    Raises
    ------
    ValueError
        If the method is unknown or does not apply to the kernel, or if the number of columns of Z
        is not the number of components.
    """
    if method not in METHODS:
        raise ValueError(f"preimage must be one of {sorted(METHODS)}, got {method!r}.")
    check_scores(Z, len(expansion.eigenvalues), "model")
    if start is not None and start.shape[0] != Z.shape[0]:
        raise ValueError(f"start has {start.shape[0]} rows, and X {Z.shape[0]}: pass one each.")
    if learned is not None:
        return ridge.find(expansion.source, *learned, Z, expansion.n_threads)
    # If ‖P‖² overflows, distances to the projections P are not finite, so raise an error first.
    finite(expansion.squared_norms(Z.astype(np.float64)))
    return SEARCHES[method](expansion, Z, start)


def points(found: PreImages, expansion: Expansion, Z: Array, X: Matrix | None = None) -> Array:
    """Return the points of the pre-images `found` of scores Z, in the precision of Z.

    If Z are the scores of samples, X are these samples. A warning is issued if some pre-images did
    not converge, or if they are nearly equal although the samples (or scores, without X) differ.
    """
    if failed := int(np.count_nonzero(~found.converged)):
        warn(
            f"{failed} of {len(found.points)} pre-images did not converge; find_preimages "
            "says which, and how far they are. More components or a wider kernel help.",
            PreImageWarning,
        )
    if len(Z) > 1 and expansion.source.name != "precomputed":
        data = rms_spread(expansion.source.X)
        scores = np.sqrt(expansion.eigenvalues.sum() / expansion.centering.total)
        apart = rms_spread(Z) / (scores or 1.0) * data if X is None else rms_spread(X)
        if rms_spread(found.points) < FLAT * min(apart, data):
            warn(
                f"The pre-images are nearly the same point, within {FLAT:.0%} of the spread. "
                "Lower alpha or gamma, scale the data, or use preimage='fixed_point'.",
                PreImageWarning,
            )
    return found.points.astype(Z.dtype, copy=False)
