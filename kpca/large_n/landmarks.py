"""Landmarks: the points whose images in feature space span the approximation.

References
----------
Zhang, Tsang, Kwok (2008), Improved Nyström low-rank approximation and error analysis, ICML
(k-means); Chen, Epperly, Tropp, Webber (2025), Randomly pivoted Cholesky.
"""

from collections.abc import Callable

import numpy as np

from kpca.kernels import KernelParameters
from kpca.large_n.sample import Sample
from kpca.nystrom import random_pivots
from kpca.source import KernelSource
from kpca.types import Matrix

BATCH = 2048


def uniform(sample: Sample, m: int, name: str, parameters: KernelParameters, seed: int) -> Matrix:
    """Give m of the points, in proportion to their weights."""
    del name, parameters
    return sample.points[sample.draw(m, seed)]


def kmeans(sample: Sample, m: int, name: str, parameters: KernelParameters, seed: int) -> Matrix:
    """Give m centres of mini-batch k-means, which for smooth kernels lie where points are many."""
    del name, parameters
    from sklearn.cluster import MiniBatchKMeans

    means = MiniBatchKMeans(
        m, init="random", n_init=1, batch_size=BATCH, max_iter=5, random_state=seed
    )
    means.fit(sample.points, sample_weight=sample.share * len(sample.share))
    return means.cluster_centers_


def rpcholesky(
    sample: Sample, m: int, name: str, parameters: KernelParameters, seed: int
) -> Matrix:
    """Give the pivots of randomly pivoted Cholesky: where the approximation still misses most.

    Fewer than m where the kernel matrix of the sample has a lower rank.
    """
    source = KernelSource(sample.points, name, parameters)
    pivots = random_pivots(source, m, seed, dtype=np.float64)
    return sample.points[np.sort(pivots)]


LANDMARKS: dict[str, Callable[..., Matrix]] = {
    "kmeans": kmeans,
    "uniform": uniform,
    "rpcholesky": rpcholesky,
}


def choose(
    sample: Sample, m: int, how: str, name: str, parameters: KernelParameters, seed: int
) -> Matrix:
    """Choose landmarks; every point of a sample that has no more than m.

    Parameters
    ----------
    sample : Sample
    m : int
    how : {"kmeans", "uniform", "rpcholesky"}
    name, parameters
        Of the kernel.
    seed : int
    """
    if m >= len(sample.share):
        return sample.points
    return LANDMARKS[how](sample, m, name, parameters, seed)
