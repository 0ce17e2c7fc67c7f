"""Whether an eigenvalue above λ_k can have been missed.

A small residual says that *an* eigenvalue is near λ_i, not which one. Completeness is a second
statement: an upper bound on every eigenvalue that was not returned. The bounds, in order of
cost, are the trace that is left, the trace error of a Nyström approximation, the
Frobenius norm that is left or that a Krylov space leaves to its complement, and what a random start
has seen, which a fit knows without further work; then, when the answer is read and still open, a
Cholesky factor and the spectrum of the remainder of up to 1 000 points; and on request Lanczos from
a random start. The first whose bound lies below λ_k decides.

References
----------
Kuczyński, Woźniakowski (1992), Estimating the largest eigenvalue by the power and Lanczos
algorithms with a random start, SIAM J. Matrix Anal. 13.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

import numpy as np
from scipy.linalg import eigvalsh
from scipy.linalg.lapack import dpotrf

from kpca.linalg.block_lanczos import KrylovSpace, block_lanczos
from kpca.operators import CentredGram, FullGram
from kpca.types import Array, Floats

STATUSES = ("proven", "probable", "open")  # from the strongest on
FAILURE = 1e-6  # probability that a bound from a random start may fail with


class Remainder(NamedTuple):
    """An upper bound on every eigenvalue of K̄ that was not returned, and how it was found.

    One that `bounds_next_eigenvalue`, λ_{k+1}(K̄), bounds what was not returned only if it lies
    below λ_k by more than the residuals: then k eigenvalues near those returned are the k largest.
    """

    bound: float
    method: str
    failure: float = 0.0  # probability that the bound does not hold; 0 for a theorem
    bounds_next_eigenvalue: bool = False


def kuczynski_wozniakowski_bound(
    estimate: float, steps: int, starts: int, n: int, lowest: float
) -> Remainder:
    """Bound what a block Krylov space from random vectors leaves, failing with probability 1e-6.

    Among s + k random `starts` there are s combinations without a component along the k pairs
    returned. Their Krylov space lies in the one searched, so that the next Ritz value, the
    `estimate` μ, is at least what Lanczos gives on the deflated matrix from s independent random
    starts, and P[μ ≤ (1 − ε) λ] ≤ (1.648 √n exp(−√ε (2q − 1)))^s for a positive semidefinite
    matrix, where q `steps` are the products made before any restart. An indefinite one is shifted
    by its `lowest` eigenvalue, λ_min(K̄), which is 0 for a positive semidefinite kernel.
    """
    needed = math.log(1.648 * math.sqrt(n)) - math.log(FAILURE) / starts
    epsilon = (needed / (2 * steps - 1)) ** 2
    if epsilon >= 1:
        return Remainder(math.inf, "lanczos", FAILURE)
    shift = max(0.0, -lowest)
    bound = (max(estimate, 0.0) + shift) / (1 - epsilon) - shift
    return Remainder(bound, "lanczos", FAILURE)


PROBES = 8  # random vectors: as many columns as the processor multiplies in one go
PASSES = 4  # products of them that a fit makes at most
# max_i |u·g_i| of independent standard normal u·g_i is below it with probability FAILURE at most,
# since each has a density of at most (2π)^(−½).
SEEN = math.sqrt(math.pi / 2) * FAILURE ** (1 / PROBES)
GRID = np.geomspace(1e-8, 1, 400)  # of what the largest eigenvalue is tried as


class Complement:
    """Bound λ_{k+1}(K̄) by what random vectors see of C = PK̄P, P = I − QQᵀ, Q orthonormal.

    Let u be an eigenvector of C for its largest eigenvalue γ, and g_i Gaussian vectors. Up to a
    probability of 1e-6 one of them has |u·g_i| ≥ `SEEN` (Halko, Martinsson, Tropp 2011, lemma 4.1).
    Lanczos from that one, C q_j = β_j q_{j−1} + α_j q_j + β_{j+1} q_{j+1} − f_j with rounding f_j,
    makes h_j = u·q_j solve (γ − T) h = β_q h_q e_q + φ, |h_q| ≤ 1 and |φ_j| ≤ ‖f_j‖. For γ above
    all eigenvalues of T the entries of (γ − T)⁻¹ are positive and decrease in γ, and so does the
    bound on |h_0| = |u·g_i| / ‖g_i‖ that follows: from where it is below `SEEN` / ‖g_i‖ for all i,
    γ is excluded. Neither orthogonal q_j nor a semidefinite K̄ is needed.

    The argument needs K̄ and Q to be independent of the g_i, and nothing else: the event does not
    depend on how many products are made, so that this may depend on what was seen, and so may
    all that a fit does after Q. The g_i have a stream of random numbers of their own for that.
    """

    def __init__(self, Q: Floats, k: int, project: Callable[[Floats], Floats], seed: int) -> None:
        self.Q, self.k, self._project = Q, k, project
        noise = np.random.default_rng([seed, 1]).standard_normal((len(Q), PROBES))  # not a solver's
        self._norms, self._block = _normalized(self._outside(noise))
        self._last, self._betas = np.zeros_like(noise), [np.zeros(PROBES)]
        self._alphas: list[Floats] = []
        self._errors: list[float] = []

    def set_products(self, products: Floats, error: float) -> None:
        """Take K̄Q, in float64, off by a norm of at most `error`."""
        self._H, self._error = self.Q.T @ products, error
        B = products - self.Q @ self._H
        self._coupling = B.T @ B

    def _outside(self, V: Floats) -> Floats:
        return self._project(V - self.Q @ (self.Q.T @ V))

    def along(self, operator: CentredGram, V: Floats) -> Floats:
        """Return K̄ V, and let the random vectors go along where they may decide something."""
        if self.passes and not self.is_promising(operator):
            return operator.matmul(V)
        products = operator.matmul(np.hstack([V, self._block]))
        self._take(products[:, V.shape[1] :], operator.error(operator.size))
        return products[:, : V.shape[1]]

    def _take(self, products: Floats, error: float) -> None:
        left = self._outside(products) - self._last * self._betas[-1]
        self._alphas.append(np.einsum("ij,ij->j", self._block, left))
        left -= self._block * self._alphas[-1]
        self._last = self._block
        beta, self._block = _normalized(left)
        self._betas.append(beta)
        self._errors.append(error)

    @property
    def passes(self) -> int:
        """Number of products made."""
        return len(self._alphas)

    def is_promising(self, operator: CentredGram, most: int = PASSES) -> bool:
        """Say whether λ_k and λ_{k+1} are not told apart, and further products may do that."""
        limit = float(np.linalg.eigvalsh(self._H)[-self.k])
        below = all(alpha.max() < limit for alpha in self._alphas)  # Rayleigh quotients of C
        return self.passes < most and below and not self.bound(operator).bound < limit

    def largest(self, most: float) -> float:
        """Bound the largest eigenvalue γ of C, which is at most `most`, or give that back."""
        tried = most * GRID[:, None]
        pivots, above = np.full((len(GRID), PROBES), np.inf), np.ones(len(GRID), dtype=bool)
        found: list[Floats] = []
        for alpha, beta in zip(self._alphas[::-1], self._betas[:0:-1], strict=True):
            pivots = tried - alpha - (beta**2 / pivots if found else 0.0)
            above &= (pivots > 0).all(axis=1)
            found.insert(0, pivots)
        column, seen = np.ones_like(pivots), np.zeros_like(pivots)
        betas = [np.ones(PROBES), *self._betas[1:]]
        for pivots, beta, error in zip(found, betas, self._errors, strict=False):
            column = column * beta / pivots  # of (γ − T)⁻¹
            seen += column * error
        seen = (seen + column * self._betas[-1]) * self._norms
        excluded = np.flatnonzero(above & (seen < SEEN).all(axis=1))
        return float(tried[excluded[0], 0]) if len(excluded) else most

    def bound(self, operator: CentredGram) -> Remainder:
        """Bound λ_{k+1}(K̄) with a bound γ on the eigenvalues of C.

        For σ > γ, K̄ − σ has as many eigenvalues that are not negative as its Schur complement, at
        most those of H + BᵀB/(σ − γ) − σ with K̄Q = QH + B (Haynsworth). λ_{k+1} of H + BᵀB/(σ − γ)
        falls with σ: where it is above σ, it is itself a bound. An error of K̄Q is one of K̄ of twice
        the norm that leaves C as it is.
        """
        values, k = np.linalg.eigvalsh(self._H)[::-1], self.k
        largest = self.largest(operator.size + operator.error(operator.size))
        sigma = max(float(values[k]) if len(values) > k else 0.0, (largest + values[k - 1]) / 2)
        if sigma <= largest:
            return Remainder(math.inf, "random vectors", FAILURE, bounds_next_eigenvalue=True)
        highest = np.linalg.eigvalsh(self._H + self._coupling / (sigma - largest))[::-1]
        bound = max(sigma, float(highest[k]) if len(values) > k else 0.0) + 2 * self._error
        return Remainder(float(bound), "random vectors", FAILURE, bounds_next_eigenvalue=True)


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
    """

    status: str
    bound: float
    method: str
    failure: float

    def times(self, factor: float) -> "Completeness":
        """Return the statement for a matrix that is larger by a factor.

        Parameters
        ----------
        factor : float
            The factor.

        Returns
        -------
        Completeness
            The same statement, with the bound times the factor.
        """
        return replace(self, bound=self.bound * factor)

    def __str__(self) -> str:
        chance = f", failing with probability {self.failure:.0e}" if self.failure else ""
        claim = f"no eigenvalue above {self.bound:.6g} is missing"
        return f"{self.status}: {claim} ({self.method}{chance})"


