"""Solvers by name."""

from contextlib import nullcontext
from importlib import import_module

from kpca.solvers.base import Problem, Solution
from kpca.threads import pinned_blas

NAMES = ("dense", "arpack", "randomized", "krylov", "davidson", "primal")
# Imported on use: each solver brings in only what it needs.
SOLVERS = {name: f"kpca.solvers.{name}" for name in NAMES}


def solve(name: str, problem: Problem) -> Solution:
    """Solve a problem with the solver of that name.

    Only LAPACK's own solver gets the library's threads; the others bring theirs.
    """
    solver = import_module(SOLVERS[name]).solve
    with nullcontext() if name == "dense" else pinned_blas():
        solution: Solution = solver(problem)
    return solution
