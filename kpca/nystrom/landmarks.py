"""Landmarks, whose images in feature space span the approximation, and the features they give.

References
----------
Zhang, Tsang, Kwok (2008), Improved Nyström low-rank approximation and error analysis, ICML
(k-means); Chen, Epperly, Tropp, Webber (2025), Randomly pivoted Cholesky.
"""

from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh

from kpca.kernels import BoundKernel
from kpca.kernels.registry import squared_norms
from kpca.lowrank.rpcholesky import random_pivots
from kpca.nystrom.sample import Sample
from kpca.operators.sources import KernelSource
from kpca.types import Floats, Matrix
from kpca.validation import is_sparse

BATCH = 2048


def uniform(sample: Sample, m: int, _: KernelSource, seed: int) -> Matrix:
    """Return m of the points, in proportion to their weights."""
    return sample.points[sample.draw(m, seed)]


def kmeans(sample: Sample, m: int, _: KernelSource, seed: int) -> Matrix:
    """Return m centres of mini-batch k-means, which lie where samples are many."""
    from sklearn.cluster import MiniBatchKMeans

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


def rpcholesky(sample: Sample, m: int, source: KernelSource, seed: int) -> Matrix:
    """Return the pivots of randomly pivoted Cholesky: where the approximation still misses most.

    Fewer than m where the kernel matrix of the sample has a lower rank.
    """
    pivots = random_pivots(source, m, seed, dtype=np.float64)
    return sample.points[np.sort(pivots)]


LANDMARKS: dict[str, Callable[..., Matrix]] = {
    each.__name__: each for each in (kmeans, uniform, rpcholesky)
}


def choose_landmarks(sample: Sample, m: int, how: str, source: KernelSource, seed: int) -> Matrix:
    """Choose m landmarks by one of `LANDMARKS`, or every point of a sample that has no more.

    `source` is the kernel on the points of the sample.
    """
    return sample.points if m >= len(sample.share) else LANDMARKS[how](sample, m, source, seed)


class LandmarkFeatures:
    """φ(x) = K_mm^(−½) k_m(x) for landmarks y_1 … y_m, up to a rotation.

    With K_mm = U diag(w) Uᵀ the features are diag(w)^(−½) Uᵀ k_m(x): the coordinates of the
    projection of x's image onto the span of the landmarks'. Eigenvalues below a share `null` of
    the largest are rounding, and left out. What has features f is the combination
    ``whitening @ f`` of the images, with ``whitening`` = U diag(w)^(−½) of shape (m, r).

    References
    ----------
    Williams, Seeger (2001), Using the Nyström method to speed up kernel machines, NIPS 13.
    """

    def __init__(self, source: KernelSource, null: float) -> None:
        self.kernel: BoundKernel = source.bound()
        self.landmarks, self.K = source.X, source.full().K
        values, vectors = eigh(self.K)
        kept = values > null * max(float(values[-1]), np.finfo(np.float64).tiny)
        self.values, self._vectors = values[kept], vectors[:, kept]
        self.whitening: Floats = self._vectors / np.sqrt(self.values)

    def onto(self, Z: Floats) -> Callable[[Matrix], Floats]:
        """Return X ↦ φ(X) Z = k_m(X) (whitening Z)."""
        coefficients = self.whitening @ Z
        return lambda X: self.kernel.values(X) @ coefficients

    def missed(self, X: Matrix) -> Floats:
        """Return what the features miss of each k(x, x), not negative."""
        squares = squared_norms(self.kernel.values(X) @ self.whitening)
        return np.maximum(self.kernel.diagonal(X) - squares, 0)

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
