"""Nyström approximation, for more training points than a stored kernel matrix allows.

A pass goes through the training points in blocks and adds up sums of their features. Memory
therefore depends on the number of features, which is fixed, and not on the number of points.
"""
