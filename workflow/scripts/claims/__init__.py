"""Statements of the theory, each measured and judged by a rule that was written beforehand."""
