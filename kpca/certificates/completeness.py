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
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

FAILURE = 1e-6  # probability that a bound from a random start may fail with


class Remainder(NamedTuple):
    """An upper bound on every eigenvalue of K̄ that was not returned, and how it was found.

    A bound that `counts` is one on λ_{k+1}(K̄). It says what was not returned only where it lies
    below λ_k by more than the residuals: then k eigenvalues near those returned are the k largest.
    """

    bound: float
    method: str
    failure: float = 0.0  # probability that the bound does not hold; 0 for a theorem
    counts: bool = False


def random_start(estimate: float, steps: int, starts: int, n: int, lowest: float) -> Remainder:
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


@dataclass(frozen=True)
class Completeness:
    """What the bounds say together.

    Attributes
    ----------
    status : {"proven", "probable", "open"}
        Proven by a theorem, rounding bounded in the worst case; up to a stated probability; or not
        decided: then eigenvalues between λ_k and the bound may be missing, but none above it.
    bound : float
        Upper bound on every eigenvalue that was not returned.
    method : str
        How the bound was found.
    failure : float
        Probability that the bound does not hold.
    """

    status: str
    bound: float
    method: str
    failure: float

    def __str__(self) -> str:
        chance = f", failing with probability {self.failure:.0e}" if self.failure else ""
        claim = f"no eigenvalue above {self.bound:.6g} is missing"
        return f"{self.status}: {claim} ({self.method}{chance})"


def judge(limit: float, bounds: Iterable[Remainder], certain: float | None = None) -> Completeness:
    """Take the first bound that is below the limit, or give the best of all.

    Parameters
    ----------
    limit : float
        λ_k, or what counts as zero where it is larger, plus the tolerance.
    bounds : iterable of Remainder
        In order of cost; computed only as far as they are needed.
    certain : float, optional
        λ_k less the norm of all residuals: what a bound on λ_{k+1} has to lie below, by default
        the limit.
    """
    least = limit if certain is None else certain
    best = Remainder(math.inf, "none")
    for found in bounds:
        if found.bound < least if found.counts else found.bound <= limit:
            status = "probable" if found.failure else "proven"
            return Completeness(status, found.bound, found.method, found.failure)
        best = min(best, found, key=lambda r: math.inf if r.counts else r.bound)
    return Completeness("open", best.bound, best.method, best.failure)
