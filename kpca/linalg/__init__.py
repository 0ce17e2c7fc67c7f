"""Numerical linear algebra and threads, independent of kernels."""
