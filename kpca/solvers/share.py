"""As many components as a share of the variance takes, for any solver."""

import numpy as np

from kpca.solvers.auto import Choice, choose
from kpca.solvers.base import Problem, Solution
from kpca.solvers.registry import solve

FIRST = 16


def solve_share(problem: Problem, asked: str, share: float) -> tuple[Choice, Solution]:
    """Double the number of components until their eigenvalues reach a share of tr(K̄).

    An indefinite kernel gets its whole spectrum, since only then its positive mass is known.
    """
    n = problem.n
    k = n if not problem.source.semidefinite else min(n, FIRST)
    while True:
        attempt = problem.with_components(k)
        choice = choose(attempt, asked)
        solution = solve(choice.name, attempt)
        if k == n or solution.values.sum() >= share * solution.operator.trace:
            return choice, solution
        k = n if 2 * k > n // 10 else 2 * k


def count(values: np.ndarray, total: float, share: float) -> int:
    """Give how many of the sorted eigenvalues it takes to reach a share of a total."""
    reached = np.cumsum(values) >= share * total * (1 - 1e-12)
    return int(np.argmax(reached)) + 1 if reached.any() else len(values)
