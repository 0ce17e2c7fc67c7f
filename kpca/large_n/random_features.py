"""Random Fourier features: the approximation that needs no landmarks, for comparison.

References
----------
Rahimi, Recht (2007), Random features for large-scale kernel machines, NIPS 20;
Sutherland, Schneider (2015), On the error of random Fourier features, UAI (cosines and sines).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kpca.gram import Centering
from kpca.kernels import KernelParameters
from kpca.large_n.accuracy import Probe
from kpca.large_n.moments import moments
from kpca.large_n.rows import ArrayRows
from kpca.large_n.sample import draw_sample
from kpca.large_n.spectrum import Axes, Spectrum, project
from kpca.source import KernelSource
from kpca.threads import pinned_blas
from kpca.types import Array, Floats, Matrix

TRIED = 2000  # points against which the kernel is tried


class FourierFeatures:
    """φ(x) = (cos Ωᵀx, sin Ωᵀx)/√h with h columns of Ω normal of variance 2γ, so that φ·φ ≈ rbf.

    Parameters
    ----------
    width : int
        Number of columns of the points.
    gamma : float
        Of the Gaussian kernel.
    n_features : int
        2h; an odd number loses one.
    seed : int
    """

    whitening = None

    def __init__(self, width: int, gamma: float, n_features: int, seed: int) -> None:
        half = n_features // 2
        self._omega = np.random.default_rng(seed).normal(0, np.sqrt(2 * gamma), (width, half))

    def values(self, X: Matrix) -> Floats:
        """Give the features of the rows of X, of shape (rows, 2h)."""
        angles = X @ self._omega
        return np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(angles.shape[1])

    def onto(self, Z: Floats) -> Callable[[Matrix], Floats]:
        """Give X ↦ φ(X) Z."""
        return lambda X: self.values(X) @ Z


@dataclass(frozen=True, eq=False)
class FourierFit:
    """Kernel PCA by random Fourier features, labelled with the error they make.

    Attributes
    ----------
    spectrum : Spectrum
        Eigenpairs of K̂̄, with their estimated residuals against the exact K̄.
    kernel_error : float
        Root mean square of φ(x)·φ(y) − k(x, y) over sampled pairs.
    """

    spectrum: Spectrum
    kernel_error: float


def fit_fourier(
    X: Array, n_components: int, *, gamma: float, n_features: int, seed: int, n_threads: int = 1
) -> FourierFit:
    """Approximate the leading eigenpairs of the centred Gaussian kernel matrix.

    The error falls with 1/√n_features however smooth the kernel is, and has no sign: nothing
    bounds the variance that is missed.

    Parameters
    ----------
    X : array of shape (n, d)
    n_components : int
    gamma : float
    n_features : int
    seed : int
    n_threads : int
    """
    rows, centering = ArrayRows(X), Centering(len(X))
    sample = draw_sample(rows, n_features, None, seed)
    source = KernelSource(sample.points, "rbf", KernelParameters(gamma))
    features = FourierFeatures(X.shape[1], gamma, n_features, seed)
    probe = Probe.of(sample, source, seed + 1)
    with pinned_blas():
        found = moments(rows, features, probe.kernel, centering, probe.points, n_threads)
        axes = Axes.of(found).head(n_components)
        spectrum = project(rows, features, found, axes, probe, centering, n_threads)
    return FourierFit(spectrum, _kernel_error(features, probe, sample.points[:TRIED]))


def _kernel_error(features: FourierFeatures, probe: Probe, points: Array) -> float:
    approximate = features.values(points) @ features.values(probe.points).T
    return float(np.sqrt(np.square(approximate - probe.values(points)).mean()))
