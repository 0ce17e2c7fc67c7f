"""The dense solver of LAPACK on the explicit centred matrix."""

from contextlib import suppress

import numpy as np
from scipy.linalg import LinAlgError

from kpca.certificates.completeness import Remainder
from kpca.certificates.decomposition import Problem, Solution, matrix_bytes
from kpca.linalg.symmetric import eigh
from kpca.operators.grams import CentredGram


def memory(problem: Problem) -> float:
    """Estimate the bytes of K̄, of the workspace of LAPACK and of the components."""
    n = problem.n
    k = problem.n_components
    beside = 3.1 * n if _whole(problem) else 1.2 * n + k
    return matrix_bytes(problem.source) + 8 * n * (beside + 60)


def _whole(problem: Problem) -> bool:
    """Return whether all eigenvalues are computed: if k > n/2, or if K may be indefinite."""
    return problem.n_components > problem.n // 2 or not problem.source.semidefinite


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ by a direct method, which misses no eigenvalue.

    All eigenvalues are computed if more than half of them are requested. They are also computed if
    the kernel may be indefinite, so that the sum of the negative eigenvalues is known.
    """
    gram = problem.source.full(problem.n_threads)
    n = problem.n
    k = problem.n_components
    K = problem.centering.matrix(gram.K)
    wanted = min(k + 1, n)
    whole = _whole(problem)
    if not whole:
        last = (n - wanted, n - 1)
        values = np.empty(0)
        # The driver "evr" fails, or returns fewer pairs, now and then.
        with suppress(LinAlgError):
            values, vectors = eigh(K, subset_by_index=last, driver="evr", overwrite_a=True)
        if len(values) < wanted:
            whole = True
            K = problem.centering.matrix(gram.K)
    if whole:
        values, vectors = eigh(K, driver="evd", overwrite_a=True)
    order = np.argsort(values)[::-1]
    following = float(values[order[k]]) if k < n else 0.0
    order = order[:k]
    operator = CentredGram(gram, problem.centering)
    return Solution(
        values[order],
        vectors[:, order],
        operator,
        spectrum=values[::-1] if whole else None,
        remainders=(Remainder(following + operator.backward_error, "dense"),),
    )
