"""One pass over the points: the mean and the scatter of their features."""

from dataclasses import dataclass

import numpy as np

from kpca.nystrom.landmarks import LandmarkFeatures
from kpca.nystrom.streaming import Rows, add_up
from kpca.operators import Centering
from kpca.operators.scaling import check_sizes
from kpca.types import Array, Floats, Matrix

TRACE_ZERO = 1e-12  # of the trace: eigenvalues below are rounding


@dataclass(frozen=True, eq=False)
class Moments:
    """What the features of all points amount to."""

    mean: Floats  # of shape (r,): weighted mean of the features; zero without centring
    # Σ w_i (φ_i − mean)(φ_i − mean)ᵀ, of shape (r, r), which shares its nonzero eigenvalues with K̂̄.
    scatter: Floats
    approximated: float  # tr(K̂) = Σ w_i ‖φ_i‖²
    diagonal: float  # tr(K) = Σ w_i k(x_i, x_i)
    squared_errors: float  # Σ w_i e_i², values of x_i and a landmark y being off by e_i + e(y)
    blocks: int  # of points, which were added up one after the other


def moments(
    rows: Rows,
    features: LandmarkFeatures,
    centering: Centering,
    near: Matrix,
    n_threads: int,
    whiten_first: bool,
) -> Moments:
    """Go through the points once.

    The scatter is taken about the mean feature of a few points `near` that of all, and moved to the
    mean of all afterwards, so that little is lost to cancellation where the mean is large.

    Features need a product of their own, of as many operations as the scatter twice over. The
    scatter of the values, whitened afterwards unless `whiten_first`, is the same, up to rounding of
    eps λ_1 times the condition of the whitening.
    """
    weights, center, whitening = centering.weights, centering.center, features.whitening
    before, after = (whitening, None) if whiten_first else (None, whitening)
    origin = _whitened(features.kernel.values(near), before).mean(axis=0) * center

    def work(X: Matrix, where: slice) -> tuple[Array, ...]:
        own = np.ones(X.shape[0]) if weights is None else weights[where]
        diagonal = features.kernel.diagonal(X)
        check_sizes(diagonal, range(where.start, where.stop))
        shifted = _whitened(features.kernel.values(X), before) - origin
        rooted = centering.rooted(shifted, where)
        errors = own @ features.kernel.rounding(X) ** 2
        return rooted.T @ rooted, own @ shifted, own @ diagonal, errors, np.ones(())

    scatter, sums, diagonal, errors, blocks = add_up(rows, work, n_threads)
    offset = sums / centering.total * center
    scatter = _whitened(
        _whitened(scatter - centering.total * np.outer(offset, offset), after).T, after
    )
    mean = _whitened(origin + offset, after)
    approximated = float(np.trace(scatter)) + centering.total * float(mean @ mean)
    return Moments(mean, scatter, approximated, float(diagonal), float(errors), int(blocks))


def _whitened(values: Floats, whitening: Floats | None) -> Floats:
    return values if whitening is None else values @ whitening
