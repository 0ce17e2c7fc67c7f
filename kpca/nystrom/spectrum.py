"""From the scatter of the features to eigenvectors of K̂̄, in one more pass over the points."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from kpca.eigensolvers.decomposition import signs
from kpca.nystrom.accuracy import Probe
from kpca.nystrom.landmarks import LandmarkFeatures
from kpca.nystrom.scatter import TRACE_ZERO, Moments
from kpca.nystrom.streaming import Rows, add_up
from kpca.operators import Centering
from kpca.types import Array, Floats, Matrix


@dataclass(frozen=True, eq=False)
class Axes:
    """Axes of the features, in decreasing order of their eigenvalues."""

    values: Floats  # of shape (k,): eigenvalues of the scatter and of K̂̄; zero where rounding
    directions: Floats  # of shape (r, k): orthonormal; zero where the eigenvalue is zero

    @classmethod
    def of(cls, found: Moments) -> "Axes":
        """Find all axes."""
        values, vectors = eigh(found.scatter)
        values, vectors = values[::-1], vectors[:, ::-1]
        alive = values > TRACE_ZERO * max(found.diagonal, 0.0)
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

    Gives the axes with the signs of the convention; the eigenvectors of K̂̄, of shape (n, k) and
    zero where the eigenvalue is zero; and ‖K̄a − λa‖ / λ_1 estimated on the rows of the probe, with
    its standard error, both of shape (k,).
    """
    onto, offset = features.onto(axes.directions), found.mean @ axes.directions
    weights, vectors = centering.weights, np.empty((centering.n, len(axes.values)))
    inverse = np.zeros_like(axes.values)
    np.divide(1, np.sqrt(axes.values), out=inverse, where=axes.values > 0)

    def work(X: Matrix, where: slice) -> tuple[Array, ...]:
        unit = (onto(X) - offset) * inverse
        spread = unit if weights is None else unit * weights[where][:, None]
        return centering.rooted(unit, where), probe.times(X, spread)

    (products,) = add_up(rows, work, n_threads, vectors)
    tried = probe.estimate(products, onto(probe.points) - offset, axes.values, centering)
    scale = float(axes.values.max(initial=0)) or found.diagonal or 1.0
    sign = signs(vectors, centering)
    vectors *= sign
    signed = Axes(axes.values, axes.directions * sign)
    return signed, vectors, tried[0] / scale, tried[1] / scale
