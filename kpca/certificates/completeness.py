"""Bounds on the eigenvalues that a solver has not returned.

A small residual says that *an* eigenvalue is near λ_i, not which one. Completeness is a second
statement: an upper bound on every eigenvalue that was not returned. Direct methods know λ_{k+1}.
The trace error of a Nyström approximation decides in a fit. What is left open is decided when the
answer is read, by a Cholesky factor up to 2 500 points, and by what random vectors see where that
takes two seconds at most; else on request. What is open for k components may be decided for fewer.

References
----------
Halko, Martinsson, Tropp (2011), Finding structure with randomness, SIAM Review 53.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
from scipy.linalg.lapack import dpotrf

from kpca.linalg.symmetric import eigvalsh
from kpca.operators import CentredGram, FullGram
from kpca.operators.grams import residual_norms
from kpca.types import EPS, Array, Floats

STATUSES = ("proven", "probable", "open")  # The strongest comes first.
FAILURE = 1e-6  # probability that a bound from a random start may fail with
PROBES = 8  # random vectors: as many columns as the processor multiplies in one go
# max_i |u·g_i| of independent standard normal u·g_i is below it with probability FAILURE at most,
# since each has a density of at most (2π)^(−½).
SEEN = math.sqrt(math.pi / 2) * FAILURE ** (1 / PROBES)
READ = 2500  # points up to which a Cholesky factor decides, for less than a few fits
STEPS = 60  # products of random vectors, unless another number is given
READ_SECONDS = 2.0  # Time limit for random vectors when `completeness_` is read.
GRID = 100  # values that the largest eigenvalue is tried as, and as many between two of them
BELOW = (0.99, 0.9999)  # Fractions of λ_k to prove first: a proof below λ_k also bounds the scores.
SPECTRUM = 1000  # points up to which the spectrum of what is left is computed where that fails


class Remainder(NamedTuple):
    """An upper bound on every eigenvalue of K̄ that was not returned, and how it was found."""

    bound: float
    method: str
    failure: float = 0.0  # probability that the bound does not hold; 0 for a theorem


class RandomVectors:
    """Bound the largest eigenvalue γ of C = PK̄P, P = I − QQᵀ, by Krylov spaces of random vectors.

    Let u be an eigenvector of C for γ, and g_i Gaussian vectors. Up to a probability of 1e-6 one of
    them has |u·g_i| ≥ `SEEN` (Halko, Martinsson, Tropp 2011, lemma 4.1). Lanczos from that one,
    C q_j = β_j q_{j−1} + α_j q_j + β_{j+1} q_{j+1} − f_j with rounding f_j, makes h_j = u·q_j solve
    (γ − T) h = β_q h_q e_q + φ, |h_q| ≤ 1 and |φ_j| ≤ ‖f_j‖. For γ above all eigenvalues of T the
    entries of (γ − T)⁻¹ are positive and decrease in γ, and so does the bound on
    |h_0| = |u·g_i| / ‖g_i‖ that follows: from where it is below `SEEN` / ‖g_i‖ for all i, γ is
    excluded. Neither orthogonal q_j nor a semidefinite K̄ is needed.

    The argument needs K̄ and Q to be independent of the g_i, and nothing else: the event does not
    depend on how many products are made, so that this may depend on what was seen. The g_i have a
    stream of random numbers of their own for that.
    """

    def __init__(self, operator: CentredGram, Q: Floats, seed: int) -> None:
        self.operator = operator
        self.Q = Q
        # The vectors must be independent of a solver's start.
        noise = np.random.default_rng([seed, 1]).standard_normal((len(Q), PROBES))
        self._norms, self._block = _normalized(self._outside(noise))
        self._last = np.zeros_like(noise)
        self._betas = [np.zeros(PROBES)]
        self._alphas: list[Floats] = []

    def _outside(self, V: Floats) -> Floats:
        return self.operator.centering.project(V - self.Q @ (self.Q.T @ V))

    def advance(self) -> None:
        """Multiply the last vectors by C."""
        image = self._outside(self.operator.matmul(self._block)) - self._last * self._betas[-1]
        self._alphas.append(np.einsum("ij,ij->j", self._block, image))
        image -= self._block * self._alphas[-1]
        self._last = self._block
        beta, self._block = _normalized(image)
        self._betas.append(beta)

    @np.errstate(divide="ignore", invalid="ignore")  # A pivot of zero excludes nothing.
    def excludes(self, tried: Floats, seen: float = SEEN) -> Array:
        """Say which values are above all eigenvalues of each T, and have |u·g_i| below `seen`."""
        pivots: list[Floats] = []
        for alpha, beta in zip(self._alphas[::-1], self._betas[:0:-1], strict=True):
            pivots.append(tried[:, None] - alpha - (beta**2 / pivots[-1] if pivots else 0.0))
        above = np.all([(pivot > 0).all(axis=1) for pivot in pivots], axis=0)
        bound = np.zeros((len(tried), PROBES))
        column = np.ones_like(bound)
        for pivot, beta in zip(pivots[::-1], [np.ones(PROBES), *self._betas[1:]], strict=False):
            column = column * beta / pivot  # a column of (γ − T)⁻¹
            bound += column * self.operator.error
        bound += column * self._betas[-1]
        return above & (bound * self._norms < seen).all(axis=1)

    def largest(self) -> float:
        """Return the bound on γ."""
        most = self.operator.scale + self.operator.error
        low = 1e-8 * most
        for _ in range(2 if most > 0 else 0):
            tried = low * (most / low) ** np.linspace(0, 1, GRID)
            excluded = np.flatnonzero(self.excludes(tried))
            first = excluded[0] if len(excluded) else GRID - 1
            low = tried[max(first - 1, 0)]
            most = tried[first]
        return float(most)


def _normalized(V: Floats) -> tuple[Floats, Floats]:
    norms = np.linalg.norm(V, axis=0)
    return norms, V / np.where(norms > 0, norms, 1)


@dataclass(frozen=True)
class Completeness:
    """Whether an eigenvalue above the last computed one can have been missed.

    Attributes
    ----------
    status : {"proven", "probable", "open"}
        "proven" by a theorem, with rounding bounded in the worst case. "probable" up to a stated
        probability. "open" if it is not decided: eigenvalues between λ_k and the bound may be
        missing, but none above the bound.
    bound : float
        Upper bound on every eigenvalue that was not returned.
    method : str
        How the bound was found.
    failure : float
        Probability that the bound does not hold; 0 for a theorem.
    remedy : str, default=""
        What to do if it is open.
    """

    status: str
    bound: float
    method: str
    failure: float
    remedy: str = ""

    def __str__(self) -> str:
        chance = f", failing with probability {self.failure:.0e}" if self.failure else ""
        claim = f"no eigenvalue above {self.bound:.6g} is missing"
        remedy = f"; {self.remedy}" if self.remedy and self.status == "open" else ""
        return f"{self.status}: {claim} ({self.method}{chance}){remedy}"


def judge(limit: float, bounds: Iterable[Remainder]) -> Completeness:
    """Return the result of the first bound that is not above the limit, or else of the lowest.

    Parameters
    ----------
    limit : float
        λ_k, or what counts as zero if it is larger, plus the tolerance.
    bounds : iterable of Remainder
        In order of cost; computed only as far as they are needed.
    """
    best = Remainder(math.inf, "none")
    for remainder in bounds:
        if remainder.bound <= limit:
            status = "probable" if remainder.failure else "proven"
            return Completeness(status, *remainder)
        best = min(best, remainder, key=lambda r: r.bound)
    return Completeness("open", *best)


def spectrum_left(
    operator: CentredGram, values: Floats, vectors: Floats, limit: float
) -> Remainder:
    """Bound the omitted eigenvalues by the spectrum of K̄ − AΛAᵀ (Weyl).

    A Cholesky factor proves a bound if it exists. The matrix is stored whole, and the pairs are of
    shape (k,) and (n, k). A bound that is not above the `limit` decides.
    """
    remainder = operator.centering.matrix(cast(FullGram, operator.gram).K)
    remainder -= (vectors * values) @ vectors.T
    slack = operator.backward_error + (len(values) + 2) * EPS * float(np.abs(values).sum())
    tried = [share * float(values[-1]) for share in BELOW] if len(values) else []
    for bound in tried if operator.n <= SPECTRUM else [*tried, limit]:
        if is_below(remainder, bound - slack):
            return Remainder(bound, "Cholesky factor")
    if operator.n > SPECTRUM:
        return Remainder(math.inf, "Cholesky factor")
    # All of them: the driver for a few fails now and then.
    highest = float(eigvalsh(remainder, driver="evd", overwrite_a=True)[-1])
    return Remainder(max(highest, 0.0) + slack, "spectrum of the remainder")


def is_below(matrix: Floats, limit: float) -> bool:
    """Try to prove by a Cholesky factor of σ − A that every eigenvalue of A is below a limit.

    A factor in n dimensions is exact for a matrix within (n + 1) u tr (Higham 2002, theorem 10.3),
    which is taken off the limit to give σ.
    """
    n = len(matrix)
    trace = len(matrix) * limit - matrix.trace()
    sigma = limit - (n + 2) * EPS * trace
    if not (sigma > 0 and trace > 0):
        return False
    shifted = -matrix
    shifted.flat[:: n + 1] += sigma
    factor, failed = dpotrf(shifted.T, overwrite_a=1, clean=0)
    return failed == 0 and np.isfinite(factor.diagonal()).all()  # NaN may pass as success


def bound_by_random_vectors(
    beside: RandomVectors, values: Floats, limit: float, steps: int
) -> Remainder:
    """Bound every eigenvalue except those of the k eigenvectors Q, by random vectors.

    The bound is γ plus the norm of all residuals together (Weyl). At most `steps` products are
    made, until the bound is below the limit, or is known to stay above it.
    """
    operator = beside.operator
    rounding = 2 * operator.error * math.sqrt(len(values))
    coupling = float(np.linalg.norm(residual_norms(operator, values, beside.Q))) + rounding
    bound = math.inf
    for _ in range(steps):
        beside.advance()
        bound = beside.largest() + coupling
        if bound <= limit or not beside.excludes(np.array([limit - coupling]), math.inf)[0]:
            break
    return Remainder(bound, "random vectors", FAILURE)
