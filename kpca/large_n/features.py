"""Features of a fixed width, φ(x)·φ(y) ≈ k(x, y), computed for a block of points at a time."""

from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh

from kpca.kernels import BoundKernel
from kpca.source import KernelSource
from kpca.types import Floats, Matrix


class LandmarkFeatures:
    """φ(x) = K_mm^(−½) k_m(x) for landmarks y_1 … y_m, up to a rotation.

    With K_mm = U diag(w) Uᵀ the features are diag(w)^(−½) Uᵀ k_m(x), over the eigenvalues that are
    not rounding: the coordinates of the projection of x's image onto the span of the landmarks'.

    Parameters
    ----------
    source : KernelSource
        The kernel on the landmarks.
    null : float
        Share of the largest eigenvalue below which an eigenvalue is rounding.

    Attributes
    ----------
    whitening : ndarray of shape (m, r)
        U diag(w)^(−½): what has features f is the combination ``whitening @ f`` of the images.
    kernel : BoundKernel

    References
    ----------
    Williams, Seeger (2001), Using the Nyström method to speed up kernel machines, NIPS 13.
    """

    def __init__(self, source: KernelSource, null: float) -> None:
        self.kernel: BoundKernel = source.bound()
        values, vectors = eigh(source.full().K)
        kept = values > null * max(float(values[-1]), np.finfo(np.float64).tiny)
        self.whitening: Floats = vectors[:, kept] / np.sqrt(values[kept])
        self._unwhitening = vectors[:, kept] * np.sqrt(values[kept])

    def values(self, X: Matrix) -> Floats:
        """Give k_m of the rows of X, of shape (rows, m)."""
        return self.kernel.values(X)

    def onto(self, Z: Floats) -> Callable[[Matrix], Floats]:
        """Give X ↦ φ(X) Z = k_m(X) (whitening Z)."""
        coefficients = self.whitening @ Z
        return lambda X: self.values(X) @ coefficients

    def at_landmarks(self, f: Floats) -> Floats:
        """Give the inner products of what has features f with the landmarks' images."""
        return self._unwhitening @ f
