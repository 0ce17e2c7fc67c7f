"""The randomized solver: a random block, power iterations, Rayleigh–Ritz over all of them."""

from kpca.solvers.base import Problem, Solution
from kpca.solvers.krylov import solve_whole

OVERSAMPLES = 10


def solve(problem: Problem) -> Solution:
    """Compute the top of the spectrum of K̄ from a random block of k + 10 vectors.

    With ``iterated_power="auto"`` it iterates until the tolerance is met; a number is obeyed,
    and the residuals say what it reached. Components are the algebraically largest, not those
    of largest modulus.

    References
    ----------
    Halko, Martinsson, Tropp (2011), Finding structure with randomness, SIAM Review 53;
    Musco, Musco (2015), Randomized block Krylov methods, NeurIPS 28.
    """
    return solve_whole(problem, problem.n_components + OVERSAMPLES, problem.power)
