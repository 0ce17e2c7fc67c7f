"""Figures of the sweep, which every run draws."""
