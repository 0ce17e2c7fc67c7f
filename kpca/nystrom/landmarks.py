"""Landmarks, whose images in feature space span the approximation, and the features they give.

References
----------
Zhang, Tsang, Kwok (2008), Improved Nyström low-rank approximation and error analysis, ICML
(k-means); Chen, Epperly, Tropp, Webber (2025), Randomly pivoted Cholesky.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import eigh

from kpca.kernels import BoundKernel
from kpca.kernels.registry import squared_norms
from kpca.lowrank import random_pivots
from kpca.nystrom.columns import FLOAT64, NULL, ColumnSource, random_columns
from kpca.nystrom.sample import Sample, stacked
from kpca.nystrom.streaming import Rows
from kpca.operators.sources import KernelSource
from kpca.types import Floats, Matrix
from kpca.validation import PRECISIONS, checked, is_sparse

BATCH = 2048
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


def rpcholesky(sample: Sample, m: int, source: Source, seed: int) -> Matrix:
    """Return the pivots of randomly pivoted Cholesky: where the approximation still misses most.

    Fewer than m where the kernel matrix of the sample has a lower rank.
    """
    if isinstance(source, ColumnSource):
        pivots = random_columns(source, m, seed)
    else:
        pivots = random_pivots(source, m, seed, dtype=np.float64)
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


class LandmarkFeatures:
    """φ(x) = K_mm^(−½) k_m(x) for landmarks y_1 … y_m, up to a rotation.

    With K_mm = U diag(w) Uᵀ the features are diag(w)^(−½) Uᵀ k_m(x): the coordinates of the
    projection of x's image onto the span of the landmarks'. Eigenvalues below a share `null` of
    the largest, or of what the precision of the values hides, are rounding and left out. What has
    features f is the combination ``whitening @ f`` of the images, with ``whitening`` =
    U diag(w)^(−½) of shape (m, r).

    References
    ----------
    Williams, Seeger (2001), Using the Nyström method to speed up kernel machines, NIPS 13.
    """

    def __init__(self, source: Source, null: float) -> None:
        self.kernel: BoundKernel | ColumnSource = source.bound()
        self.landmarks, self.K = source.X, source.full().K
        null = max(null, NULL[source.precision if isinstance(source, ColumnSource) else FLOAT64])
        values, vectors = eigh(self.K)
        kept = values > null * max(float(values[-1]), np.finfo(np.float64).tiny)
        self.values, self._vectors, self.lowest = values[kept], vectors[:, kept], float(values[0])
        self.whitening: Floats = self._vectors / np.sqrt(self.values)

    def onto(self, Z: Floats) -> Callable[[Matrix], Floats]:
        """Return X ↦ φ(X) Z = k_m(X) (whitening Z)."""
        coefficients = self.whitening @ Z
        return lambda X: self.kernel.values(X) @ coefficients

    def missed(self, X: Matrix) -> Floats:
        """Return what the features miss of each k(x, x), not negative."""
        return np.maximum(self.remainder(X), 0)

    def remainder(self, X: Matrix) -> Floats:
        """Return k(x, x) minus the squared norm of the features of x; rounding can be negative."""
        return self.kernel.diagonal(X) - squared_norms(self.kernel.values(X) @ self.whitening)

    def at_landmarks(self, f: Floats) -> Floats:
        """Return the inner products of what has features f with the landmarks' images."""
        return self._vectors @ (np.sqrt(self.values) * f)

    def eigen_error(self) -> float:
        """Bound ‖UᵀK_mm U − diag(w)‖ for the exact K_mm, whose entries are off by e_i + e_j.

        It is computed: two products of m terms are off by no more than (m + 2) u ‖U‖_F ‖K‖_F each
        (Higham 2002, section 3.5).
        """
        U, m = self._vectors, len(self.K)
        unit, size = float(np.finfo(np.float64).eps) / 2, float(np.linalg.norm(self.K))
        found = float(np.linalg.norm(U.T @ (self.K @ U) - np.diag(self.values)))
        return found + 3 * (m + 2) * unit * np.sqrt(m) * size + 3 * m * self.entry_error()

    def entry_error(self) -> float:
        """Bound the errors e_i of the values among the landmarks."""
        return float(self.kernel.rounding(self.landmarks).max(initial=0))
