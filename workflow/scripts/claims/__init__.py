"""Statements of the theory, each measured and judged by a fixed rule."""