def judge(
    limit: float, bounds: Iterable[Remainder], certified_lower_bound: float | None = None
) -> Completeness:
    """Take the first bound that is below the limit, or give the best of all.

    Parameters
    ----------
    limit : float
        λ_k, or what counts as zero if it is larger, plus the tolerance.
    bounds : iterable of Remainder
        In order of cost; computed only as far as they are needed.
    certified_lower_bound : float, optional
        λ_k less the norm of all residuals: what a bound on λ_{k+1} has to lie below, by default
        the limit.
    """
    least = limit if certified_lower_bound is None else certified_lower_bound
    best = Remainder(math.inf, "none")
    for found in bounds:
        if found.bound < least if found.bounds_next_eigenvalue else found.bound <= limit:
            status = "probable" if found.failure else "proven"
            return Completeness(status, found.bound, found.method, found.failure)
        best = min(best, found, key=lambda r: math.inf if r.bounds_next_eigenvalue else r.bound)
    return Completeness("open", best.bound, best.method, best.failure)


def remaining_trace(operator: CentredGram, values: Floats, norms: Floats) -> Remainder:
    """Bound them by the trace that is left, Σ_{i>k} λ_i ≥ λ_{k+1} for a semidefinite K̄.

    A value is a Rayleigh quotient but for the norm of its residual.
    """
    left = operator.trace - float(values.sum()) + float(norms.sum())
    return Remainder(max(left, 0.0) + _rounding(operator), "remaining trace")


