"""Sparse principal components: four methods, their measures, and the exact reference."""
