"""Eigensolvers: one protocol, one registry."""

from kpca.eigensolvers.auto import SOLVERS, solve
from kpca.eigensolvers.problem import Problem, Solution

__all__ = ["SOLVERS", "Problem", "Solution", "solve"]
