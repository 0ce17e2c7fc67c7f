"""Matrix-free Davidson in mixed precision with a Nyström preconditioner.

A randomly pivoted Cholesky factor of the kernel matrix gives the start block, the
preconditioner and a bound on what can be missed. One pass in float64 over the start block is
corrected by few passes in float32; the kernel matrix is never stored.
"""

import numpy as np

from kpca.completeness import Remainder
from kpca.gram import CentredGram
from kpca.nystrom import CentredFactor, random_pivots
from kpca.solvers.base import Problem, Solution
from kpca.solvers.search import refine
from kpca.source import KernelSource
from kpca.types import Floats

SPARE = 4


def landmarks(n: int, k: int) -> int:
    """Give a number of landmarks: more for more points and more components, never above n/4.

    Up to 720, so that the factor of 100 000 points stays within 320 MB for ten components.
    """
    return int(min(n // 4, min(25 * n ** (1 / 3), 720) + 8 * k))


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ in memory O(n m), m the number of landmarks.

    Raises
    ------
    ValueError
        If the kernel is not one of the registry, or not positive semidefinite.

    References
    ----------
    Davidson (1975), J. Comput. Phys. 17; Frangella, Tropp, Udell (2023), Randomized Nyström
    preconditioning, SIAM J. Matrix Anal. 44.
    """
    source, centering, threads = problem.source, problem.centering, problem.n_threads
    if not isinstance(source, KernelSource) or not source.semidefinite:
        raise ValueError(
            "eigen_solver='davidson' needs a kernel by name that is positive semidefinite: "
            "use 'krylov' for others."
        )
    m = landmarks(problem.n, problem.n_components)
    factor = random_pivots(source, m, problem.seed, n_threads=threads)
    nystrom = CentredFactor(factor, centering, threads)
    width = min(problem.n_components + SPARE, len(nystrom.values))
    start = centering.project(_start(problem, nystrom.vectors(width)))
    exact = CentredGram(source.tiled(np.float64, threads), centering)
    quick = CentredGram(source.tiled(np.float32, threads), centering, carries_means=False)
    bound = _remainder(nystrom, problem)
    return refine(problem, exact, quick, start, nystrom.preconditioner(width), (bound,))


def _start(problem: Problem, vectors: Floats) -> Floats:
    """Fill up with random vectors where the approximation has fewer than k dimensions."""
    missing = max(0, problem.n_components - vectors.shape[1])
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, missing))
    return np.hstack([vectors, noise])


def _remainder(nystrom: CentredFactor, problem: Problem) -> Remainder:
    """λ_{k+1}(K̄) ≤ λ_{k+1}(K̂̄) + tr(K − K̂), by Weyl's inequality."""
    k, weights = problem.n_components, problem.centering.weights
    following = float(nystrom.values[k]) if len(nystrom.values) > k else 0.0
    # Centring is a projection; weights scale the remainder by at most their maximum.
    error = nystrom.trace_error * (1.0 if weights is None else float(weights.max()))
    return Remainder(following + error, "Nyström trace")
