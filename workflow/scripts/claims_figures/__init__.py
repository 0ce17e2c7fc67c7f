"""Figures of the statements of the theory."""
