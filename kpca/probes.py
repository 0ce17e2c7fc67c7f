"""Random vectors that ride along the passes of a search, to bound what an approximation leaves.

With T an approximation of K̄ and R = K̄ − T, Weyl's inequality gives λ_{k+1}(K̄) ≤ λ_{k+1}(T) + ‖R‖.
Powers of R on Gaussian vectors ω bound its norm: ‖R^q ω‖ ≥ ‖R‖^q |v·ω|, v a leading
eigenvector of R, and it is improbable that |v·ω| is small for all of several ω. Each pass over K̄
that the search makes anyway gives one more power.

References
----------
Halko, Martinsson, Tropp (2011), Finding structure with randomness, SIAM Review 53, lemma 4.1.
"""

import math

import numpy as np

from kpca.completeness import FAILURE, Remainder
from kpca.gram import Centering
from kpca.solvers.subspace import Product
from kpca.types import Array, Floats

PROBES = 8


class Probes:
    """Powers of R = K̄ − T on random vectors.

    Parameters
    ----------
    approximation : callable
        T on a block.
    following : float
        λ_{k+1}(T).
    centering : Centering
    seed : int
    enough : float
        A bound below which further powers are not worth their products.
    """

    def __init__(
        self,
        approximation: Product,
        following: float,
        centering: Centering,
        seed: int,
        enough: float = -math.inf,
    ) -> None:
        noise = np.random.default_rng([seed, PROBES]).standard_normal((centering.n, PROBES))
        self._block = centering.project(noise)
        self._approximation = approximation
        self._following = following
        self._enough = enough
        self._growth: list[Floats] = []

    def along(self, product: Product) -> Product:
        """Give the product with K̄ that takes the probes along, until they have said enough."""

        def joined(V: Array) -> Floats:
            if self.remainder(0.0).bound <= self._enough:
                return product(V)
            out = product(np.hstack([V, self._block]))
            self._advance(out[:, V.shape[1] :])
            return out[:, : V.shape[1]]

        return joined

    def _advance(self, images: Floats) -> None:
        left = images - self._approximation(self._block)
        norms = np.linalg.norm(left, axis=0)
        self._growth.append(norms)
        self._block = left / np.maximum(norms, np.finfo(np.float64).tiny)

    def remainder(self, slack: float) -> Remainder:
        """Bound λ_{k+1}(K̄), with probability of failure 1e-6.

        All of s independent |v·ω| lie below t with probability at most (t √(2/π))^s.

        Parameters
        ----------
        slack : float
            Bound on the error of a product in low precision with a unit vector.
        """
        least = FAILURE ** (1 / PROBES) * math.sqrt(math.pi / 2)
        power, best = np.ones(PROBES), math.inf
        for q, norms in enumerate(self._growth, start=1):
            power = power * (norms + slack * (q > 1))
            best = min(best, float((power / least).max() ** (1 / q)))
        return Remainder(self._following + best, "random probes", FAILURE)
