"""The block Krylov method on a stored matrix, which starts from a random block.

The name "randomized" is that of scikit-learn. The method is Davidson's without a preconditioner:
the space grows by the residuals of the requested pairs.
"""

from dataclasses import replace

import numpy as np

from kpca.certificates.decomposition import Problem, Solution, stored_bytes
from kpca.eigensolvers.davidson import refine
from kpca.operators.grams import CentredGram

OVERSAMPLES = 10  # number of columns in addition to the requested components, as in scikit-learn


def memory(problem: Problem) -> float:
    """Estimate the bytes of K, of a basis with its products, and of the vectors of a step."""
    width = problem.n_components + OVERSAMPLES
    return stored_bytes(problem, 8 * problem.n * (10 * width + 30))


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ from a random block.

    With ``iterated_power="auto"``, the solver iterates until the tolerance is met. With
    ``iterated_power=p`` for a number p, the search ends after p + 1 products, and the residuals
    show the accuracy. The components have the algebraically largest eigenvalues, not those of
    largest modulus.

    References
    ----------
    Halko, Martinsson, Tropp (2011), Finding structure with randomness, SIAM Review 53;
    Musco, Musco (2015), Randomized block Krylov methods, NeurIPS 28.
    """
    operator = CentredGram(problem.source.full(problem.n_threads), problem.centering)
    shape = problem.n, problem.n_components + OVERSAMPLES
    start = problem.centering.project(np.random.default_rng(problem.seed).standard_normal(shape))
    products = problem.max_iter if problem.power is None else problem.power + 1
    return refine(replace(problem, max_iter=products), operator, operator, start)
