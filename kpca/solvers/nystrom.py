"""Nyström kernel PCA: ordinary PCA of centred features, in three passes over the points.

The features φ(x) = K_mm^(−½) k_m(x) of m landmarks give K̂ = ΦΦᵀ with K − K̂ positive
semidefinite, so that every error has a sign: eigenvalues and traces come out too small, and the
trace that is missing, e = tr(K − K̂), bounds by how much.

It stands beside the registry, whose solvers all find pairs of K̄ itself.

References
----------
Williams, Seeger (2001), Using the Nyström method to speed up kernel machines, NIPS 13;
Sterge, Sriperumbudur (2022), Statistical optimality and computational efficiency of Nyström
kernel PCA, Journal of Machine Learning Research 23.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kpca.completeness import Completeness, Remainder, judge
from kpca.gram import Centering
from kpca.kernels import KernelParameters, get_kernel
from kpca.large_n import landmarks
from kpca.large_n.accuracy import Probe
from kpca.large_n.features import LandmarkFeatures
from kpca.large_n.moments import moments
from kpca.large_n.rows import Rows
from kpca.large_n.sample import Sample
from kpca.large_n.spectrum import Axes, Spectrum, project
from kpca.source import KernelSource
from kpca.threads import pinned_blas
from kpca.types import Floats, Matrix

# Operations from which on whitening comes after the sum, and below which share of the largest an
# eigenvalue among landmarks is rounding, before and after.
MANY = 2e9
NULL_BEFORE, NULL_AFTER = 1e-12, 2e-8


@dataclass(frozen=True, eq=False)
class NystromFit:
    """What a fit found, with its axes as combinations of the landmarks' images.

    Attributes
    ----------
    landmarks : array of shape (m, d)
        y_l.
    spectrum : Spectrum
        Eigenpairs of K̂̄, with their estimated residuals.
    coefficients : ndarray of shape (m, k)
        C of the axes v_j = Σ_l C_lj φ(y_l).
    mean : ndarray of shape (m,)
        b of the projected mean Σ_l b_l φ(y_l).
    kernel_means : ndarray of shape (m,)
        Σ_i w_i k(x_i, y_l) / W.
    trace : float
        tr(K̂̄) ≤ tr(K̄).
    trace_error : float
        e = tr(K − K̂) = tr(K̄ − K̂̄) + (the part of it that the centring takes off).
    completeness : Completeness
    """

    landmarks: Matrix
    spectrum: Spectrum
    coefficients: Floats
    mean: Floats
    kernel_means: Floats
    trace: float
    trace_error: float
    completeness: Completeness

    def ratio_bounds(self) -> Floats:
        """Bound λ_j(K̄)/tr(K̄) from both sides, as an array of shape (2, k).

        With t = tr(K̂̄): t ≤ tr(K̄) ≤ t + e and λ̂_j ≤ λ_j ≤ λ̂_j + tr(K̄) − t, so that the
        ratio lies between λ̂_j/(t + e) and (λ̂_j + e)/(t + e).
        """
        values, most = self.spectrum.axes.values, self.trace + self.trace_error
        if most <= 0:
            return np.zeros((2, len(values)))
        return np.stack([values, values + self.trace_error]) / most


def check_kernel(name: object) -> str:
    """Give the name of a kernel that landmarks can approximate.

    Raises
    ------
    ValueError
        For a matrix computed beforehand, or a function.
    """
    if name == "precomputed" or not isinstance(name, str):
        raise ValueError(
            "eigen_solver='nystrom' needs a kernel by name, whose values it computes where it "
            "needs them: name the kernel, or use eigen_solver='krylov' for a matrix or a function."
        )
    return name


def check_semidefinite(name: str, parameters: KernelParameters) -> None:
    """Refuse a kernel that is not positive semidefinite for certain.

    Raises
    ------
    ValueError
        Naming the kernel and what to use.
    """
    if not get_kernel(name).semidefinite(parameters):
        raise ValueError(
            f"eigen_solver='nystrom' needs a positive semidefinite kernel, and {name} with "
            f"{parameters} may be indefinite: use eigen_solver='krylov', or a kernel such as "
            "'rbf', or 'poly' with a whole degree and coef0 of at least 0."
        )


def fit(
    rows: Rows,
    sample: Sample,
    source: KernelSource,
    centering: Centering,
    *,
    n_landmarks: int,
    how: str,
    wanted: Callable[[Floats, float], int],
    tol: float,
    seed: int,
    n_threads: int,
) -> NystromFit:
    """Approximate the leading eigenpairs of K̄.

    Parameters
    ----------
    rows : Rows
        The training points.
    sample : Sample
        Drawn from them.
    source : KernelSource
        The kernel on the points of the sample.
    centering : Centering
        Of all points.
    n_landmarks : int
        m at most.
    how : {"kmeans", "uniform", "rpcholesky"}
        How landmarks are chosen.
    wanted : callable
        (all eigenvalues of K̂̄ in decreasing order, upper bound of tr(K̄)) → number to keep.
    tol : float
        Share of λ_1 within which eigenvalues count as one (`kpca.completeness`).
    seed : int
    n_threads : int
    """
    with pinned_blas():
        points = landmarks.choose(sample, n_landmarks, how, source.name, source.parameters, seed)
        first = float(sample.n) * points.shape[0] ** 2 <= MANY
        kernel = KernelSource(points, source.name, source.parameters)
        features = LandmarkFeatures(kernel, NULL_BEFORE if first else NULL_AFTER)
        probe = Probe.of(sample, source, seed + 1)
        found = moments(rows, features, features.kernel, centering, points, n_threads, first)
        axes, error = Axes.of(found), max(found.diagonal - found.approximated, 0.0)
        trace = float(np.trace(found.scatter))
        k = wanted(axes.values, trace + error)
        spectrum = project(rows, features, found, axes.head(k), probe, centering, n_threads)
    mean = features.whitening @ found.mean
    return NystromFit(
        points,
        spectrum,
        features.whitening @ spectrum.axes.directions,
        mean,
        features.at_landmarks(found.mean),
        trace,
        error,
        _completeness(axes.values, k, error, tol),
    )


def _completeness(values: Floats, k: int, error: float, tol: float) -> Completeness:
    """λ_{k+1}(K̄) ≤ λ̂_{k+1} + tr(K̄ − K̂̄) ≤ λ̂_{k+1} + e, by Weyl's inequality."""
    known = np.pad(values, (0, k + 1))  # beyond the rank they are zero
    limit = float(known[max(k, 1) - 1] + tol * known[0])
    return judge(limit, [Remainder(float(known[k]) + error, "Nyström trace")])
