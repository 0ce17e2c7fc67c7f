"""Experiments that measure the cases of statements of the theory, one topic per module."""
