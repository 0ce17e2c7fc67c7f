"""The choice of a solver, with its reason."""

import logging
from dataclasses import dataclass

from kpca.eigensolvers.memory import required
from kpca.eigensolvers.primal import feature_count
from kpca.eigensolvers.problem import Problem
from kpca.kernels import KERNELS, inner_products
from kpca.operators.sources import KernelSource

logger = logging.getLogger("kpca")

SMALL = 150  # up to here LAPACK is as fast as anything
MEDIUM = 1000  # up to here single vectors are as fast as blocks
# Up to so many points, or so many for each column, kernel values cost more than keeping them.
LARGE, EACH_COLUMN = 2500, 200
SMALLEST = 50  # of iterative solvers


@dataclass(frozen=True)
class Choice:
    """Which solver, and why."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


def choose(problem: Problem, asked: str) -> Choice:
    """Choose a solver for a problem, and check that it fits into the memory budget.

    Parameters
    ----------
    problem : Problem
    asked : str
        "auto", or the name of a solver.

    Raises
    ------
    MemoryError
        If the fit needs more than the budget, before anything is allocated.
    """
    choice = _automatic(problem) if asked == "auto" else _asked(problem, asked)
    source, n, k = problem.source, problem.n, problem.n_components
    needed = required(choice.name, source, k)
    free = isinstance(source, KernelSource) and source.semidefinite and SMALLEST <= n >= 2 * k
    if asked == "auto" and needed > problem.budget and free:
        choice = Choice("davidson", f"{choice.name} would need {needed:.3g} bytes")
        needed = required(choice.name, source, k)
    if needed > problem.budget:
        raise MemoryError(
            f"eigen_solver={choice.name!r} on n = {n} points needs about {needed:.3g} bytes, "
            f"and memory_budget allows {problem.budget:.3g}: raise memory_budget, use "
            "eigen_solver='davidson' (a positive semidefinite kernel by name), ask for fewer "
            "components, or use eigen_solver='nystrom' (an approximation)."
        )
    logger.info("eigen_solver %s (n=%d, k=%d)", choice, n, k)
    return choice


def _asked(problem: Problem, asked: str) -> Choice:
    n, k = problem.n, problem.n_components
    iterative = asked not in ("dense", "primal")
    if iterative and (n < SMALLEST or k > n // 2):
        reason = f"{asked} was asked for, but needs n ≥ {SMALLEST} and k ≤ n/2"
        return Choice("dense", reason)
    return Choice(asked, "asked for")


def _automatic(problem: Problem) -> Choice:
    n, k = problem.n, problem.n_components
    features = feature_count(problem.source)
    if features is not None and features <= min(n / 4, 1000) and (k <= features or n > SMALL):
        return Choice("primal", f"{features} explicit features")
    if n <= SMALL:
        return Choice("dense", f"n = {n} is at most {SMALL}")
    if k >= n // 10:
        return Choice("dense", f"k = {k} is at least a tenth of n = {n}")
    if n <= MEDIUM:
        return Choice("arpack", f"n = {n} is at most {MEDIUM}")
    if not isinstance(problem.source, KernelSource):
        return Choice("krylov", "the kernel matrix is stored whole")
    if not problem.source.semidefinite:
        return Choice("krylov", "the kernel may be indefinite")
    if KERNELS[problem.source.name].product is not inner_products:
        return Choice("krylov", "kernel values cost more than keeping them")
    if n <= (limit := max(LARGE, EACH_COLUMN * problem.source.X.shape[1])):
        return Choice("krylov", f"n = {n} is at most {limit}")
    return Choice("davidson", "matrix-free, with a Nyström preconditioner")
