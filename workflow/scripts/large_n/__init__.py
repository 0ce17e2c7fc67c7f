"""Approximations of the exact fit for many samples, and their error."""
