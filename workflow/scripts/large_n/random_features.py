"""Random Fourier features: the approximation that needs no landmarks, for comparison.

References
----------
Rahimi, Recht (2007), Random features for large-scale kernel machines, NIPS 20;
Sutherland, Schneider (2015), On the error of random Fourier features, UAI (cosines and sines).
"""

from functools import partial

import numpy as np
from scipy.linalg import eigh

from kpca.kernels import KernelParameters
from kpca.linalg.threads import pinned_blas
from kpca.nystrom.accuracy import Probe
from kpca.nystrom.sample import draw_sample
from kpca.nystrom.streaming import ArrayRows
from kpca.operators import Centering
from kpca.operators.sources import KernelSource
from kpca.types import Array, Floats


def fourier_features(X: Array, *, gamma: float, n_features: int, seed: int) -> Floats:
    """Return φ(x) = (cos Ωᵀx, sin Ωᵀx)/√h of the rows of X, of shape (rows, 2h).

    With h columns of Ω, normal of variance 2γ, φ·φ ≈ rbf. An odd number of features loses one.
    """
    half = n_features // 2
    omega = np.random.default_rng(seed).normal(0, np.sqrt(2 * gamma), (X.shape[1], half))
    angles = X @ omega
    return np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(half)


def fit_fourier(
    X: Array, n_components: int, *, gamma: float, n_features: int, seed: int
) -> tuple[Floats, Floats, Floats]:
    """Approximate the leading eigenpairs of the centred Gaussian kernel matrix.

    The error falls with 1/√n_features however smooth the kernel is, and has no sign: nothing
    bounds the variance that is missed. There are at most ``n_features`` components.

    Returns
    -------
    values : ndarray of shape (k,)
    vectors : ndarray of shape (n, k)
    estimates : ndarray of shape (k,)
        ‖K̄a − λa‖ / λ_1 against the exact K̄, estimated on random rows of it.
    """
    features = partial(fourier_features, gamma=gamma, n_features=n_features, seed=seed)
    sample = draw_sample(ArrayRows(X), n_features, None, seed)
    source = KernelSource(sample.points, "rbf", KernelParameters(gamma))
    probe = Probe.of(sample, source, seed + 1)
    with pinned_blas():
        F = features(X)
        mean = F.mean(axis=0)
        F -= mean
        values, directions = eigh(F.T @ F)
        values, directions = (
            values[: -n_components - 1 : -1],
            directions[:, : -n_components - 1 : -1],
        )
        vectors = F @ directions / np.sqrt(values)
        scores = (features(probe.points) - mean) @ directions
        norms, _ = probe.estimate(probe.times(X, vectors), scores, values, Centering(len(X)))
    return values, vectors, norms / values[0]
