"""Nyström approximation for more points than a kernel matrix can have.

A pass goes through the training points in blocks and adds up sums of their features. Memory
therefore depends on the number of features per point, which is fixed, and not on that of points.
"""
