"""Kernels: a registry of kernel functions, and kernel matrices computed in blocks."""
