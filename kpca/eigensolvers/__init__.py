"""Eigensolvers of a `Problem`; the module `solve` chooses one and returns a `Decomposition`."""
