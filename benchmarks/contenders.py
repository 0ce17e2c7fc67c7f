"""What a case runs: our estimator, scikit-learn's with each of its solvers, and the residual."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.metrics.pairwise import laplacian_kernel, pairwise_kernels

from benchmarks.cases import Case
from benchmarks.data import median_gamma, points
from benchmarks.one_by_one import OneByOne
from kpca import KernelPCA
from kpca.types import Array, Floats

TOL = 1e-8
OURS = "kpca"
LOOP = "loop"
ROWS = 256
WARM_UP = 150
# ARPACK stops by default at machine precision; a like comparison also gives it our tolerance.
THEIR_OPTIONS: dict[str, dict[str, Any]] = {
    "arpack-1e-8": {"eigen_solver": "arpack", "tol": TOL},
}


class TheirLaplacianPCA(TheirKernelPCA):
    """Their class on their laplacian kernel, which it does not take by name."""

    def fit(self, X: Floats, y: None = None) -> TheirLaplacianPCA:
        """Compute the kernel matrix and fit to it."""
        self.kernel = "precomputed"
        return super().fit(laplacian_kernel(X, gamma=self.gamma))


def kernel_options(case: Case, X: Floats) -> dict[str, Any]:
    """Give the kernel and its parameters, γ from the points."""
    gamma = case.gamma_factor * median_gamma(X)
    return {"kernel": case.kernel, "gamma": gamma, **case.kernel_parameters}


def model(case: Case, contender: str, X: Floats) -> Any:
    """Make the unfitted estimator of a contender: `OURS`, or one of ``case.theirs``."""
    options = kernel_options(case, X) | {"n_components": case.k, "random_state": 0}
    if contender in (OURS, LOOP):
        ours_class = KernelPCA if contender == OURS else OneByOne
        return ours_class(eigen_solver=case.ours, tol=TOL, preimage="fixed_point", **options)
    theirs = THEIR_OPTIONS.get(contender, {"eigen_solver": contender})
    theirs_class = TheirLaplacianPCA if case.kernel == "laplacian" else TheirKernelPCA
    return theirs_class(**options, **theirs)


def step(case: Case, contender: str, X: Floats) -> Callable[[], Any]:
    """Give what is timed: a fit, or what a fitted model does with as many new points.

    A tiny fit comes before, so that imports count neither as time nor as memory.
    """
    estimator = model(case, contender, X)
    estimator.fit(X[:WARM_UP])
    if case.step == "fit":
        return lambda: estimator.fit(X)
    new = points(case.data, case.n, seed=1)
    fitted = estimator.fit(X)
    work = getattr(fitted, case.step)
    work(new[:WARM_UP])
    return lambda: work(new)


def residual(X: Floats, options: dict[str, Any], values: Floats, vectors: Array) -> float:
    """max_i ‖K̄a_i − λ_i a_i‖ / λ_1 in float64, from scikit-learn's kernels in strips of rows."""
    centred = vectors - vectors.mean(axis=0)
    product = np.empty_like(centred)
    metric, parameters = options["kernel"], {k: v for k, v in options.items() if k != "kernel"}
    for start in range(0, len(X), ROWS):
        strip = pairwise_kernels(
            X[start : start + ROWS], X, metric=metric, filter_params=True, **parameters
        )
        product[start : start + ROWS] = strip @ centred
    product -= product.mean(axis=0)
    return float(np.linalg.norm(product - vectors * values, axis=0).max() / values[0])
