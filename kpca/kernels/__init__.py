"""Kernels: plain functions in a registry, and their values in blocks."""

from kpca.kernels.bound import BoundKernel, kernel_matrix
from kpca.kernels.registry import (
    KERNELS,
    KernelParameters,
    as_dense,
    finite,
    get_kernel,
    inner_products,
    moved,
    origin,
    squared_norms,
)

__all__ = [
    "KERNELS",
    "BoundKernel",
    "KernelParameters",
    "as_dense",
    "finite",
    "get_kernel",
    "inner_products",
    "kernel_matrix",
    "moved",
    "origin",
    "squared_norms",
]
