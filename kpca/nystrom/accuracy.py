"""How far an approximation is from the kernel matrix it stands for.

Its pairs are exact for its own matrix, K̂̄a = λa, so that K̄a − λa = (K̄ − K̂̄)a.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kpca.kernels import BoundKernel
from kpca.nystrom.sample import Sample
from kpca.operators import Centering
from kpca.operators.sources import KernelSource
from kpca.types import Floats, Matrix

PROBED = 128  # rows
CANDIDATES = 1024  # of which they are drawn


@dataclass(frozen=True, eq=False)
class Probe:
    """Rows of the exact kernel matrix, drawn at random, on which pairs are tried."""

    points: Matrix  # of shape (s, d), drawn at random, or all there are
    share: Floats  # of shape (s,): what each stands for; sums to 1
    kernel: BoundKernel  # bound to these points
    whole: bool  # whether they are all the points of positive weight

    @classmethod
    def of(
        cls,
        sample: Sample,
        source: KernelSource,
        seed: int,
        missed: Callable[[Matrix], Floats] = lambda X: np.ones(X.shape[0]),
    ) -> "Probe":
        """Draw rows from a sample, whose points `source` holds.

        Half of them are drawn in proportion to what is `missed` of k(x, x), since errors that sit
        in few rows would be in none of the others: an error is at most the root of that.
        """
        whole = sample.whole and len(sample.share) <= PROBED
        drawn = sample.draw(PROBED if whole else CANDIDATES, seed)
        every = sample.whole and len(drawn) == len(sample.share)
        share = sample.share if every else np.full(len(drawn), 1 / len(drawn))
        if not whole:
            left = missed(sample.points[drawn])
            chance = share * (1 + left / (share @ left or 1.0))
            chance /= chance.sum()
            taken = np.random.default_rng(seed).choice(len(drawn), PROBED, p=chance)
            drawn, share = drawn[taken], share[taken] / chance[taken]
        points = sample.points[drawn]
        kernel = BoundKernel(source.name, source.parameters, points)
        return cls(points, share / share.sum(), kernel, whole)

    def times(self, X: Matrix, block: Floats) -> Floats:
        """Σ_i k(probe, x_i) block_i over the rows of X: their part of the product K block."""
        return self.kernel.values(X).T @ block

    def estimate(
        self, products: Floats, scores: Floats, values: Floats, centering: Centering
    ) -> tuple[Floats, Floats]:
        """Estimate ‖K̄a − λa‖ for each pair, with the standard error of the estimate.

        With b = D^½a, u = Kb − √λ z and z the scores, the square is W times the weighted
        variance of u (its mean square without centring), which a sample of the rows estimates.
        `products` are K b at the points of the probe, `scores` theirs; both of shape (s, k).
        """
        u = products - scores * np.sqrt(values)
        if centering.center:
            u -= self.share @ u
        squares = u**2
        size = len(self.share)
        lost = size / (size - 1) if centering.center and size > 1 and not self.whole else 1.0
        mean = lost * (self.share @ squares)
        norms = np.sqrt(centering.total * mean)
        if self.whole:
            return norms, np.zeros_like(norms)
        spread = lost * np.sqrt(self.share**2 @ (squares - self.share @ squares) ** 2)
        relative = np.divide(spread, mean, out=np.zeros_like(mean), where=mean > 0)
        return norms, norms * relative / 2
