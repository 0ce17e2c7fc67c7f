"""Eigensolvers: one problem in, one decomposition out."""

from kpca.certificates.decomposition import Problem, Solution
from kpca.eigensolvers.solve import SOLVERS, solve

__all__ = ["SOLVERS", "Problem", "Solution", "solve"]
