"""Eigensolvers: each solves a `Problem`, and `solve` returns its `Decomposition`."""
