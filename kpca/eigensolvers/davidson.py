"""Matrix-free Davidson in mixed precision with a Nyström preconditioner.

A randomly pivoted Cholesky factor of the kernel matrix gives the start block, the
preconditioner and a bound on what can be missed. One pass in float64 over the start block is
corrected by few passes in float32; the kernel matrix is never stored.
"""

import numpy as np

from kpca.certificates.completeness import Remainder
from kpca.eigensolvers.block_lanczos import OVERSAMPLING, refine
from kpca.eigensolvers.block_lanczos import width as widened
from kpca.eigensolvers.problem import Problem, Solution, feature_bytes
from kpca.lowrank import Nystrom
from kpca.operators import CentredGram
from kpca.operators.sources import KernelSource

TILES = 1.5e6  # bytes of the tiles of a thread


def memory(problem: Problem) -> float:
    """Count the factor of the landmarks, features and the vectors of the search."""
    n, k = float(problem.n), problem.n_components
    search = 8 * n * (12 * k + 20) + TILES * problem.n_threads
    return 40.0 * landmarks(problem.n, k) ** 2 + 2 * feature_bytes(problem.source) + search


def landmarks(n: int, k: int) -> int:
    """Return a number of landmarks: more for more points and more components, never above n/4.

    They cost n m², and a pass that they save costs n²: a twentieth of the points was fastest, or
    as fast as any, for n from 3 000 to 10 000. Beyond 560 next to nothing more is saved.
    """
    return int(min(n // 4, min(n / 20, 560) + 8 * k))


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
    if not source.diagonal(source.X).any():
        return _nothing(problem, CentredGram(source.operator(threads), centering))
    m = landmarks(problem.n, problem.n_components)
    nystrom = Nystrom(source, centering, m, problem.seed, threads)
    k, rank = problem.n_components, len(nystrom.values)
    left = Remainder(nystrom.next_bound(k), "Nyström trace", bounds_next_eigenvalue=True)
    settled = rank >= k and left.bound < nystrom.values[k - 1]
    width = k + OVERSAMPLING if settled or rank < k else widened(nystrom.values, k)
    width = min(width, rank)
    # Random vectors fill up where the approximation has fewer than k dimensions.
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, max(0, k - width)))
    return refine(
        problem,
        CentredGram(source.operator(threads), centering),
        CentredGram(source.operator(threads, np.float32), centering),
        centering.project(np.hstack([nystrom.vectors(width), noise])),
        nystrom.preconditioner(width),
        (left,),
        settled=settled,
    )


def _nothing(problem: Problem, exact: CentredGram) -> Solution:
    """Return the eigenpairs of a kernel matrix of zeros."""
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, problem.n_components))
    vectors = np.linalg.qr(problem.centering.project(noise))[0]
    zeros = np.zeros(problem.n_components)
    return Solution(zeros, vectors, exact, remainders=(Remainder(0.0, "zero matrix"),))
