"""Figures of the sweep, of every run."""
