"""The model of ordinary rows, from which novel rows differ."""

from collections.abc import Iterable

import numpy as np

from kpca.folds import Fold
from kpca.kernel_pca import KernelPCA

SHARE = 0.9  # fraction of the variance in feature space that a model of ordinary rows keeps

# Largest number of rows to which a model of ordinary rows is fitted. The number is limited because
# the model needs all eigenvectors. If there are more rows, the model is fitted to a sample.
MOST_ROWS = 1000
# Number of blocks of consecutive rows. If rows are in time order, models leave out blocks instead
# of single rows.
BLOCKS = 20


def gaussian(n_components: float = SHARE) -> KernelPCA:
    """Return unfitted kernel PCA with a Gaussian kernel whose γ is the median heuristic.

    ``n_components`` may be a number of components or a fraction of the variance.
    """
    return KernelPCA(
        n_components,
        kernel="rbf",
        gamma="median",
        preimage="fixed_point",
        remove_zero_eig=True,
        random_state=0,
    )


def without_neighbours(folds: Iterable[Fold], places: np.ndarray, gap: int) -> list[Fold]:
    """Return folds without the training rows at most ``gap`` places away from a left-out row.

    ``places`` are the positions of the rows in the order of time.

    >>> without_neighbours([(np.array([0, 1, 2, 5]), np.array([3, 4]))], np.arange(6), 1)
    [(array([0, 1]), array([3, 4]))]
    """
    far_folds = []
    for training, left_out in folds:
        distances = np.abs(places[training][:, None] - places[left_out]).min(axis=1)
        far_folds.append((training[distances > gap], left_out))
    return far_folds
