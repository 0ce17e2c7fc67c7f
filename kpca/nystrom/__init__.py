"""Nyström approximation for more points than a kernel matrix can have.

A pass goes through the training points in blocks and adds up sums of their features. Memory
therefore depends on the number of features, which is fixed, and not on the number of points.
"""
