"""Sparse principal components: four methods and their measures."""
