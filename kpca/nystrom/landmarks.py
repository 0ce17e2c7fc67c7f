"""Landmarks, whose images in feature space span the approximation.

References
----------
Zhang, Tsang, Kwok (2008), Improved Nyström low-rank approximation and error analysis, ICML
(k-means); Chen, Epperly, Tropp, Webber (2025), Randomly pivoted Cholesky.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from kpca.kernels.registry import squared_norms
from kpca.nystrom.columns import ColumnSource, random_columns
from kpca.nystrom.sample import Sample, stacked
from kpca.nystrom.streaming import Rows
from kpca.operators.sources import KernelSource
from kpca.types import Array, Floats, Matrix
from kpca.validation import PRECISIONS, checked, is_sparse

BATCH = 2048
REMAINDER_NOISE = 1e-13  # per unit of the diagonal
Source = KernelSource | ColumnSource


def uniform(sample: Sample, m: int, _: Source, seed: int) -> Matrix:
    """Return m of the points, in proportion to their weights."""
    return sample.points[sample.draw(m, seed)]


def kmeans(sample: Sample, m: int, source: Source, seed: int) -> Matrix:
    """Return m centres of mini-batch k-means, which lie where samples are many."""
    from sklearn.cluster import MiniBatchKMeans

    if isinstance(source, ColumnSource):
        raise ValueError(
            "landmarks='kmeans' needs samples to average, and kernel='precomputed' has none: use "
            "landmarks='rpcholesky', 'uniform' or an array of indices."
        )
    means = MiniBatchKMeans(
        m, init="random", n_init=1, batch_size=BATCH, max_iter=5, random_state=seed
    )
    means.fit(_with_short_indices(sample.points), sample_weight=sample.share * len(sample.share))
    return means.cluster_centers_


def _with_short_indices(X: Matrix) -> Matrix:
    """X with indices of 32 bits, where it is sparse: scikit-learn's k-means takes no others."""
    if not is_sparse(X) or max(X.nnz, *X.shape) > np.iinfo(np.int32).max:
        return X
    indices, starts = (part.astype(np.int32, copy=False) for part in (X.indices, X.indptr))
    return type(X)((X.data, indices, starts), shape=X.shape)


def random_pivots(source: KernelSource, m: int, seed: int) -> Array:
    """Give at most m pivots of randomly pivoted Cholesky, K ≈ F Fᵀ, accelerated by rejection.

    Pivots are drawn in blocks, with probability proportional to the diagonal of the remainder. It
    stops before m columns where the remainder is rounding. The kernel is positive semidefinite.

    References
    ----------
    Epperly, Tropp, Webber (2024), Embrace rejection: kernel matrix approximation by accelerated
    randomly pivoted Cholesky.
    """
    rng, X, block = np.random.default_rng(seed), source.X, max(32, m // 8)
    remainder = source.diagonal(X)
    noise = REMAINDER_NOISE * float(remainder.mean())
    F, pivots, done = np.empty((source.n, m)), np.empty(m, dtype=np.intp), 0
    while done < m and remainder.sum() > noise * source.n:
        drawn = rng.choice(source.n, block, p=remainder / remainder.sum())
        own = source.with_samples(X[drawn]).bound().values(X[drawn])
        own -= F[drawn, :done] @ F[drawn, :done].T
        accepted, L = _accept(own, drawn, rng.random(block), m - done, 10 * noise)
        if not accepted:
            break
        chosen, new = drawn[accepted], slice(done, done + len(accepted))
        columns = source.with_samples(X[chosen]).bound().values(X)
        columns -= F[:, :done] @ F[chosen, :done].T
        F[:, new] = columns @ solve_triangular(L, np.eye(len(chosen)), lower=True).T
        remainder = np.maximum(remainder - squared_norms(F[:, new]), 0)
        pivots[new], done = chosen, new.stop
    return pivots[:done]


def _accept(
    own: Floats, drawn: Array, chances: Floats, room: int, noise: float
) -> tuple[list[int], Floats]:
    """Go through the candidates, accepting each by what earlier ones left of its diagonal.

    Returns the accepted positions and the Cholesky factor of their block.
    """
    left, L, accepted = own.diagonal().copy(), np.zeros_like(own), list[int]()
    least = np.maximum(chances * left, noise)
    for t, point in enumerate(drawn):
        q = len(accepted)
        if left[t] > least[t] and q < room and point not in drawn[accepted]:
            L[:, q] = (own[:, t] - L[:, :q] @ L[t, :q]) / np.sqrt(left[t])
            left = left - L[:, q] ** 2
            accepted.append(t)
    return accepted, L[accepted][:, : len(accepted)]


def rpcholesky(sample: Sample, m: int, source: Source, seed: int) -> Matrix:
    """Return the pivots of randomly pivoted Cholesky: where the approximation still misses most.

    Fewer than m where the kernel matrix of the sample has a lower rank.
    """
    if isinstance(source, ColumnSource):
        pivots = random_columns(source, m, seed)
    else:
        pivots = random_pivots(source, m, seed)
    return sample.points[np.sort(pivots) if len(pivots) else [0]]


LANDMARKS: dict[str, Callable[..., Matrix]] = {
    each.__name__: each for each in (kmeans, uniform, rpcholesky)
}


def choose_landmarks(
    sample: Sample, m: int, how: str | Matrix, source: Source, seed: int
) -> Matrix:
    """Choose m landmarks by one of `LANDMARKS`, or every point of a sample that has no more.

    `source` is the kernel on the points of the sample. Landmarks that are given are taken.
    """
    if not isinstance(how, str):
        return how
    return sample.points if m >= len(sample.share) else LANDMARKS[how](sample, m, source, seed)


def given_landmarks(given: Any, rows: Rows) -> Matrix:
    """Return landmarks that are given as samples, or as indices of training samples.

    Raises
    ------
    ValueError
        If they are no finite samples as wide as X, or no distinct indices of rows of X.
    """
    if np.ndim(given) == 2 or is_sparse(given):
        points = checked(given, "landmarks", accept_sparse="csr", dtype=PRECISIONS)
        first = next(chunk for _, chunk in rows.chunks())
        if first.dtype.kind == "i":  # numbers of samples, which stand for columns of a matrix
            raise ValueError("kernel='precomputed' takes landmarks as indices of training samples.")
        if points.shape[1] != first.shape[1]:
            raise ValueError(f"landmarks has {points.shape[1]} columns, X has {first.shape[1]}.")
        return points.astype(first.dtype, copy=False)
    index = np.asarray(given)
    if len(index) == rows.n:  # kernel values with all samples come in the order of these
        index = np.sort(index)
    if index.dtype.kind not in "iu":
        index = index[:0]  # which is refused
    found = [
        (chunk[inside - start], inside)
        for start, chunk in rows.chunks()
        if len(inside := index[(index >= start) & (index < start + chunk.shape[0])])
    ]
    if not 0 < len(set(index.tolist())) == sum(len(inside) for _, inside in found):
        raise ValueError(
            "landmarks must be samples of shape (m, d), or indices of training samples: distinct "
            f"integers from 0 to {rows.n - 1 if rows.n else 'n - 1'}, at least one. Got {given!r}."
        )
    return stacked([points for points, _ in found])
