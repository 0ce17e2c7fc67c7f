"""Measure time, memory and error of a fit for several numbers of points.

python -m benchmarks.scaling CONTENDER OUTPUT.csv

Every fit runs in a new process. A fit that needs more memory than the machine has is left out, and
its row says so.
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
SAMPLED = 2048  # number of rows from which a residual is estimated
REPEATED = 1.0  # seconds for which a fit is repeated; longer fits run once

Pairs = tuple[Floats, Floats]  # eigenvalues of K̄ and unit eigenvectors
Fit = Callable[[Floats, float], Pairs]


def kernel_pca(estimator: type, X: Floats, gamma: float, **options: Any) -> Pairs:
    """Fit an estimator of this package or of scikit-learn, with the solver in the options."""
    model = estimator(K, kernel="rbf", gamma=gamma, random_state=0, **options).fit(X)
    return model.eigenvalues_, model.eigenvectors_


def their_nystroem(X: Floats, gamma: float) -> Pairs:
    """Fit scikit-learn's Nyström features, and PCA to these features."""
    features = Nystroem(gamma=gamma, n_components=LANDMARKS, random_state=0).fit_transform(X)
    model = decomposition.PCA(K, random_state=0)
    scores = model.fit_transform(features)
    norms = np.linalg.norm(scores, axis=0)
    return norms**2, scores / norms


class Contender(NamedTuple):
    """A way to fit, the smallest number of bytes that it needs for n points, and the largest n."""

    fit: Fit
    required: Callable[[float], float]
    largest: int


# Options of scikit-learn's fastest exact solver.
ARPACK: dict[str, Any] = {"eigen_solver": "arpack", "tol": TOL}
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
    """Return the seconds and the additional bytes of a fit to n points, and the largest residual.

    The fit is repeated for a second, and the fastest run counts, because there are no interleaved
    runs of other contenders.
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
    """Return one row of the table, with a measurement or the note that the fit needs more memory.

    A fit that needs nearly all memory is tried. The system kills it if other processes need theirs.
    """
    start = {"contender": name, "n": n}
    if CONTENDERS[name].required(n) < os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"):
        with suppress(BrokenProcessPool):
            return start | {"fits": True} | in_fresh_process(measure, name, n)
    return start | {"fits": False}


def main(name: str, output: str) -> None:
    """Write the table of one contender, for all sizes up to its largest one."""
    table = pd.DataFrame([row(name, n) for n in SIZES if n <= CONTENDERS[name].largest])
    table.to_csv(output, index=False, float_format="%.6g")


if __name__ == "__main__":
    main(*sys.argv[1:])
