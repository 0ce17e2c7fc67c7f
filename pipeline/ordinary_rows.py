"""The model of ordinary rows, from which novel ones differ."""

from typing import Any

from kpca.kernel_pca import KernelPCA

SHARE = 0.9
"""Fraction of the variance in feature space that a model of ordinary rows keeps."""

MOST_ROWS = 1000
"""With more rows, such a model is fitted to a sample, because it needs all eigenvectors."""


def gaussian(n_components: float = SHARE) -> KernelPCA:
    """Return kernel PCA, not fitted, with the Gaussian kernel at the median heuristic of its rows.

    The number of components may be a fraction of the variance.
    """
    options: dict[str, Any] = {"preimage": "fixed_point", "random_state": 0}
    return KernelPCA(n_components, kernel="rbf", gamma="median", remove_zero_eig=True, **options)
