"""Pre-images by the fixed-point iteration of Mika et al., over all points at once.

A start from which the denominator vanishes is replaced by the training points nearest to the
projection in feature space, one after the other.
"""

import numpy as np

from kpca.expansion import Expansion
from kpca.kernels.registry import as_dense
from kpca.linalg.threads import for_blocks
from kpca.preimage.base import PreImages, PreImageWarning, source_with_formula, spread
from kpca.preimage.descent import Descent, descend
from kpca.preimage.fixed_point_rules import FixedPoint, Gaussian, InnerProduct
from kpca.types import Array, Floats, Matrix
from kpca.warning import warn

TOL = 1e-7  # of the spread of the training points
MAX_ITER = 1000
RESTARTS = 3
COEFFICIENTS = 1 << 20  # of a block of coefficients: 8 MB
WORTHWHILE = 1 << 18  # entries from which on a thread of its own gains something
EXACT = 1e-10  # of ‖P‖²: a pre-image this near in feature space is the answer


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
    search = _Search(expansion, tol, max_iter)
    m, (n, d) = Z.shape[0], search.X.shape
    points, converged = np.empty((m, d)), np.zeros(m, dtype=bool)
    iterations = np.zeros(m, dtype=np.int64)
    rows = max(1, min(COEFFICIENTS // n, max(-(-m // expansion.n_threads), WORTHWHILE // n)))

    def work(block: slice, _: int) -> None:
        given = None if start is None else as_dense(start[block])
        found = search.run(np.asarray(Z[block], dtype=np.float64), given)
        points[block], converged[block] = found.points, found.converged
        iterations[block] = found.iterations

    for_blocks(m, work, expansion.n_threads, rows)
    return PreImages(points, converged, iterations, np.full(m, np.nan))


class _Search:
    """Starts, iteration and restarts of a block of points."""

    def __init__(self, expansion: Expansion, tol: float, max_iter: int) -> None:
        self.rule = _rule(expansion)
        self.expansion = expansion
        self.X = expansion.source.X
        self.diagonal = expansion.source.diagonal(self.X)
        _ = expansion.point_scores  # computed here once, before threads share them
        self.tol = tol * (spread(self.X) or 1.0)
        self.max_iter = max_iter

    def run(self, Z: Floats, start: Floats | None) -> Descent:
        C = self.expansion.coefficients(Z)
        starts = self._nearest(Z, 0) if start is None else start
        found = self._descend(C, starts)
        for attempt in range(RESTARTS):
            lost = np.flatnonzero(found.vanished)
            if lost.size:
                again = self._descend(C[lost], self._nearest(Z[lost], attempt + (start is None)))
                found.points[lost] = again.points
                found.converged[lost], found.vanished[lost] = again.converged, again.vanished
                found.iterations[lost] += again.iterations
        lost = np.flatnonzero(found.vanished)
        if lost.size:
            found.points[lost] = self._nearest(Z[lost], 0)
        self._solve(found, C, Z)
        return found

    def _descend(self, C: Floats, starts: Floats) -> Descent:
        return descend(self.rule, C, starts, tol=self.tol, max_iter=self.max_iter)

    def _nearest(self, Z: Floats, place: int) -> Floats:
        """Give the training points nearest to the projections, or second, third, … nearest."""
        distances = self.expansion.point_distances(Z, self.diagonal)
        order = np.argsort(distances, axis=1, kind="stable")
        return as_dense(self.X[order[:, min(place, order.shape[1] - 1)]])

    def _solve(self, found: Descent, C: Floats, Z: Floats) -> None:
        """Put the closed form in place where it is a pre-image indeed."""
        points = self.rule.exact(C) if isinstance(self.rule, InnerProduct) else None
        if points is None:
            return
        norms = self.expansion.squared_norms(Z)
        distance = self.rule.evaluate(points, C, np.arange(len(C)))[1] + norms
        exact = distance <= EXACT * np.abs(norms)
        found.points[exact] = points[exact]
        found.converged[exact] = True


def _rule(expansion: Expansion) -> FixedPoint:
    source = source_with_formula(expansion.source, "fixed_point")
    if source.name == "rbf":
        return Gaussian(source)
    if source.name == "sigmoid":
        warn(
            "The sigmoid kernel is indefinite: there is no theory of pre-images for it, and the "
            "iteration may settle on a point that is not the nearest.",
            PreImageWarning,
        )
    return InnerProduct(source)
