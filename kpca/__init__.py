"""Kernel PCA with a certificate, or a declared error estimate, on every eigenpair."""

from importlib import import_module
from typing import Any

_EXPORTS = {
    "KernelColumns": "kpca.nystrom.columns",
    "KernelPCA": "kpca.kernel_pca",
    "KernelPCANovelty": "kpca.novelty.detector",
    "LandmarkKernelPCA": "kpca.landmark_kernel_pca",
    "PCA": "kpca.linear.pca",
    "SparsePCA": "kpca.linear.sparse_pca",
    "exact_residuals": "kpca.inspection.residuals",
    "from_arrays": "kpca.persistence",
    "kernel_matrix": "kpca.kernels.bound",
    "load": "kpca.persistence",
    "median_gamma": "kpca.kernels.bandwidth",
    "read_notes": "kpca.persistence",
    "save": "kpca.persistence",
    "svd": "kpca.linear.svd",
    "to_arrays": "kpca.persistence",
}
_MODULES = ("choice", "inspection", "novelty")

__all__ = sorted(_EXPORTS)


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that ``import kpca`` does not load NumPy (PEP 562)."""
    if name == "__version__":
        return import_module("importlib.metadata").version("kpca")
    if name in _MODULES:
        return import_module(f"kpca.{name}")
    if name not in _EXPORTS:
        raise AttributeError(f"module 'kpca' has no attribute {name!r}")
    return getattr(import_module(_EXPORTS[name]), name)


def __dir__() -> list[str]:
    return [*__all__, *_MODULES, "__version__"]
