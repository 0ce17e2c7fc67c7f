"""Two passes over the points: the scatter of their features, then the eigenvectors of K̂̄."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from kpca.eigensolvers.decomposition import signs
from kpca.linalg.threads import BLOCK_ROWS
from kpca.nystrom.landmarks import LandmarkFeatures
from kpca.nystrom.sample import Probe
from kpca.nystrom.streaming import Rows, add_up
from kpca.operators import Centering
from kpca.operators.scaling import check_sizes
from kpca.types import Array, Floats, Matrix

TRACE_ZERO = 1e-12  # of the trace: eigenvalues below are rounding


@dataclass(frozen=True, eq=False)
class Moments:
    """Weighted mean and scatter matrix of the features."""

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
    scatter -= centering.total * np.outer(offset, offset)
    scatter = _whitened(_whitened(scatter, after).T, after)
    mean = _whitened(origin + offset, after)
    approximated = float(np.trace(scatter)) + centering.total * float(mean @ mean)
    return Moments(mean, scatter, approximated, float(diagonal), float(errors), int(blocks))


def _whitened(values: Floats, whitening: Floats | None) -> Floats:
    return values if whitening is None else values @ whitening


def value_errors(features: LandmarkFeatures, found: Moments, total: float) -> float:
    """Bound ‖E‖_F of the errors E of values between all points and the landmarks."""
    each = found.squared_errors + total * features.entry_error() ** 2
    return math.sqrt(2 * len(features.K) * each)


def vector_rounding(
    features: LandmarkFeatures, found: Moments, total: float, axes: "Axes", hidden: float
) -> Floats:
    """Bound what rounding adds to ‖K̄a − λa‖, of shape (k,), a = F̄z/√λ and z an axis of features.

    An axis is one of a scatter that is off by `hidden` at most, and F̄(Sz − λz)/√λ of norm
    √(λ_1/λ) hidden. Scores come from values with the landmarks and coefficients `whitening` z.
    """
    m, unit = len(features.K), float(np.finfo(np.float64).eps) / 2
    top = float(axes.values.max(initial=0))
    size = 2 * math.sqrt(found.diagonal * float(np.trace(features.K)))
    lengths = np.linalg.norm(features.whitening @ axes.directions, axis=0)
    errors = ((m + 4) * unit * size + value_errors(features, found, total)) * lengths
    stretch = np.zeros_like(axes.values)
    np.divide(1, np.sqrt(axes.values), out=stretch, where=axes.values > 0)
    return (math.sqrt(top) * hidden + top * errors) * stretch


def hidden_rounding(
    features: LandmarkFeatures, found: Moments, total: float, whitened_first: bool
) -> float:
    """Bound what rounding may hide in λ_{k+1}(K̂̄) + tr(K − K̂), or add to λ_j(K̂̄).

    Let c be ‖UᵀK_mm U − diag(w)‖ or more. With exact values, and w + c in place of w, the features
    give a K̂ ≼ K, whose trace is smaller by no more than Σ_j c/(w_j + c) q_j, q_j the sum of squares
    of feature j. Values are off by E, ‖E‖_F² ≤ 2m Σ w_i (e_i² + e(y)²), products and sums by their
    numbers of terms (Higham 2002, sections 3.1 and 3.5), and what is whitened afterwards by
    ‖whitening‖_F² = Σ_j 1/(w_j + c) times as much; a larger c costs trace and spares that.
    `total` is the sum of the weights.
    """
    w, m, unit = features.values, len(features.K), float(np.finfo(np.float64).eps) / 2
    own, whole = float(np.trace(features.K)), found.diagonal
    squares = np.diag(found.scatter) + total * found.mean**2
    values = math.sqrt(whole * own)  # ‖K_nm‖_F at most
    entries = value_errors(features, found, total)
    # Bound the rounding of sums of squares about a point other than their mean.
    sums = 8 * (BLOCK_ROWS + found.blocks + m + 8) * unit * 2 * (whole + total * own / m)

    def hidden(c: float) -> float:
        lost, stretch = float((c / (w + c)) @ squares), float((1 / (w + c)).sum())
        if not whitened_first:
            return lost + 2 * stretch * (sums * own + 2 * values * entries + entries**2)
        off = math.sqrt(stretch) * ((m + 2) * unit * values + entries)
        return lost + 2 * (sums + 2 * math.sqrt(whole) * off + off**2)

    best = min(hidden(features.eigen_error() * 10.0**power) for power in range(12))
    return best + 2 * math.sqrt(total * found.squared_errors) + TRACE_ZERO * whole


@dataclass(frozen=True, eq=False)
class Axes:
    """Axes of the features, in decreasing order of their eigenvalues."""

    values: Floats  # of shape (k,): eigenvalues of the scatter and of K̂̄; zero where rounding
    directions: Floats  # of shape (r, k): orthonormal; zero if the eigenvalue is zero

    @classmethod
    def of(cls, found: Moments) -> "Axes":
        """Find all axes."""
        values, vectors = eigh(found.scatter)
        values, vectors = values[::-1], vectors[:, ::-1]
        alive = values > TRACE_ZERO * max(found.diagonal, 0.0)
        return cls(np.where(alive, values, 0.0), vectors * alive)

    def head(self, k: int) -> "Axes":
        """Return the first k, with zeros beyond the width of the features."""
        missing = max(0, k - len(self.values))
        values = np.pad(self.values[:k], (0, missing))
        return Axes(values, np.pad(self.directions[:, :k], ((0, 0), (0, missing))))


@dataclass(frozen=True, eq=False)
class Projection:
    """Scores of points on the axes, and what turns them into entries of eigenvectors."""

    features: LandmarkFeatures
    axes: Axes
    offset: Floats  # of shape (k,): scores of the mean before it is taken off
    inverse: Floats  # of shape (k,): 1/√λ, or 0
    scale: float  # λ_1, or what residuals are relative to where it is zero
    onto: Callable[[Matrix], Floats]

    @classmethod
    def of(cls, features: LandmarkFeatures, found: Moments, axes: Axes) -> "Projection":
        """Project onto axes of the features."""
        inverse = np.zeros_like(axes.values)
        np.divide(1, np.sqrt(axes.values), out=inverse, where=axes.values > 0)
        scale = float(axes.values.max(initial=0)) or found.diagonal or 1.0
        onto, offset = features.onto(axes.directions), found.mean @ axes.directions
        return cls(features, axes, offset, inverse, scale, onto)

    def scores(self, X: Matrix) -> Floats:
        """Return the scores of points, of shape (·, k)."""
        return self.onto(X) - self.offset

    def suspected(self, X: Matrix) -> Floats:
        """Return measures of errors in rows x of K − K̂, of shape (·, 1 + k).

        They are what the features miss of k(x, x), whose root bounds an error, and the squares of
        its products with the entries of each eigenvector, which are all there is to (K − K̂)a where
        K − K̂ is nearly diagonal.
        """
        missed = self.features.missed(X)[:, None]
        return np.hstack([missed, (missed * self.scores(X) * self.inverse) ** 2])


def project(
    rows: Rows, projection: Projection, probe: Probe, centering: Centering, n_threads: int
) -> tuple[Axes, Floats, Floats, Floats]:
    """Compute the eigenvectors of the axes wanted, and try them on the probe in passing.

    Gives the axes with the signs of the convention; the eigenvectors of K̂̄, of shape (n, k) and
    zero if the eigenvalue is zero; and ‖K̄a − λa‖ / λ_1 estimated on the rows of the probe, with
    its standard error, both of shape (k,).
    """
    axes, weights = projection.axes, centering.weights
    vectors = np.empty((centering.n, len(axes.values)))

    def work(X: Matrix, where: slice) -> tuple[Array, ...]:
        unit = projection.scores(X) * projection.inverse
        spread = unit if weights is None else unit * weights[where][:, None]
        return centering.rooted(unit, where), probe.times(X, spread)

    (products,) = add_up(rows, work, n_threads, vectors)
    tried = probe.estimate(products, projection.scores(probe.points), axes.values, centering)
    sign = signs(vectors, centering)
    vectors *= sign
    signed = Axes(axes.values, axes.directions * sign)
    return signed, vectors, tried[0] / projection.scale, tried[1] / projection.scale
