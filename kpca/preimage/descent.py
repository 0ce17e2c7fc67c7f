"""The fixed-point iteration on many points at once, damped where a full step would lead away."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kpca.types import Array, Floats

SHORTEST = 2.0**-30  # a step cut down to this share no longer counts as one
GROWTH = 1.25  # of a shortened step after one that kept its direction
ROUNDING = 1e-12  # relative changes of the distance below this are noise


class Rule(Protocol):
    """One kernel's fixed point z ← g(z), the stationary points of ‖φ(z) − P‖².

    g(z) − z is a direction of descent wherever the denominator of g is positive.
    """

    def evaluate(self, Z: Floats, C: Floats, work: Floats) -> tuple[Floats, Floats, Array]:
        """For each row: g(z), ‖φ(z) − P‖² − ‖P‖², and whether the denominator vanishes.

        ``work`` has the shape of C, and is overwritten.
        """

    def exact(self, C: Floats) -> Floats | None:
        """Pre-images in closed form, correct where the projection has one at all."""


@dataclass(frozen=True, eq=False)
class Descent:
    """Where the points came to.

    Attributes
    ----------
    points : ndarray of shape (m, d)
    converged, vanished : bool ndarray of shape (m,)
    iterations : int ndarray of shape (m,)
        Evaluations of the rule.
    """

    points: Floats
    converged: Array
    vanished: Array
    iterations: Array


def descend(rule: Rule, C: Floats, starts: Floats, *, tol: float, max_iter: int) -> Descent:
    """Iterate z ← z + t (g(z) − z), with t = 1 as long as that leads on.

    Where ‖φ(z) − P‖² would rise, the step is taken back and t halved; where g(z) − z turns
    round, the step was too long although the distance fell, and t is halved for the next.

    Points leave the batch when ‖g(z) − z‖ ≤ tol, when the denominator of g vanishes, or when
    no step of a sensible length lowers the distance.

    Parameters
    ----------
    rule : Rule
    C : ndarray of shape (m, n)
        Coefficients of the projections.
    starts : ndarray of shape (m, d)
    tol : float
        In the units of the input.
    max_iter : int
    """
    m = len(starts)
    points, step = starts.copy(), np.zeros_like(starts)
    length, distance = np.ones(m), np.full(m, np.inf)
    converged, vanished = np.zeros(m, dtype=bool), np.zeros(m, dtype=bool)
    iterations = np.zeros(m, dtype=np.int64)
    active, coefficients, work = np.arange(m), C, np.empty_like(C)
    for _ in range(max_iter):
        trial = points[active] + length[active, None] * step[active]
        image, reached, lost = rule.evaluate(trial, coefficients, work[: len(active)])
        iterations[active] += 1
        # Only a full step can land where the rule breaks down and be taken back.
        nearer = ~lost & (reached <= distance[active] + ROUNDING * np.abs(reached))
        vanished[active] = lost & np.isinf(distance[active])
        taken, kept = active[nearer], active[~nearer]
        points[taken], distance[taken] = trial[nearer], reached[nearer]
        ahead = image[nearer] - trial[nearer]
        length[taken] = _adapted(length[taken], step[taken], ahead)
        length[kept] /= 2
        step[taken] = ahead
        short = taken[np.linalg.norm(ahead, axis=1) <= tol]
        converged[short] = True
        points[short] += length[short, None] * step[short]
        going = ~converged[active] & ~vanished[active] & (length[active] > SHORTEST)
        if not going.all():
            active, coefficients = active[going], coefficients[going]
        if not active.size:
            break
    return Descent(points, converged, vanished, iterations)


def _adapted(length: Floats, last: Floats, ahead: Floats) -> Floats:
    turned = np.einsum("ij,ij->i", last, ahead) < 0
    return np.where(turned, length / 2, np.minimum(GROWTH * length, 1.0))
