"""Figures: one rule and one script each."""

FIGURES = []
