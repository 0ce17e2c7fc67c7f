"""Gram operators: products of the training points' kernel matrix, stored or not, with blocks."""
