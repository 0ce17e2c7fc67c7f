"""Pre-images by the fixed-point iteration of Mika et al., over all points at once.

A start from which the denominator vanishes is replaced by the training points nearest to the
projection in feature space, one after the other. A step that would lead away is shortened.

Each kernel has a fixed point z ← g(z), the stationary points of ‖φ(z) − P‖². g(z) − z is a
direction of descent wherever the denominator of g is positive.

References
----------
Mika, Schölkopf, Smola, Müller, Scholz, Rätsch (1998), Kernel PCA and de-noising in feature
spaces.
"""

from dataclasses import dataclass, fields
from typing import Any, cast

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

    tol: float = 1e-7  # length of the last step over the spread of the training points
    max_iter: int = 1000  # evaluations of the rule per point and start
    restarts: int = 3  # further starts of a point whose denominator vanishes
    block_coefficients: int = 1 << 18  # coefficients per block of points; 2 MB stay in the cache
    exact: float = 1e-10  # ‖φ(z) − P‖² over ‖P‖² at which a closed form is the pre-image
    shortest: float = 2.0**-30  # fraction of a full step at which the iteration gives up
    turned: float = 1 / 3  # fraction of the last step by which the next turns back if it was long
    growth: float = 1.25  # factor of a shortened step after one that kept its direction
    distance_rounding: float = 1e-12  # relative change of the distance that counts as rounding
    vanishing: float = 1e-10  # sum over the size of its terms that counts as rounding
    large: float = 1e-3  # sum of kernel values in [0, 1] that cannot be rounding


OPTIONS = FixedPointOptions()


def _vanishes(total: Floats, size: Floats) -> Array:
    """Return whether sums vanish relative to their terms, are negative, or are not finite."""
    return ~((total > OPTIONS.vanishing * size) & np.isfinite(total) & np.isfinite(size))


def _ratio(numerator: Floats, denominator: Floats, vanishes: Array) -> Floats:
    return numerator / np.where(vanishes, 1.0, denominator)[:, None]


class Gaussian:
    """z ← Σ c_i k(z, x_i) x_i / Σ c_i k(z, x_i)."""

    def __init__(self, source: KernelSource) -> None:
        self._kernel = source.bound()
        # With a column of ones one product gives numerator and denominator.
        self._rows = np.column_stack([as_dense(source.X), np.ones(source.n)])

    def evaluate(self, Z: Floats, C: Floats) -> tuple[Floats, Floats, Array]:
        """For each row, with its coefficients: g(z), ‖φ(z) − P‖² − ‖P‖², whether g vanishes."""
        K = self._kernel.values(Z)
        size = np.zeros(len(Z))
        K *= C
        sums = K @ self._rows
        total = sums[:, -1]
        small = total < OPTIONS.large
        if small.any():  # the size of the terms takes a pass of its own
            terms = np.abs(K[small]).sum(axis=1)
            # Far out, where the exponential is cut off, all values are alike and say nothing.
            flat = terms <= 2 * CUT_OFF * np.abs(C[small]).sum(axis=1)
            size[small] = np.where(flat, np.inf, terms)
        lost = _vanishes(total, size)
        return _ratio(sums[:, :-1], total, lost), 1 - 2 * total, lost


