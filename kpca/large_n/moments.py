"""One pass over the training points: mean and scatter of their features, and tr(K)."""

from dataclasses import dataclass

import numpy as np

from kpca.gram import Centering
from kpca.kernels import BoundKernel
from kpca.large_n.features import Features
from kpca.large_n.rows import Rows, add_up
from kpca.types import Array, Floats, Matrix


@dataclass(frozen=True, eq=False)
class Moments:
    """What the features of all points amount to.

    Attributes
    ----------
    mean : ndarray of shape (r,)
        Weighted mean of the features; zero without centring.
    scatter : ndarray of shape (r, r)
        Σ w_i (φ_i − mean)(φ_i − mean)ᵀ, which shares its nonzero eigenvalues with K̂̄.
    approximated : float
        tr(K̂) = Σ w_i ‖φ_i‖².
    diagonal : float
        tr(K) = Σ w_i k(x_i, x_i).
    """

    mean: Floats
    scatter: Floats
    approximated: float
    diagonal: float


def moments(
    rows: Rows,
    features: Features,
    kernel: BoundKernel,
    centering: Centering,
    near: Matrix,
    n_threads: int,
) -> Moments:
    """Go through the points once.

    The scatter is taken about the features of a few points and moved to the mean afterwards, so
    that little is lost to cancellation where the mean is large.

    Parameters
    ----------
    rows : Rows
    features : Features
    kernel : BoundKernel
        Gives k(x, x).
    centering : Centering
    near : array of shape (·, d)
        Points whose mean feature is near that of all.
    n_threads : int
    """
    weights, center = centering.weights, centering.center
    origin = features(near).mean(axis=0) if center else np.zeros(features.width)

    def work(X: Matrix, where: slice) -> tuple[Array, ...]:
        own = np.ones(X.shape[0]) if weights is None else weights[where]
        shifted = features(X) - origin
        rooted = shifted if weights is None else shifted * np.sqrt(own)[:, None]
        return rooted.T @ rooted, own @ shifted, own @ kernel.diagonal(X)

    scatter, sums, diagonal = add_up(rows, work, n_threads)
    offset = sums / centering.total
    mean = origin + offset
    scatter -= centering.total * np.outer(offset, offset) * center
    approximated = float(np.trace(scatter)) + centering.total * float(mean @ mean) * center
    return Moments(mean * center, scatter, approximated, float(diagonal))
