"""The model of ordinary rows, from which novel ones differ."""

from typing import Any

from kpca.kernel_pca import KernelPCA

SHARE = 0.9  # of the variance in feature space that a model of ordinary rows keeps

# With more rows, such a model is fitted to a sample, because it needs all eigenvectors.
MOST_ROWS = 1000
# Blocks of consecutive rows, which models leave out instead of single rows in time order.
BLOCKS = 20


def gaussian(n_components: float = SHARE) -> KernelPCA:
    """Return kernel PCA, not fitted, with the Gaussian kernel at the median heuristic of its rows.

    The number of components may be a fraction of the variance.
    """
    options: dict[str, Any] = {"preimage": "fixed_point", "random_state": 0}
    return KernelPCA(n_components, kernel="rbf", gamma="median", remove_zero_eig=True, **options)
