"""Implicitly restarted Lanczos (ARPACK) with implicit centring."""

from collections.abc import Callable

import numpy as np
from scipy.linalg.blas import dsymv
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from kpca.gram import CentredGram
from kpca.gram.centering import centred_matrix
from kpca.solvers.base import Problem, Solution
from kpca.types import Floats

SMALL = 300  # up to here a centred copy costs less than centring every product
MEDIUM = 1000  # up to here the linear algebra library is best left alone


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
    gram = problem.source.full(problem.n_threads)
    operator = CentredGram(gram, problem.centering)
    start = np.random.default_rng(problem.seed).standard_normal(problem.n)
    try:
        values, vectors = eigsh(
            _matrix(gram.K, operator, problem),
            k=problem.n_components,
            which="LA",
            tol=problem.tol,
            maxiter=problem.max_iter,
            v0=start,
        )
    except ArpackNoConvergence as error:
        raise ValueError(
            f"arpack found {len(error.eigenvalues)} of {problem.n_components} eigenpairs within "
            f"tol={problem.tol:g}: raise max_iter or tol, or use eigen_solver='auto'."
        ) from error
    return Solution(values, vectors, operator)


def _matrix(K: Floats, operator: CentredGram, problem: Problem) -> LinearOperator:
    """Centre a small matrix once; a large one implicitly, in every product."""
    n, centering = problem.n, problem.centering
    if n > MEDIUM:
        return LinearOperator(
            K.shape, matvec=lambda v: operator.matmul(v.reshape(-1, 1))[:, 0], dtype=np.float64
        )
    if n <= SMALL:
        return LinearOperator(K.shape, matvec=_halved(centred_matrix(K, centering)), dtype=K.dtype)
    product = _halved(K)

    def centred(v: Floats) -> Floats:
        image = product(centering.spread(v.reshape(-1, 1))[:, 0])
        return centering.gather(image[:, None])[:, 0]

    return LinearOperator(K.shape, matvec=centred, dtype=K.dtype)


def _halved(K: Floats) -> Callable[[Floats], Floats]:
    """Give the product with a symmetric matrix that reads only half of it."""
    columns = K.T if K.flags.c_contiguous else np.asfortranarray(K)
    return lambda v: dsymv(1.0, columns, v)
