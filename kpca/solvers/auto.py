"""The choice of a solver, with its reason."""

import logging
from dataclasses import dataclass

from kpca.solvers.base import Problem

logger = logging.getLogger("kpca")

SMALL = 300  # up to here LAPACK is as fast as anything


@dataclass(frozen=True)
class Choice:
    """Which solver, and why."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


def choose(problem: Problem, asked: str) -> Choice:
    """Choose a solver for a problem; `asked` is "auto" or the name of one."""
    choice = _automatic(problem) if asked == "auto" else _asked(problem, asked)
    logger.info("eigen_solver %s (n=%d, k=%d)", choice, problem.n, problem.n_components)
    return choice


def _asked(problem: Problem, asked: str) -> Choice:
    n, k = problem.n, problem.n_components
    if asked != "dense" and (n < 50 or k > n // 2):
        return Choice("dense", f"{asked} was asked for, but needs n ≥ 50 and k ≤ n/2")
    return Choice(asked, "asked for")


def _automatic(problem: Problem) -> Choice:
    n, k = problem.n, problem.n_components
    if n <= SMALL:
        return Choice("dense", f"n = {n} is at most {SMALL}")
    if k >= n // 10:
        return Choice("dense", f"k = {k} is at least a tenth of n = {n}")
    return Choice("arpack", f"k = {k} of n = {n}")
