"""Solvers by name."""

from importlib import import_module

from kpca.solvers.base import Problem, Solution

NAMES = ("dense", "arpack", "randomized", "krylov", "davidson", "primal")
# Imported on use: each solver brings in only what it needs.
SOLVERS = {name: f"kpca.solvers.{name}" for name in NAMES}


def solve(name: str, problem: Problem) -> Solution:
    """Solve a problem with the solver of that name."""
    solution: Solution = import_module(SOLVERS[name]).solve(problem)
    return solution
