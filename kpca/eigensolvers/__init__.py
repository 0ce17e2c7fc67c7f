"""Eigensolvers: one problem in, one decomposition out."""
