"""Bounds on the eigenvalues that a solver has not returned.

A small residual says that *an* eigenvalue is near λ_i, not which one. Completeness is a second
statement: an upper bound on every eigenvalue that was not returned. Direct methods know λ_{k+1},
which is such a bound. In other fits, the trace error of a Nyström approximation may decide
completeness. Otherwise it is decided when `completeness_` is read: by a Cholesky factor up to 2 500
points, and by random vectors if they take at most two seconds. Larger problems are decided on
request. If completeness is open for k components, it may still be decided for fewer.

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
from kpca.operators.grams import CentredGram, FullGram, residual_norms
from kpca.types import EPS, Array, Floats

STATUSES = ("proven", "probable", "open")  # from the strongest to the weakest
FAILURE = 1e-6  # largest probability that a bound from random vectors does not hold
PROBES = 8  # number of random vectors, which the processor multiplies in one go
# The largest modulus of PROBES independent standard normal numbers is below SEEN with a probability
# of at most FAILURE, because the density of each number is at most (2π)^(−½).
SEEN = math.sqrt(math.pi / 2) * FAILURE ** (1 / PROBES)
# Largest n for which a Cholesky factor decides completeness. Up to this n, the factor costs less
# than a few fits.
READ = 2500
STEPS = 60  # default number of products with the random vectors
READ_SECONDS = 2.0  # time limit for random vectors when `completeness_` is read
GRID = 100  # number of values that each of the two rounds of the search for a bound on γ tries
# Fractions of λ_k that are tried first as bounds, because the errors of the scores can be bounded
# if the omitted eigenvalues are below λ_k.
BELOW = (0.99, 0.9999)
SPECTRUM = 1000  # largest n for which all omitted eigenvalues are computed if the proofs fail


class Remainder(NamedTuple):
    """An upper bound on every eigenvalue of K̄ that was not returned, and how it was found."""

    bound: float
    method: str
    failure: float = 0.0  # probability that the bound does not hold; 0 for a theorem


class RandomVectors:
    """Bound the largest eigenvalue γ of C = PK̄P, P = I − QQᵀ, by Krylov spaces of random vectors.

    Q are the returned eigenvectors. Let u be an eigenvector of C for γ, and g_i Gaussian vectors.
    Except with probability 1e-6, one of them has |u·g_i| ≥ `SEEN` (Halko, Martinsson, Tropp 2011,
    lemma 4.1). Lanczos from this g_i gives C q_j = β_j q_{j−1} + α_j q_j + β_{j+1} q_{j+1} − f_j
    with rounding f_j, and a tridiagonal matrix T of the α_j and β_j. After q steps, h_j = u·q_j
    solves (γ − T) h = β_q h_q e_q + φ, where |h_q| ≤ 1 and |φ_j| ≤ ‖f_j‖. If γ is above all
    eigenvalues of T, the entries of (γ − T)⁻¹ are positive and decrease in γ. So does the resulting
    bound on |h_0| = |u·g_i| / ‖g_i‖. Every γ for which this bound is below `SEEN` / ‖g_i‖ for all i
    is excluded. Neither orthogonal q_j nor a semidefinite K̄ is needed.

    The argument only requires that K̄ and Q are independent of the g_i, which therefore have their
    own stream of random numbers. The event does not depend on the number of products, so that
    earlier products may decide whether another one is made.
    """

    def __init__(self, operator: CentredGram, Q: Floats, seed: int) -> None:
        self.operator = operator
        self.Q = Q
        # Use a stream of its own, because the vectors must be independent of a solver's start.
        noise = np.random.default_rng([seed, 1]).standard_normal((len(Q), PROBES))
        self._norms, self._block = _normalized(self._outside(noise))
        self._last = np.zeros_like(noise)
        self._betas = [np.zeros(PROBES)]
        self._alphas: list[Floats] = []

    def _outside(self, V: Floats) -> Floats:
        return self.operator.centering.project(V - self.Q @ (self.Q.T @ V))

    def advance(self) -> None:
        """Take one Lanczos step from each random vector, by a product with C."""
        image = self._outside(self.operator.matmul(self._block)) - self._last * self._betas[-1]
        self._alphas.append(np.einsum("ij,ij->j", self._block, image))
        image -= self._block * self._alphas[-1]
        self._last = self._block
        beta, self._block = _normalized(image)
        self._betas.append(beta)

    @np.errstate(divide="ignore", invalid="ignore")  # A pivot of zero excludes nothing.
    def excludes(self, tried: Floats, seen: float = SEEN) -> Array:
        """Return for each of the `tried` values whether it is excluded as γ.

        An excluded value exceeds all eigenvalues of each T, and the bound that it gives on |u·g_i|
        is below `seen` for all i.
        """
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
        """Return an upper bound on γ."""
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
        "proven" by a theorem, with rounding bounded in the worst case. "probable" if the bound
        holds except with the probability `failure`. "open" if completeness is not decided:
        eigenvalues between λ_k and the bound may be missing, but none above the bound.
    bound : float
        Upper bound on every eigenvalue that was not returned.
    method : str
        How the bound was found.
    failure : float
        Probability that the bound does not hold; 0 for a theorem.
    remedy : str, default=""
        What to do if the status is "open".
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
    """Return the certificate for the first bound of at most `limit`, or else for the lowest bound.

    Parameters
    ----------
    limit : float
        λ_k plus the tolerance. If λ_k counts as zero, the threshold for zero replaces λ_k.
    bounds : iterable of Remainder
        Bounds in order of cost. They are computed only until one decides.
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

    Λ are the `values`, of shape (k,), and A the `vectors`, of shape (n, k). The operator must store
    its matrix. If σI − (K̄ − AΛAᵀ) has a Cholesky factor, σ plus rounding is a bound. A bound of at
    most `limit` decides completeness.
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
    # Compute all eigenvalues, because LAPACK's driver for a few of them fails now and then.
    highest = float(eigvalsh(remainder, driver="evd", overwrite_a=True)[-1])
    return Remainder(max(highest, 0.0) + slack, "spectrum of the remainder")


def is_below(matrix: Floats, limit: float) -> bool:
    """Return whether a Cholesky factor proves that every eigenvalue of `matrix` is below `limit`.

    Let A be the n × n matrix. The computed factor of σI − A is the exact factor of a matrix that
    differs from σI − A by at most (n + 1) u tr(σI − A) (Higham 2002, theorem 10.3). σ is the limit
    minus this rounding.
    """
    n = len(matrix)
    trace = len(matrix) * limit - matrix.trace()
    sigma = limit - (n + 2) * EPS * trace
    if not (sigma > 0 and trace > 0):
        return False
    shifted = -matrix
    shifted.flat[:: n + 1] += sigma
    factor, failed = dpotrf(shifted.T, overwrite_a=1, clean=0)
    return failed == 0 and np.isfinite(factor.diagonal()).all()  # LAPACK may accept NaN.


def bound_by_random_vectors(
    beside: RandomVectors, values: Floats, limit: float, steps: int
) -> Remainder:
    """Bound every eigenvalue of K̄ except the k returned `values`, by products with random vectors.

    `beside` holds the random vectors, and the eigenvectors Q of the `values`. The bound is that of
    `RandomVectors` on γ, plus the norm of all residuals together (Weyl). At most `steps` products
    are made. The loop ends earlier if the bound reaches `limit`, or if it cannot reach `limit`.
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
