"""Kernels: plain functions in a registry, and their values in blocks."""

from kpca.kernels.bound import BoundKernel, kernel_matrix
from kpca.kernels.registry import (
    KERNELS,
    KernelParameters,
    as_dense,
    finite,
    get_kernel,
    inner_products,
    is_sparse,
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
    "is_sparse",
    "kernel_matrix",
    "moved",
    "origin",
    "squared_norms",
]