def remaining_norm(operator: CentredGram, values: Floats, norms: Floats) -> Remainder | None:
    """Bound them by the Frobenius norm that is left, where K is stored."""
    if operator.squared_norm is None:
        return None
    found = float((np.maximum(np.abs(values) - norms, 0) ** 2).sum())
    left = operator.centred_squared_norm(operator.means) - found
    return Remainder(math.sqrt(max(left, 0.0)), "remaining Frobenius norm")


def _rounding(operator: CentredGram) -> float:
    """Bound the rounding of a sum over the diagonal and over the means."""
    eps = float(np.finfo(np.float64).eps)
    return 2 * operator.n * eps * operator.scale + 2 * operator.entry_error


def krylov_complement(
    space: KrylovSpace, k: int, searched: CentredGram, means: Floats
) -> Remainder:
    """Bound them by the norm that a Krylov space leaves to its complement.

    k is the number of pairs returned; K̄ comes as it was searched, perhaps in a lower precision,
    and `means` are those of K.
    """
    square = searched.centred_squared_norm(means)
    bound = space.left_out(k, square) + _lost(space, searched)
    # In a lower precision it bounds λ_{k+1}: the pairs were refined since.
    lower = searched.gram.dtype != np.float64
    return Remainder(bound, "Krylov complement", bounds_next_eigenvalue=lower)


