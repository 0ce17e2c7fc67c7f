"""The estimators that are compared, of this package and of scikit-learn, and their residuals."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.metrics.pairwise import pairwise_kernels

from benchmarks.cases import Case
from benchmarks.data import points
from kpca import KernelPCA, median_gamma
from kpca.types import Array, Floats

TOL = 1e-8
OURS = "kpca"
STRIP = 256  # number of rows of the kernel matrix that are computed at once
WARM_UP = 150  # number of points of an untimed first fit
# By default, ARPACK iterates to machine precision. For a fair comparison, it is also run with the
# tolerance of this package.
THEIR_OPTIONS = {"arpack-1e-8": {"eigen_solver": "arpack", "tol": TOL}}


def kernel_options(case: Case, X: Floats) -> dict[str, Any]:
    """Return the kernel of a case and its parameters, with γ computed from the points X."""
    return {"kernel": case.kernel, "gamma": case.gamma_factor * median_gamma(X)}


def model(case: Case, contender: str, X: Floats) -> Any:
    """Return the unfitted estimator of a contender, which is `OURS` or one of ``case.theirs``."""
    options = kernel_options(case, X) | {"n_components": case.k, "random_state": 0}
    if contender == OURS:
        return KernelPCA(eigen_solver=case.ours, tol=TOL, **options)
    theirs: dict[str, Any] = THEIR_OPTIONS.get(contender, {"eigen_solver": contender})
    return TheirKernelPCA(**options, **theirs)


def step(case: Case, contender: str, X: Floats) -> Callable[[], Any]:
    """Return the call to be timed: a fit, or a method of a fitted model for ``case.n`` new points.

    A tiny fit precedes it, so that imports count neither as time nor as memory.
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


def residual(
    X: Floats, options: dict[str, Any], values: Floats, vectors: Array, rows: int | None = None
) -> float:
    """Return max_i ‖K̄a_i − λ_i a_i‖ / λ_1 in float64, with the kernel of scikit-learn.

    If all rows would take hours, the residual is estimated from a sample of `rows` rows. Except for
    their mean, the entries of r = K̄a − λa are those of K(I − 11ᵀ/n)a − λa. The mean of r is −λ
    times the mean of a. n times the variance over random rows is an unbiased estimate of n times
    the variance over all rows.
    """
    n = len(X)
    gamma = options["gamma"]
    sampled = rows is not None and rows < n
    chosen = np.random.default_rng(0).choice(n, rows, replace=False) if sampled else np.arange(n)
    centred = vectors - vectors.mean(axis=0)
    residuals = -vectors[chosen] * values
    for start in range(0, len(chosen), STRIP):
        part = slice(start, start + STRIP)
        rows_of = X[chosen[part]]
        strip = pairwise_kernels(rows_of, X, options["kernel"], filter_params=True, gamma=gamma)
        residuals[part] += strip @ centred
    squares = residuals.var(axis=0, ddof=int(sampled)) + np.square(values * vectors.mean(axis=0))
    return float(np.sqrt(n * squares.max()) / values[0])
