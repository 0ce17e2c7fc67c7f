"""Verdicts on statements of the theory, each by a fixed rule, and cases from tables of a run."""
