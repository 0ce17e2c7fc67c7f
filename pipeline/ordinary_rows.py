"""The model of ordinary rows, from which novel ones differ."""

from typing import Any

from kpca.kernel_pca import KernelPCA

SHARE = 0.9  # of the variance in feature space that a model of ordinary rows keeps

# Of more rows such a model is fitted to a sample: it takes eigenvectors of all its rows.
MOST_ROWS = 1000
# Of consecutive rows: in the order of time, their models leave out blocks, not single rows.
BLOCKS = 20


def gaussian(n_components: float = SHARE) -> KernelPCA:
    """Return kernel PCA, not fitted, with the Gaussian kernel at the median heuristic of its rows.

    The number of components may be a fraction of the variance.
    """
    options: dict[str, Any] = {"preimage": "fixed_point", "random_state": 0}
    return KernelPCA(n_components, kernel="rbf", gamma="median", remove_zero_eig=True, **options)
