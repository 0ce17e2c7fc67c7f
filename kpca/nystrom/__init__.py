"""More points than any kernel matrix can have: features of a fixed width, and passes over rows.

A pass goes through the training points in blocks and adds up what it needs, so that memory
depends on the width of the features and not on the number of points.
"""
