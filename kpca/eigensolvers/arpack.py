"""Implicitly restarted Lanczos (ARPACK)."""

from dataclasses import replace

import numpy as np
from scipy.linalg.blas import dsymv
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from kpca.eigensolvers import dense
from kpca.eigensolvers.problem import Problem, Solution, definiteness_bytes, stored_bytes
from kpca.operators import CentredGram
from kpca.types import Floats

FALLBACK = 2000  # up to here LAPACK takes over where it does not converge
PATIENCE = 100
"""Restarts before LAPACK takes over.

If the rank is below the number of components, no number of restarts is enough.
"""


def memory(problem: Problem) -> float:
    """Count K and the vectors of the search."""
    n, k = float(problem.n), problem.n_components
    return stored_bytes(problem, 8 * n * (4 * k + 40) + definiteness_bytes(problem))


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ by products with single vectors.

    ARPACK's own criterion is residual ≤ tol · |λ_i| for each pair, which implies ours.

    Raises
    ------
    ValueError
        If it does not converge within `max_iter`; the message says what to change.

    References
    ----------
    Lehoucq, Sorensen, Yang (1998), ARPACK Users' Guide.
    """
    gram, centering = problem.source.full(problem.n_threads), problem.centering
    half = gram.K.T if gram.K.flags.c_contiguous else np.asfortranarray(gram.K)

    def product(v: Floats) -> Floats:  # reads one triangle of K
        return centering.apply_left(dsymv(1.0, half, centering.apply_right(v)))

    falls_back = problem.max_iter is None and problem.n <= FALLBACK
    try:
        values, vectors = eigsh(
            LinearOperator(half.shape, product, dtype=np.float64),
            k=problem.n_components,
            which="LA",
            tol=problem.tol,
            maxiter=PATIENCE if falls_back else problem.max_iter,
            v0=np.random.default_rng(problem.seed).standard_normal(problem.n),
        )
    except ArpackError as error:
        if falls_back:
            return replace(dense.solve(problem), fallback_solver="dense")
        found = getattr(error, "eigenvalues", ())
        raise ValueError(
            f"arpack found {len(found)} of {problem.n_components} eigenpairs within "
            f"tol={problem.tol:g}: raise max_iter or tol, or use eigen_solver='dense'."
        ) from error
    return Solution(values, vectors, CentredGram(gram, centering))
