"""Kernels: a registry of kernel functions, and kernel matrices computed in blocks."""

from kpca.kernels.bound import BoundKernel, kernel_matrix
from kpca.kernels.registry import KERNELS, PARAMETERS, KernelParameters, get_kernel

__all__ = [
    "KERNELS",
    "PARAMETERS",
    "BoundKernel",
    "KernelParameters",
    "get_kernel",
    "kernel_matrix",
]