class InnerProduct:
    """z ← Σ c_i f′(γ x_i·z + c) x_i / f′(γ‖z‖² + c) for k(x, y) = f(γ x·y + c)."""

    def __init__(self, source: KernelSource) -> None:
        self.X = source.X
        self._name = source.name
        self._parameters = source.parameters
        self._link = cast(OfProduct, KERNELS[source.name].of_product)
        self._gamma, self._constant = argument(source.name, source.parameters)

    def evaluate(self, Z: Floats, C: Floats) -> tuple[Floats, Floats, Array]:
        """As for `Gaussian`."""
        with np.errstate(over="ignore", invalid="ignore"):
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
        """P read off an orthonormal basis e, z_f = f⁻¹(⟨P, φ(e_f)⟩)/γ, for f odd and c = 0.

        Correct where the projection has a pre-image at all.
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
    """Iterate from ``start``, or from the training points nearest in feature space.

    Parameters
    ----------
    expansion : Expansion
        With kernel rbf, linear, poly or sigmoid; the last one is indefinite, and warned about.
    Z, start : array of shape (m, k), array of shape (m, d) or None
        Scores, and where iterations begin.
    tol : float
        Length of the last step, in units of the root mean squared distance of the training
        points from their mean.
    max_iter : int
        Evaluations a point and start.

    Raises
    ------
    ValueError
        For a kernel without a fixed-point formula.
    """
    source = source_with_formula(expansion.source, "fixed_point")
    rule: FixedPoint = Gaussian(source) if source.name == "rbf" else InnerProduct(source)
    limits: dict[str, Any] = {"tol": tol * (rms_spread(source.X) or 1.0), "max_iter": max_iter}
    _ = expansion.point_scores  # Threads read it later, and must not each compute it.
    m, (n, d) = Z.shape[0], source.X.shape
    points = np.empty((m, d))
    converged = np.zeros(m, dtype=bool)
    iterations = np.zeros(m, dtype=np.int64)

    def nearest(scores: Floats, place: int) -> Floats:
        """Return the training points nearest to the projections, or second, third, … nearest."""
        order = np.argsort(expansion.point_distances(scores), axis=1, kind="stable")
        return as_dense(source.X[order[:, min(place, n - 1)]])

    def work(block: slice) -> None:
        scores = np.asarray(Z[block], dtype=np.float64)
        C = expansion.coefficients(scores)
        begun = nearest(scores, 0) if start is None else as_dense(start[block])
        descent = descend(rule, C, begun, **limits)
        for attempt in range(OPTIONS.restarts):
            lost = np.flatnonzero(descent.vanished)
            if lost.size:
                begun = nearest(scores[lost], attempt + (start is None))
                again = descend(rule, C[lost], begun, **limits)
                descent.points[lost] = again.points
                descent.converged[lost], descent.vanished[lost] = again.converged, again.vanished
                descent.iterations[lost] += again.iterations
        descent.points[descent.vanished] = nearest(scores[descent.vanished], 0)
        exact = rule.exact(C) if isinstance(rule, InnerProduct) else None
        if exact is not None:
            # Where the closed form is a pre-image, it replaces the result of the iteration.
            norms = expansion.squared_norms(scores)
            is_preimage = rule.evaluate(exact, C)[1] + norms <= OPTIONS.exact * np.abs(norms)
            descent.points[is_preimage], descent.converged[is_preimage] = exact[is_preimage], True
        points[block], converged[block] = descent.points, descent.converged
        iterations[block] = descent.iterations

    for_blocks(m, work, expansion.n_threads, max(1, OPTIONS.block_coefficients // n))
    return PreImages(points, converged, iterations, np.full(m, np.nan))


@dataclass(frozen=True, eq=False)
class Descent:
    """Points that the iteration has reached."""

    points: Floats  # (m, d)
    converged: Array  # (m,): True if the last step was short enough
    vanished: Array  # (m,): True if the denominator vanished
    iterations: Array  # (m,): number of evaluations of the rule


def descend(rule: FixedPoint, C: Floats, starts: Floats, *, tol: float, max_iter: int) -> Descent:
    """Iterate z ← z + t (g(z) − z), with t = 1 as long as that leads on.

    Where ‖φ(z) − P‖² would rise, the step is taken back and t halved; where g(z) − z turns
    round by a third or more, the step was too long although the distance fell, and t is halved for
    the next.

    Points leave the batch when ‖g(z) − z‖ ≤ tol, when the denominator of g vanishes, or when
    no step of a sensible length lowers the distance.

    `C`, of shape (m, n), are the coefficients of the projections, and `starts` has shape (m, d).
    """
    m, (none, step) = len(starts), (np.zeros(len(starts), dtype=bool), np.zeros_like(starts))
    descent = Descent(starts.copy(), none, none.copy(), np.full(m, max_iter))
    batch = _Batch(np.arange(m), C, starts.copy(), step, np.ones(m), np.full(m, np.inf))
    for turn in range(1, max_iter + 1):
        trial = batch.points + batch.length[:, None] * batch.step
        image, reached, lost = rule.evaluate(trial, batch.coefficients)
        # Only a full step can land where the rule breaks down and be taken back.
        vanished = lost & np.isinf(batch.distance)
        nearer = ~lost & (reached <= batch.distance + OPTIONS.distance_rounding * np.abs(reached))
        batch.advance(nearer, trial, image - trial, reached)
        short = nearer & (np.einsum("ij,ij->i", batch.step, batch.step) <= tol**2)
        leaving = short | vanished | (batch.length <= OPTIONS.shortest)
        if leaving.any():
            batch.points[short] += batch.length[short, None] * batch.step[short]
            gone = batch.index[leaving]
            descent.points[gone], descent.iterations[gone] = batch.points[leaving], turn
            descent.converged[gone], descent.vanished[gone] = short[leaving], vanished[leaving]
            batch = batch.without(leaving)
            if not batch.index.size:
                break
    descent.points[batch.index] = batch.points
    return descent


@dataclass(eq=False)
class _Batch:
    """The points under way, packed, since going through an index costs as much as the sums."""

    index: Array  # (a,): numbers of the points among all
    coefficients: Floats  # (a, n): coefficients of their projections
    points: Floats  # (a, d)
    step: Floats  # (a, d): g(z) − z
    length: Floats  # (a,): fraction of the step that is taken
    distance: Floats  # (a,): ‖φ(z) − P‖², up to a constant

    def advance(self, nearer: Array, trial: Floats, ahead: Floats, reached: Floats) -> None:
        """Take the step where it led nearer, and halve it elsewhere."""
        last = np.einsum("ij,ij->i", self.step, self.step)
        turned = np.einsum("ij,ij->i", self.step, ahead) < -OPTIONS.turned * last
        length = np.where(turned, self.length / 2, np.minimum(OPTIONS.growth * self.length, 1.0))
        if nearer.all():
            self.points = trial
            self.step = ahead
            self.length = length
            self.distance = reached
            return
        self.length = np.where(nearer, length, self.length / 2)
        self.points[nearer], self.step[nearer] = trial[nearer], ahead[nearer]
        self.distance[nearer] = reached[nearer]

    def without(self, leaving: Array) -> "_Batch":
        """Return the batch of those that stay."""
        stay = np.flatnonzero(~leaving)
        return _Batch(*(getattr(self, field.name)[stay] for field in fields(self)))
