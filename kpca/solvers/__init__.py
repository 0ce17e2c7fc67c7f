"""Eigensolvers: one file each, one protocol, one registry."""

from kpca.solvers.base import Problem, Solution, Solver
from kpca.solvers.registry import SOLVERS, solve

__all__ = ["SOLVERS", "Problem", "Solution", "Solver", "solve"]