def krylov_start(space: KrylovSpace, k: int, lowest: float, searched: CentredGram) -> Remainder:
    """Bound them by what a Krylov space from random vectors has seen."""
    n, columns = space.vectors.shape
    seen = space.next_ritz_value(k) + _lost(space, searched)
    return kuczynski_wozniakowski_bound(seen, space.steps, columns - k, n, lowest)


def _lost(space: KrylovSpace, searched: CentredGram) -> float:
    """Bound the norm of the errors of all products that a space was spanned by."""
    return searched.error(searched.size) * math.sqrt(len(space.values))


def from_the_matrix(
    operator: CentredGram, values: Floats, vectors: Floats, limit: float
) -> Iterator[Remainder]:
    """Yield bounds that cost as much as a fit or more: a Cholesky factor, then all that is left.

    The matrix is stored whole, the pairs are of shape (k,) and (n, k), and `limit` is the bound
    that decides.
    """
    left = operator.centering.matrix(cast(FullGram, operator.gram).K)
    left -= (vectors * values) @ vectors.T
    rounding = 4 * (operator.n + 4) * operator.size + (len(values) + 2) * np.abs(values).sum()
    if is_below(left, limit, float(rounding)):
        yield Remainder(limit, "Cholesky factor")
    # All of them: the driver for a few fails now and then.
    highest = eigvalsh(left, driver="evd", overwrite_a=True)[-1]
    yield Remainder(float(highest) + _rounding(operator), "spectrum of the remainder")


def decide(operator: CentredGram, values: Floats, vectors: Floats, tol: float) -> Completeness:
    """Judge eigenpairs by what `from_the_matrix` says."""
    top = max(float(values.max(initial=0)), 0.0)
    limit = max(float(values[-1]) if len(values) else 0.0, _rounding(operator)) + tol * top
    return judge(limit, from_the_matrix(operator, values, vectors, limit))


def is_below(left: Floats, limit: float, rounding: float) -> bool:
    """Try to prove that every eigenvalue of K̄ − AΛAᵀ (`left`) is at most a limit.

    By Weyl's inequality the largest of them bounds λ_{k+1}(K̄). The proof is a Cholesky factor of
    σI − (K̄ − AΛAᵀ) with σ just below the limit. What rounding may hide is taken off σ beforehand: a
    factor in n dimensions is exact for a matrix within (n + 1) u tr, u = eps/2, and the matrix
    itself is known within u times `rounding`.

    References
    ----------
    Higham (2002), Accuracy and stability of numerical algorithms, theorem 10.3.
    """
    n, unit = len(left), float(np.finfo(np.float64).eps) / 2
    trace = n * limit + max(-float(left.trace()), 0.0)
    sigma = limit - unit * ((n + 2) * trace + rounding)
    if not sigma > 0:
        return False
    matrix = -left
    matrix.flat[:: n + 1] += sigma
    factor, failed = dpotrf(matrix.T, lower=0, clean=0, overwrite_a=1)
    return failed == 0 and bool(np.isfinite(factor.diagonal()).all())  # NaN may pass as success


def deflated_lanczos(
    operator: CentredGram, vectors: Floats, lowest: float, steps: int, seed: int
) -> Remainder:
    """Bound the largest eigenvalue of (I − AAᵀ)K̄(I − AAᵀ) by Lanczos from a random start."""

    def left(V: Array) -> Floats:
        return V - vectors @ (vectors.T @ V)

    start = np.random.default_rng([seed, 1]).standard_normal((operator.n, 1))  # not a solver's
    space = block_lanczos(
        start,
        lambda V: left(operator.matmul(left(V))),
        1,
        -1.0,  # never met: the bound is that of all steps
        max_basis=steps,
        max_iter=steps - 1,
    )
    highest = float(space.values[0])
    if space.steps < steps:  # the Krylov space is invariant: nothing was left to see
        return Remainder(highest, "lanczos", FAILURE)
    return kuczynski_wozniakowski_bound(highest, space.steps, 1, operator.n, lowest)
