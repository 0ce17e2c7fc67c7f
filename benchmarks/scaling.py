"""Time, memory and error of a fit against the number of points.

python -m benchmarks.scaling CONTENDER OUTPUT.csv

Every fit runs in a fresh process. One that would not fit into the memory of the machine is left
out, and its row says so.
"""

import os
import sys
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn import decomposition
from sklearn.kernel_approximation import Nystroem

from benchmarks.contenders import TOL, WARM_UP, residual
from benchmarks.data import points
from benchmarks.timing import in_fresh_process, peak_above, timed
from kpca import KernelPCA, LandmarkKernelPCA, median_gamma
from kpca.types import Floats

DATA = "mix10"
K = 10
LANDMARKS = 300
SIZES = [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000]
SAMPLED = 2048  # rows that a residual is estimated from
REPEATED = 1.0  # seconds of runs; longer fits run once

Pairs = tuple[Floats, Floats]  # eigenvalues of K̄ and unit eigenvectors
Fit = Callable[[Floats, float], Pairs]


def kernel_pca(estimator: type, X: Floats, gamma: float, **options: Any) -> Pairs:
    """Fit this package's estimator or scikit-learn's, by the solver that the options name."""
    model = estimator(K, kernel="rbf", gamma=gamma, random_state=0, **options).fit(X)
    return model.eigenvalues_, model.eigenvectors_


def their_nystroem(X: Floats, gamma: float) -> Pairs:
    """Fit scikit-learn's Nyström features and PCA on them."""
    features = Nystroem(gamma=gamma, n_components=LANDMARKS, random_state=0).fit_transform(X)
    model = decomposition.PCA(K, random_state=0)
    scores = model.fit_transform(features)
    norms = np.linalg.norm(scores, axis=0)
    return norms**2, scores / norms


class Contender(NamedTuple):
    """A way to fit, the least bytes it needs for n points, and up to which n it is fitted."""

    fit: Fit
    required: Callable[[float], float]
    largest: int


ARPACK: dict[str, Any] = {"eigen_solver": "arpack", "tol": TOL}  # their fastest exact solver
CONTENDERS = {
    "exact": Contender(partial(kernel_pca, KernelPCA, tol=TOL), lambda n: 1e4 * n, 100_000),
    "nystrom": Contender(
        partial(kernel_pca, LandmarkKernelPCA, n_landmarks=LANDMARKS),
        lambda n: 8.0 * K * n,
        1_000_000,
    ),
    "their_exact": Contender(
        partial(kernel_pca, decomposition.KernelPCA, **ARPACK), lambda n: 8.4 * n**2, 50_000
    ),
    "their_nystrom": Contender(their_nystroem, lambda n: 16.0 * LANDMARKS * n, 1_000_000),
}


def measure(name: str, n: int) -> dict[str, float]:
    """Fit n points: seconds, bytes above those held before, and the largest residual.

    The fastest of the runs that a second holds counts: there is nobody to take turns with.
    """
    X = points(DATA, n)
    gamma = median_gamma(X)
    fit = CONTENDERS[name].fit
    fit(X[: 2 * WARM_UP + LANDMARKS], gamma)
    eigenpairs: list[Pairs] = []
    seconds: list[float] = []
    peak = peak_above(lambda: seconds.append(timed(lambda: eigenpairs.append(fit(X, gamma))).wall))
    values, vectors = eigenpairs[0]
    while sum(seconds) < REPEATED:
        seconds.append(timed(lambda: fit(X, gamma)).wall)
    return {
        "seconds": min(seconds),
        "peak_bytes": peak,
        "error": residual(X, {"kernel": "rbf", "gamma": gamma}, values, vectors, SAMPLED),
    }


def row(name: str, n: int) -> dict[str, Any]:
    """One row of the table: measured, or that it does not fit.

    A fit that needs nearly all of the memory is tried; the system ends it where others need theirs.
    """
    start = {"contender": name, "n": n}
    if CONTENDERS[name].required(n) < os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"):
        with suppress(BrokenProcessPool):
            return start | {"fits": True} | in_fresh_process(measure, name, n)
    return start | {"fits": False}


def main(name: str, output: str) -> None:
    """Write the table of one contender, of all sizes up to its largest."""
    table = pd.DataFrame([row(name, n) for n in SIZES if n <= CONTENDERS[name].largest])
    table.to_csv(output, index=False, float_format="%.6g")


if __name__ == "__main__":
    main(*sys.argv[1:])
