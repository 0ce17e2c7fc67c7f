"""Eigensolvers: one protocol, one registry."""

from kpca.eigensolvers.problem import Problem, Solution
from kpca.eigensolvers.registry import SOLVERS, solve

__all__ = ["SOLVERS", "Problem", "Solution", "solve"]
