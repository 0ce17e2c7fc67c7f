"""Kernel PCA with a certificate on every number."""

from importlib import import_module
from typing import Any

_EXPORTS = {
    "KernelPCA": "kpca.kernel_pca",
    "KernelPCANovelty": "kpca.novelty.detector",
    "PCA": "kpca.linear.pca",
    "SparsePCA": "kpca.linear.sparse_pca",
    "cross_validate": "kpca.sharing",
    "exact_residuals": "kpca.large_n.accuracy",
    "from_arrays": "kpca.model_file",
    "kernel_matrix": "kpca.kernels",
    "load": "kpca.model_file",
    "median_gamma": "kpca.bandwidth",
    "save": "kpca.model_file",
    "svd": "kpca.linear.svd",
    "sweep": "kpca.sharing",
    "to_arrays": "kpca.model_file",
}

__all__ = sorted(_EXPORTS)


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that ``import kpca`` costs no numpy (PEP 562)."""
    if name not in _EXPORTS:
        raise AttributeError(f"module 'kpca' has no attribute {name!r}")
    return getattr(import_module(_EXPORTS[name]), name)


def __dir__() -> list[str]:
    return __all__
