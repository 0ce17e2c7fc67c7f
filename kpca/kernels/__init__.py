"""Kernels: plain functions in a registry, and their values in blocks."""

from kpca.kernels.bound import BoundKernel, kernel_matrix
from kpca.kernels.kernel import Kernel, KernelParameters, is_sparse, squared_norms
from kpca.kernels.registry import KERNELS, get_kernel, is_matrix_product

__all__ = [
    "KERNELS",
    "BoundKernel",
    "Kernel",
    "KernelParameters",
    "get_kernel",
    "is_matrix_product",
    "is_sparse",
    "kernel_matrix",
    "squared_norms",
]
