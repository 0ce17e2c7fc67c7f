"""Experiments that test statements of the theory in single cases, one topic per module."""
