"""Choose landmarks, whose images in feature space span the approximation.

References
----------
Zhang, Tsang, Kwok (2008), Improved Nyström low-rank approximation and error analysis, ICML
(k-means); Chen, Epperly, Tropp, Webber (2025), Randomly pivoted Cholesky.
"""

from collections.abc import Callable
from operator import add
from typing import Any

import numpy as np

from kpca.linalg.resources import Rows
from kpca.nystrom.columns import ColumnSource, Source
from kpca.nystrom.sample import Sample, stacked
from kpca.nystrom.scatter import random_pivots
from kpca.types import Array, Matrix
from kpca.validation import PRECISIONS, checked, is_sparse

BATCH = 2048


def uniform(sample: Sample, m: int, _: Source, seed: int) -> Matrix:
    """Return m of the sampled points, drawn with probabilities proportional to their weights."""
    rng = np.random.default_rng(seed)
    drawn = rng.choice(len(sample.share), m, replace=False, p=sample.share)
    return sample.points[np.sort(drawn)]


def kmeans(sample: Sample, m: int, source: Source, seed: int) -> Matrix:
    """Return m centres of mini-batch k-means, which lie where samples are dense."""
    from scipy.sparse import csr_matrix
    from sklearn.cluster import MiniBatchKMeans

    if isinstance(source, ColumnSource):
        raise ValueError(
            "landmarks='kmeans' needs samples to average, and kernel='precomputed' has none: use "
            "landmarks='rpcholesky', 'uniform' or an array of indices."
        )
    means = MiniBatchKMeans(
        m, init="random", n_init=1, batch_size=BATCH, max_iter=5, random_state=seed
    )
    points = sample.points
    if is_sparse(points):  # k-means accepts only 32-bit indices, which this constructor makes.
        points = csr_matrix((points.data, points.indices, points.indptr), shape=points.shape)
    means.fit(points, sample_weight=sample.share * len(sample.share))
    return means.cluster_centers_


def rpcholesky(sample: Sample, m: int, source: Source, seed: int) -> Matrix:
    """Return m pivots of randomly pivoted Cholesky, which prefers points of large remaining error.

    There are fewer than m pivots if the kernel matrix of the sample has a lower rank.
    """
    return sample.points[np.sort(random_pivots(source, m, seed))]


LANDMARKS: dict[str, Callable[..., Matrix]] = {
    "kmeans": kmeans,
    "uniform": uniform,
    "rpcholesky": rpcholesky,
}


def given_landmarks(given: Any, rows: Rows, like: Matrix) -> Matrix:
    """Return the landmarks that are `given` as samples, or as indices of training samples.

    `like` are training samples. Landmarks that are given as samples must have as many columns as
    `like`, and are converted to the type of `like`.

    Raises
    ------
    ValueError
        If `given` are neither finite samples with as many columns as X, nor distinct indices of
        rows of X.
    """
    if np.ndim(given) == 2 or is_sparse(given):
        points = checked(given, "landmarks", accept_sparse="csr", dtype=PRECISIONS)
        if like.dtype.kind == "i":  # `like` are row numbers of a precomputed kernel matrix.
            raise ValueError("kernel='precomputed' takes landmarks as indices of training samples.")
        if points.shape[1] != like.shape[1]:
            raise ValueError(f"landmarks has {points.shape[1]} columns, X has {like.shape[1]}.")
        return points.astype(like.dtype)  # a copy, which the model keeps
    index = np.asarray(given)
    # If all training samples are landmarks, keep their order, because kernel values of new points
    # with the training samples come in this order.
    if len(index) == rows.n:
        index = np.sort(index)
    if index.dtype.kind not in "iu":
        index = index[:0]  # An empty index is refused below.

    def inside(chunk: Matrix, start: int) -> list[tuple[Matrix, Array]]:
        indices = index[(index >= start) & (index < start + chunk.shape[0])]
        return [(chunk[indices - start], indices)] if len(indices) else []

    parts = rows.reduce(inside, add)
    if not 0 < len(set(index.tolist())) == sum(len(indices) for _, indices in parts):
        raise ValueError(
            "landmarks must be samples of shape (m, d), or indices of training samples: distinct "
            f"integers from 0 to {rows.n - 1 if rows.n else 'n - 1'}, at least one. Got {given!r}."
        )
    return stacked([points for points, _ in parts])
