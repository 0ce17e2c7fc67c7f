"""Eigensolvers: one protocol, one registry."""

from kpca.solvers.base import Problem, Solution
from kpca.solvers.registry import SOLVERS, solve

__all__ = ["SOLVERS", "Problem", "Solution", "solve"]
