"""Block Lanczos under scikit-learn's name, with its number of vectors and power iterations."""

from kpca.eigensolvers.block_lanczos import search_bytes, solve_whole
from kpca.eigensolvers.problem import Problem, Solution, stored_bytes

OVERSAMPLES = 10  # columns beyond those wanted, as in scikit-learn


def applicable(problem: Problem) -> str | None:
    """Take no problem: it is done where it is asked for."""
    del problem
    return None


def memory(problem: Problem) -> float:
    """Count K and the vectors of the search."""
    return stored_bytes(problem, search_bytes(problem, problem.n_components + OVERSAMPLES))


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ from a random block of k + 10 vectors.

    With ``iterated_power="auto"`` it iterates until the tolerance is met; a number p is obeyed,
    and the residuals say what it reached: the space searched holds K̄^(p+1) Ω, as in scikit-learn.
    Components are the algebraically largest, not those of largest modulus.

    References
    ----------
    Halko, Martinsson, Tropp (2011), Finding structure with randomness, SIAM Review 53;
    Musco, Musco (2015), Randomized block Krylov methods, NeurIPS 28.
    """
    products = None if problem.power is None else problem.power + 1
    return solve_whole(problem, problem.n_components + OVERSAMPLES, products)
