"""Pre-images by the fixed-point iteration of Mika et al., for all points at once.

Each kernel has a rule z ← g(z), whose fixed points are the stationary points of ‖φ(z) − P‖², where
P is the projection. If the denominator of g is positive, g(z) − z is a direction of descent. A step
that would increase the distance is shortened.

If the denominator of g vanishes at the start, the iteration begins again at the training point
nearest to P in feature space, then at the second nearest, and so on.

References
----------
Mika, Schölkopf, Smola, Müller, Scholz, Rätsch (1998), Kernel PCA and de-noising in feature
spaces.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from kpca.kernels.derivatives import argument
from kpca.kernels.registry import KERNELS, UNDERFLOW, OfProduct, as_dense
from kpca.linalg.resources import for_blocks
from kpca.operators.expansion import Expansion
from kpca.operators.sources import KernelSource
from kpca.preimage.base import PreImages, rms_spread, source_with_formula
from kpca.types import Array, Floats, Matrix

CUT_OFF = float(np.exp(-UNDERFLOW[np.dtype(np.float64)]))


@dataclass(frozen=True)
class FixedPointOptions:
    """When an iteration ends, how it shortens its steps, and what counts as rounding."""

    tol: float = 1e-7  # largest length of the last step, relative to the spread of training points
    max_iter: int = 1000  # largest number of evaluations of the rule per point and start
    restarts: int = 3  # number of further starts of a point whose denominator vanishes
    block_coefficients: int = 1 << 18  # coefficients per block of points; 2 MB stay in the cache
    exact: float = 1e-10  # largest ‖φ(z) − P‖²/‖P‖² at which a closed form counts as pre-image
    shortest: float = 2.0**-30  # fraction of a full step at which an iteration gives up
    turned: float = 1 / 3  # a step is too long if the next one turns back by more than this part
    growth: float = 1.25  # growth of a shortened step after a step that was not too long
    distance_rounding: float = 1e-12  # largest relative change of the distance that is rounding
    vanishing: float = 1e-10  # largest |sum| / Σ|terms| at which a sum counts as rounding
    large: float = 1e-3  # smallest sum of kernel values in [0, 1] that cannot be rounding


OPTIONS = FixedPointOptions()


def _vanishes(total: Floats, size: Floats) -> Array:
    """Return where `total` is negative, not finite, or tiny relative to `size` (Σ|terms|)."""
    return ~((total > OPTIONS.vanishing * size) & np.isfinite(total) & np.isfinite(size))


def _ratio(numerator: Floats, denominator: Floats, vanishes: Array) -> Floats:
    return numerator / np.where(vanishes, 1.0, denominator)[:, None]


class Gaussian:
    """The rule z ← Σ c_i k(z, x_i) x_i / Σ c_i k(z, x_i) of the Gaussian kernel."""

    def __init__(self, source: KernelSource) -> None:
        self._kernel = source.bound()
        # The column of ones lets one product compute both numerator and denominator.
        self._rows = np.column_stack([as_dense(source.X), np.ones(source.n)])

    def evaluate(self, Z: Floats, C: Floats) -> tuple[Floats, Floats, Array]:
        """Return g(z), ‖φ(z) − P‖² − ‖P‖², and whether the denominator of g vanishes, per row.

        Row i of C holds the coefficients c of the projection P that row i of Z approximates.
        """
        K = self._kernel.values(Z)
        size = np.zeros(len(Z))
        K *= C
        sums = K @ self._rows
        total = sums[:, -1]
        small = total < OPTIONS.large
        if small.any():  # Small sums may be rounding: compare them with their terms.
            terms = np.abs(K[small]).sum(axis=1)
            # Far from all points, the exponential is cut off. All values are then equal and
            # give no direction.
            flat = terms <= 2 * CUT_OFF * np.abs(C[small]).sum(axis=1)
            size[small] = np.where(flat, np.inf, terms)
        lost = _vanishes(total, size)
        return _ratio(sums[:, :-1], total, lost), 1 - 2 * total, lost


class InnerProduct:
    """The rule z ← Σ c_i f′(γ x_i·z + c) x_i / f′(γ‖z‖² + c) for k(x, y) = f(γ x·y + c)."""

    def __init__(self, source: KernelSource) -> None:
        self.X = source.X
        self._name = source.name
        self._parameters = source.parameters
        self._link = cast(OfProduct, KERNELS[source.name].of_product)
        self._gamma, self._constant = argument(source.name, source.parameters)

    def evaluate(self, Z: Floats, C: Floats) -> tuple[Floats, Floats, Array]:
        """Return the values that `Gaussian.evaluate` returns, for this rule."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            T = self._gamma * (Z @ self.X.T) + self._constant
            inner = np.einsum("ij,ij->i", C, self._value(T))
            weights = C * self._link.slope(T, self._parameters)
            size = np.abs(weights).sum(axis=1)
            sums = weights @ self.X
            squares = self._gamma * np.einsum("ij,ij->i", Z, Z) + self._constant
            slope = self._link.slope(squares, self._parameters)
            distance = self._value(squares) - 2 * inner
            lost = _vanishes(slope, size)
            return _ratio(sums, slope, lost), distance, lost | ~np.isfinite(distance)

    def exact(self, C: Floats) -> Floats | None:
        """Return the closed form z_f = f⁻¹(⟨P, φ(e_f)⟩)/γ; None if f is not odd or c is not 0.

        e_f are the unit vectors of the input space. z is correct only if P has an exact pre-image.
        """
        odd = self._name == "linear" or (
            self._name == "poly" and self._parameters.degree % 2 == 1 and self._constant == 0
        )
        if not odd or self._gamma == 0:
            return None
        inner = C @ self._value(self._gamma * as_dense(self.X))
        return self._link.inverse(inner, self._parameters) / self._gamma

    def _value(self, T: Floats) -> Floats:
        return self._link.value(T, self._parameters)


