"""Implicitly restarted Lanczos (ARPACK) on a stored matrix."""

import numpy as np
from scipy.linalg import eigvalsh_tridiagonal
from scipy.linalg.blas import dsymv
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from kpca.certificates.decomposition import Problem, Solution, stored_bytes
from kpca.eigensolvers import randomized
from kpca.operators.grams import CentredGram
from kpca.types import Floats


def memory(problem: Problem) -> float:
    """Estimate the bytes of K and of the vectors of the search."""
    return stored_bytes(problem, 8 * problem.n * (6 * problem.n_components + 48))


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ by products with single vectors.

    ARPACK stops when the residual of each pair is at most tol · |λ_i|, which implies the bound
    that `Problem.tol` requests. If ARPACK fails, the solver "randomized" is used instead.

    References
    ----------
    Lehoucq, Sorensen, Yang (1998), ARPACK Users' Guide.
    """
    gram = problem.source.full(problem.n_threads)
    centering = problem.centering
    half = gram.K.T if gram.K.flags.c_contiguous else np.asfortranarray(gram.K)
    k = problem.n_components
    basis_size = min(problem.n, max(2 * k + 1, 20))
    # Diagonal and off-diagonal entries of the tridiagonal matrix of ARPACK's first basis.
    diagonal = list[float]()
    beside = list[float]()
    last = np.zeros(problem.n)

    def product(v: Floats) -> Floats:  # reads one triangle of K
        image = centering.apply_left(dsymv(1.0, half, centering.apply_right(v)))
        if len(diagonal) <= basis_size:
            beside.append(float(last @ v))
            diagonal.append(float(image @ v))
            last[:] = image
        return image

    try:
        values, vectors = eigsh(
            LinearOperator(half.shape, product, dtype=np.float64),
            k=k,
            ncv=basis_size,
            which="LA",
            tol=problem.tol,
            maxiter=problem.max_iter,
            v0=np.random.default_rng(problem.seed).standard_normal(problem.n),
        )
    except ArpackError:
        return randomized.solve(problem)
    # ARPACK's first product moves the start into the range of K̄, and is not part of the basis.
    lowest = float(eigvalsh_tridiagonal(diagonal[1:], beside[2:])[0])
    operator = CentredGram(gram, centering)
    vectors = vectors[:, ::-1]
    products = operator.matmul(vectors)  # This product also sets `operator.means`.
    return Solution(values[::-1], vectors, operator, products=products, lowest=lowest)
