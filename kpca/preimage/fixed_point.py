"""Pre-images by the fixed-point iteration of Mika et al., over all points at once.

A start from which the denominator vanishes is replaced by the training points nearest to the
projection in feature space, one after the other. A step that would lead away is shortened.
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from kpca.expansion import Expansion
from kpca.kernels.registry import as_dense
from kpca.linalg.threads import for_blocks
from kpca.preimage.base import PreImages, rms_spread, source_with_formula
from kpca.preimage.fixed_point_rules import FixedPoint, Gaussian, InnerProduct
from kpca.types import Array, Floats, Matrix

TOL = 1e-7  # of the spread of the training points
MAX_ITER = 1000
RESTARTS = 3
COEFFICIENTS = 1 << 18  # of a block of points: 2 MB stay in the cache
EXACT = 1e-10  # of ‖P‖²: a pre-image this near in feature space is the answer
SHORTEST = 2.0**-30  # a step cut down to this share no longer counts as one
TURNED = 1 / 3  # of the last step; what turns back by less comes to rest sooner by full steps
GROWTH = 1.25  # of a shortened step after one that kept its direction
DISTANCE_ROUNDING = 1e-12  # relative changes of the distance below this are noise


def find(
    expansion: Expansion,
    Z: Array,
    start: Matrix | None,
    *,
    tol: float = TOL,
    max_iter: int = MAX_ITER,
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
    diagonal, _ = source.diagonal(source.X), expansion.point_scores  # before threads share them
    m, (n, d) = Z.shape[0], source.X.shape
    points, converged = np.empty((m, d)), np.zeros(m, dtype=bool)
    iterations = np.zeros(m, dtype=np.int64)

    def nearest(scores: Floats, place: int) -> Floats:
        """Return the training points nearest to the projections, or second, third, … nearest."""
        order = np.argsort(expansion.point_distances(scores, diagonal), axis=1, kind="stable")
        return as_dense(source.X[order[:, min(place, n - 1)]])

    def work(block: slice, _: int) -> None:
        scores = np.asarray(Z[block], dtype=np.float64)
        C = expansion.coefficients(scores)
        begun = nearest(scores, 0) if start is None else as_dense(start[block])
        found = descend(rule, C, begun, **limits)
        for attempt in range(RESTARTS):
            lost = np.flatnonzero(found.vanished)
            if lost.size:
                begun = nearest(scores[lost], attempt + (start is None))
                again = descend(rule, C[lost], begun, **limits)
                found.points[lost] = again.points
                found.converged[lost], found.vanished[lost] = again.converged, again.vanished
                found.iterations[lost] += again.iterations
        found.points[found.vanished] = nearest(scores[found.vanished], 0)
        exact = rule.exact(C) if isinstance(rule, InnerProduct) else None
        if exact is not None:  # the closed form takes its place where it is a pre-image indeed
            norms = expansion.squared_norms(scores)
            kept = rule.evaluate(exact, C)[1] + norms <= EXACT * np.abs(norms)
            found.points[kept], found.converged[kept] = exact[kept], True
        points[block], converged[block] = found.points, found.converged
        iterations[block] = found.iterations

    for_blocks(m, work, expansion.n_threads, max(1, COEFFICIENTS // n))
    return PreImages(points, converged, iterations, np.full(m, np.nan))


@dataclass(frozen=True, eq=False)
class Descent:
    """Points that the iteration has reached."""

    points: Floats  # of shape (m, d)
    converged: Array  # of shape (m,), whether
    vanished: Array  # of shape (m,), whether
    iterations: Array  # of shape (m,): evaluations of the rule


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
    found = Descent(starts.copy(), none, none.copy(), np.full(m, max_iter))
    batch = _Batch(np.arange(m), C, starts.copy(), step, np.ones(m), np.full(m, np.inf))
    for turn in range(1, max_iter + 1):
        trial = batch.points + batch.length[:, None] * batch.step
        image, reached, lost = rule.evaluate(trial, batch.coefficients)
        # Only a full step can land where the rule breaks down and be taken back.
        vanished = lost & np.isinf(batch.distance)
        nearer = ~lost & (reached <= batch.distance + DISTANCE_ROUNDING * np.abs(reached))
        batch.advance(nearer, trial, image - trial, reached)
        short = nearer & (np.einsum("ij,ij->i", batch.step, batch.step) <= tol**2)
        leaving = short | vanished | (batch.length <= SHORTEST)
        if leaving.any():
            batch.points[short] += batch.length[short, None] * batch.step[short]
            gone = batch.index[leaving]
            found.points[gone], found.iterations[gone] = batch.points[leaving], turn
            found.converged[gone], found.vanished[gone] = short[leaving], vanished[leaving]
            batch = batch.without(leaving)
            if not batch.index.size:
                break
    found.points[batch.index] = batch.points
    return found


@dataclass(eq=False)
class _Batch:
    """The points under way, packed, since going through an index costs as much as the sums."""

    index: Array  # of shape (a,): which points they are
    coefficients: Floats  # of shape (a, n)
    points: Floats  # of shape (a, d)
    step: Floats  # g(z) − z, of shape (a, d)
    length: Floats  # of shape (a,)
    distance: Floats  # of shape (a,)

    def advance(self, nearer: Array, trial: Floats, ahead: Floats, reached: Floats) -> None:
        """Take the step where it led nearer, and halve it elsewhere."""
        last = np.einsum("ij,ij->i", self.step, self.step)
        turned = np.einsum("ij,ij->i", self.step, ahead) < -TURNED * last
        length = np.where(turned, self.length / 2, np.minimum(GROWTH * self.length, 1.0))
        if nearer.all():
            self.points, self.step, self.length, self.distance = trial, ahead, length, reached
            return
        self.length = np.where(nearer, length, self.length / 2)
        self.points[nearer], self.step[nearer] = trial[nearer], ahead[nearer]
        self.distance[nearer] = reached[nearer]

    def without(self, leaving: Array) -> "_Batch":
        """Return the batch of those that stay."""
        stay = np.flatnonzero(~leaving)
        return _Batch(*(getattr(self, field.name)[stay] for field in fields(self)))
