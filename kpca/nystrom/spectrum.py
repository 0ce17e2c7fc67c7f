"""Two passes over the points: the scatter of their features, and the eigenvectors of K̂̄ from it."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from kpca.eigensolvers.eigenpairs import signs
from kpca.nystrom.accuracy import Probe
from kpca.nystrom.landmarks import LandmarkFeatures
from kpca.nystrom.passes import add_up
from kpca.nystrom.streaming import Rows
from kpca.operators import Centering
from kpca.types import Array, Floats, Matrix

RELATIVE_ZERO = 1e-12  # of the trace


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
    features: LandmarkFeatures,
    centering: Centering,
    near: Matrix,
    n_threads: int,
    whiten_first: bool,
) -> Moments:
    """Go through the points once.

    The scatter is taken about the features of a few points and moved to the mean afterwards, so
    that little is lost to cancellation where the mean is large.

    Features need a product of their own, of as many operations as the scatter twice over. The
    scatter of the values whitened afterwards is the same, up to rounding of eps λ_1 times the
    condition of the whitening.

    Parameters
    ----------
    rows, features, centering, n_threads
    near : array of shape (·, d)
        Points whose mean feature is near that of all.
    whiten_first : bool
        Whether features are formed, or their values whitened when all is summed.
    """
    weights, center, whitening = centering.weights, centering.center, features.whitening
    before, after = (whitening, None) if whiten_first else (None, whitening)
    origin = _times(features.kernel.values(near), before).mean(axis=0) * center

    def work(X: Matrix, where: slice) -> tuple[Array, ...]:
        own = np.ones(X.shape[0]) if weights is None else weights[where]
        shifted = _times(features.kernel.values(X), before) - origin
        rooted = shifted if weights is None else shifted * np.sqrt(own)[:, None]
        return rooted.T @ rooted, own @ shifted, own @ features.kernel.diagonal(X)

    scatter, sums, diagonal = add_up(rows, work, n_threads)
    offset = sums / centering.total * center
    scatter = _times(_times(scatter - centering.total * np.outer(offset, offset), after).T, after)
    mean = _times(origin + offset, after)
    approximated = float(np.trace(scatter)) + centering.total * float(mean @ mean)
    return Moments(mean, scatter, approximated, float(diagonal))


def _times(values: Floats, whitening: Floats | None) -> Floats:
    return values if whitening is None else values @ whitening


@dataclass(frozen=True, eq=False)
class Axes:
    """Axes of the features, in decreasing order of their eigenvalues.

    Attributes
    ----------
    values : ndarray of shape (k,)
        Eigenvalues of the scatter and of K̂̄; zero where they are rounding.
    directions : ndarray of shape (r, k)
        Orthonormal; zero where the eigenvalue is zero.
    """

    values: Floats
    directions: Floats

    @classmethod
    def of(cls, found: Moments) -> "Axes":
        """Find all axes."""
        values, vectors = eigh(found.scatter)
        values, vectors = values[::-1], vectors[:, ::-1]
        alive = values > RELATIVE_ZERO * max(found.diagonal, 0.0)
        return cls(np.where(alive, values, 0.0), vectors * alive)

    def head(self, k: int) -> "Axes":
        """Give the first k, with zeros beyond the width of the features."""
        missing = max(0, k - len(self.values))
        values = np.pad(self.values[:k], (0, missing))
        return Axes(values, np.pad(self.directions[:, :k], ((0, 0), (0, missing))))


def project(
    rows: Rows,
    features: LandmarkFeatures,
    found: Moments,
    axes: Axes,
    probe: Probe,
    centering: Centering,
    n_threads: int,
) -> tuple[Axes, Floats, Floats, Floats]:
    """Compute the eigenvectors of the axes wanted, and try them on the probe in passing.

    Returns
    -------
    axes : Axes
        With the signs of the convention.
    vectors : ndarray of shape (n, k)
        Eigenvectors of K̂̄; zero where the eigenvalue is zero.
    estimates, errors : ndarray of shape (k,)
        ‖K̄a − λa‖ / λ_1 estimated on the rows of the probe, and its standard error.
    """
    onto, offset = features.onto(axes.directions), found.mean @ axes.directions
    weights, vectors = centering.weights, np.empty((centering.n, len(axes.values)))
    inverse = np.zeros_like(axes.values)
    np.divide(1, np.sqrt(axes.values), out=inverse, where=axes.values > 0)

    def work(X: Matrix, where: slice) -> tuple[Array, ...]:
        unit = (onto(X) - offset) * inverse
        rooted = unit if weights is None else unit * np.sqrt(weights[where])[:, None]
        spread = unit if weights is None else unit * weights[where][:, None]
        return rooted, probe.times(X, spread)

    (products,) = add_up(rows, work, n_threads, vectors)
    tried = probe.estimate(products, onto(probe.points) - offset, axes.values, centering)
    scale = float(axes.values.max(initial=0)) or found.diagonal or 1.0
    sign = signs(vectors, centering)
    vectors *= sign
    signed = Axes(axes.values, axes.directions * sign)
    return signed, vectors, tried[0] / scale, tried[1] / scale
