"""Kernel PCA with a certificate on every number."""
