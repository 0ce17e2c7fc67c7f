"""The rows and the kernel that all tables of the study share."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from pipeline.datasets.dataset import Dataset, FloatArray, load_dataset

MOST_ROWS = 1000
"""Of more rows a seeded sample is fitted: every fit takes eigenvectors of all its rows."""

SHARE = 0.9
"""Of the variance in feature space that a model of ordinary rows keeps."""


def of_files(
    measure: Callable[..., pd.DataFrame], datasets: Sequence[str], **options: Any
) -> pd.DataFrame:
    """Return what is measured of several datasets, in one table."""
    found = [measure(load_dataset(path), **options) for path in datasets]
    return pd.concat(found, ignore_index=True)


def standardised(dataset: Dataset) -> FloatArray:
    """Return all rows, with mean 0 and variance 1 where the dataset asks for it.

    A kernel matrix is returned as it is.
    """
    if dataset.precomputed:
        return dataset.X
    everything = np.arange(len(dataset.X))
    return replace(dataset, splits=((everything, everything),)).split(0).X_train


def gaussian(X: FloatArray, n_components: float = SHARE) -> KernelPCA:
    """Return kernel PCA, not fitted, with the Gaussian kernel at the median heuristic of rows.

    The number of components may be a fraction of the variance.
    """
    return KernelPCA(
        n_components,
        kernel="rbf",
        gamma=median_gamma(X),
        remove_zero_eig=True,
        preimage="fixed_point",
        random_state=0,
    )
