"""The fixed-point iteration on many points at once, damped where a full step would lead away."""

from dataclasses import dataclass, fields

import numpy as np

from kpca.preimage.fixed_point_rules import FixedPoint
from kpca.types import Array, Floats

SHORTEST = 2.0**-30  # a step cut down to this share no longer counts as one
TURNED = 1 / 3  # of the last step; what turns back by less comes to rest sooner by full steps
GROWTH = 1.25  # of a shortened step after one that kept its direction
DISTANCE_ROUNDING = 1e-12  # relative changes of the distance below this are noise


@dataclass(frozen=True, eq=False)
class Descent:
    """Where the points came to."""

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
    batch = _Batch(np.arange(m), starts.copy(), step, np.ones(m), np.full(m, np.inf))
    for turn in range(1, max_iter + 1):
        trial = batch.points + batch.length[:, None] * batch.step
        image, reached, lost = rule.evaluate(trial, C, batch.index)
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
        """Give the batch of those that stay."""
        stay = np.flatnonzero(~leaving)
        return _Batch(*(getattr(self, field.name)[stay] for field in fields(self)))