FixedPoint = Gaussian | InnerProduct


def find(
    expansion: Expansion,
    Z: Array,
    start: Matrix | None,
    *,
    tol: float = OPTIONS.tol,
    max_iter: int = OPTIONS.max_iter,
) -> PreImages:
    """Return the pre-image of each row of Z, found by iteration from ``start``.

    Parameters
    ----------
    expansion : Expansion
        Expansion with kernel rbf, linear, poly or sigmoid. The sigmoid kernel is indefinite, so
        that a warning is issued.
    Z, start : array of shape (m, k), array of shape (m, d) or None
        Scores, and the points where iterations begin. None means the training points nearest in
        feature space.
    tol : float
        Largest length of the last step, relative to the root mean squared distance of the training
        points from their mean.
    max_iter : int
        Largest number of evaluations of the rule per point and start.

    Raises
    ------
    ValueError
        If the kernel has no fixed-point formula.
    """
    source = source_with_formula(expansion.source, "fixed_point")
    rule: FixedPoint = Gaussian(source) if source.name == "rbf" else InnerProduct(source)
    tol *= rms_spread(source.X) or 1.0
    _ = expansion.point_scores  # Compute this cached property once, before all threads read it.
    m, (n, d) = Z.shape[0], source.X.shape
    points = np.empty((m, d))
    converged = np.zeros(m, dtype=bool)
    iterations = np.zeros(m, dtype=np.int64)

    def nearest(scores: Floats, place: int) -> Floats:
        """Return the training point at rank `place` (0 is nearest) from each projection."""
        order = np.argsort(expansion.point_distances(scores), axis=1, kind="stable")
        return as_dense(source.X[order[:, min(place, n - 1)]])

    def work(block: slice) -> None:
        scores = np.asarray(Z[block], dtype=np.float64)
        C = expansion.coefficients(scores)
        starts = nearest(scores, 0) if start is None else as_dense(start[block]).copy()
        descent = Descent(rule, C, starts, tol, max_iter)
        descent.run(np.arange(len(C)))
        for attempt in range(OPTIONS.restarts):
            lost = np.flatnonzero(descent.vanished)
            if lost.size:
                descent.points[lost] = nearest(scores[lost], attempt + (start is None))
                descent.run(lost)
        lost = descent.vanished
        descent.points[lost] = nearest(scores[lost], 0)
        exact = rule.exact(C) if isinstance(rule, InnerProduct) else None
        if exact is not None:
            # If the closed form is an exact pre-image, it replaces the result of the iteration.
            norms = expansion.squared_norms(scores)
            is_preimage = rule.evaluate(exact, C)[1] + norms <= OPTIONS.exact * np.abs(norms)
            descent.points[is_preimage] = exact[is_preimage]
            descent.converged |= is_preimage
        points[block] = descent.points
        converged[block] = descent.converged
        iterations[block] = descent.iterations

    for_blocks(m, work, expansion.n_threads, max(1, OPTIONS.block_coefficients // n))
    return PreImages(points, converged, iterations, np.full(m, np.nan))


@dataclass(eq=False)
class Descent:
    """The iteration z ← z + t (g(z) − z) of several points, where t = 1 as long as that works.

    If ‖φ(z) − P‖² would rise, the step is taken back and t is halved. If the new g(z) − z turns
    back by more than a third of the last one, the last step was too long although the distance
    fell. Then t is halved for the next step.

    The iteration of a point ends if ‖g(z) − z‖ ≤ tol, if the denominator of g vanishes, or if even
    the shortest step does not lower the distance.
    """

    rule: FixedPoint
    C: Floats  # (m, n): coefficients of the projections
    points: Floats  # (m, d): starts at first, then the points that the iteration has reached
    tol: float
    max_iter: int

    def __post_init__(self) -> None:
        m = len(self.C)
        self.converged = np.zeros(m, dtype=bool)  # whether the last step was at most tol
        self.vanished = np.zeros(m, dtype=bool)  # whether the denominator vanished
        self.iterations = np.zeros(m, dtype=np.int64)  # number of evaluations of the rule

    def run(self, active: Array) -> None:
        """Iterate the points with the indices `active` until the iteration of each has ended."""
        step = np.zeros_like(self.points)  # g(z) − z
        length = np.ones(len(step))  # fraction of the step that is taken
        distance = np.full(len(step), np.inf)  # ‖φ(z) − P‖², up to a constant
        self.vanished[active] = False
        C = self.C[active]
        for _ in range(self.max_iter):
            self.iterations[active] += 1
            last = step[active]
            trial = self.points[active] + length[active, None] * last
            image, reached, lost = self.rule.evaluate(trial, C)
            ahead = image - trial
            # The distance is infinite at a start. If the denominator vanishes there, no step can be
            # taken back.
            vanished = lost & np.isinf(distance[active])
            rounding = OPTIONS.distance_rounding * np.abs(reached)
            nearer = ~lost & (reached <= distance[active] + rounding)
            forward = np.einsum("ij,ij->i", last, ahead)
            turned = forward < -OPTIONS.turned * np.einsum("ij,ij->i", last, last)
            growth = np.where(nearer & ~turned, OPTIONS.growth, 0.5)
            length[active] = np.minimum(growth * length[active], 1.0)
            taken = active[nearer]
            self.points[taken] = trial[nearer]
            step[taken] = ahead[nearer]
            distance[taken] = reached[nearer]
            short = nearer & (np.einsum("ij,ij->i", ahead, ahead) <= self.tol**2)
            ended = short | vanished | (length[active] <= OPTIONS.shortest)
            if not ended.any():
                continue
            last = active[short]
            self.points[last] += length[last, None] * step[last]
            self.converged[last] = True
            self.vanished[active[vanished]] = True
            active = active[~ended]
            if not active.size:
                break
            C = self.C[active]
