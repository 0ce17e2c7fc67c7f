"""Measure processor times of PCA, kernel PCA and the SVD for several numbers of rows and columns.

python -m benchmarks.costs OUTPUT.csv [ROUNDS]

Each round measures every size once, so that a disturbance of the machine affects all sizes alike. A
time is the shortest processor time of three runs on one thread. Claims on costs are tested with
`benchmarks/costs.csv`, which is the output of this command on the machine and at the commit that
its rows name. `snakemake costs` repeats the measurement and the tests.
"""

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from math import comb, nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.preprocessing import PolynomialFeatures

from benchmarks.timing import timed
from kpca import PCA, KernelPCA, LandmarkKernelPCA
from kpca.linear.svd import SVD, svd
from kpca.types import Floats

K = 10
DEGREE = 3
RUNS = 3
ROUNDS = 5
COLUMNS = ["series", "method", "n", "d", "features", "round", "seconds", "error"]
SIZE = [*COLUMNS[:5], "error"]


def kernel_pca(X: Floats, **options: Any) -> KernelPCA:
    """Fit kernel PCA with the Gaussian kernel, unless the options name another one."""
    return KernelPCA(K, **({"kernel": "rbf", "gamma": 1 / X.shape[1]} | options)).fit(X)


def landmarks(X: Floats) -> LandmarkKernelPCA:
    """Fit kernel PCA with the Gaussian kernel and 100 landmarks."""
    return LandmarkKernelPCA(K, kernel="rbf", gamma=1 / X.shape[1], n_landmarks=100).fit(X)


def monomials(X: Floats) -> PCA:
    """Fit PCA to all monomials of the columns up to the degree `DEGREE`."""
    return PCA(K, route="covariance").fit(PolynomialFeatures(DEGREE).fit_transform(X))


cubic = partial(kernel_pca, eigen_solver="dense", kernel="poly", degree=DEGREE, coef0=1)
FITS: dict[str, Callable[[Floats], Any]] = {
    "pca": lambda X: PCA(K, route="covariance").fit(X),
    "dense": partial(kernel_pca, eigen_solver="dense"),
    "iterative": partial(kernel_pca, eigen_solver="arpack"),
    "nystrom": landmarks,
    "monomials": monomials,
    "kernel": cubic,
    "full": partial(svd, n_components=K),
    "truncated": partial(svd, n_components=K, method="truncated"),
    **{
        f"randomized, q = {q}": partial(svd, n_components=K, method="randomized", n_iter=q)
        for q in (0, 1, 2, 4)
    },
}


class Series(NamedTuple):
    """Methods that are compared at several sizes n × d."""

    methods: list[str]
    sizes: list[tuple[int, int]]


SERIES = {
    "pca over n": Series(["pca"], [(n, 100) for n in (4000, 8000, 16_000, 32_000, 64_000)]),
    "pca over d": Series(["pca"], [(500, d) for d in (400, 800, 1600, 3200)]),
    "kernel over n": Series(["dense", "iterative"], [(n, 100) for n in (400, 800, 1600, 3200)]),
    "kernel over d": Series(["dense"], [(600, d) for d in (20, 40, 80, 160, 320)]),
    "landmarks over n": Series(["nystrom"], [(n, 100) for n in (3200, 6400, 12_800, 25_600)]),
    "crossover 400": Series(["monomials", "kernel"], [(400, d) for d in range(6, 17, 2)]),
    "crossover 800": Series(["monomials", "kernel"], [(800, d) for d in range(8, 19, 2)]),
    "svd": Series([*FITS][6:], [(2000, 500)]),
}


def samples(series: str, n: int, d: int) -> Floats:
    """Return random normal rows; for the series "svd", with the flat spectrum σ_j = 1/√j."""
    X = np.random.default_rng(0).standard_normal((n, d))
    if series != "svd":
        return X
    U, _, Vt = np.linalg.svd(X, full_matrices=False)
    return np.asarray(U / np.sqrt(np.arange(1, d + 1)) @ Vt)


def excess(X: Floats, fitted: Any) -> float:
    """Return by which fraction ‖X − UΣVᵀ‖ exceeds the error of the best approximation of rank K."""
    if not isinstance(fitted, SVD):
        return nan
    best = np.sqrt(np.sum(1 / np.arange(K + 1.0, X.shape[1] + 1)))
    return float(np.linalg.norm(X - fitted.U * fitted.s @ fitted.Vt) / best - 1)


def measure(rounds: int = ROUNDS, series: dict[str, Series] = SERIES) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the table, in the order of `COLUMNS`."""
    for r in range(rounds):
        for name, (methods, sizes) in series.items():
            for n, d in sizes:
                X = samples(name, n, d)
                for method in methods:
                    fit = partial(FITS[method], X)
                    error = excess(X, fit())
                    seconds = min(timed(fit).processor for _ in range(RUNS))
                    features = comb(d + DEGREE, DEGREE) if "crossover" in name else d
                    yield name, method, n, d, features, r, seconds, error


def machine() -> str:
    """Return the number of cores and the instruction set, without a name of the machine."""
    cpuinfo = Path("/proc/cpuinfo")
    flags = cpuinfo.read_text() if cpuinfo.exists() else ""
    sets = [name for name, flag in (("AVX-512", "avx512f"), ("AVX2", "avx2")) if flag in flags]
    return ", ".join([f"{os.cpu_count()} cores", platform.machine(), *sets[:1]])


def commit() -> str:
    """Return the short name of the commit of this repository; "unknown" without git."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short=8", "HEAD"]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    return process.stdout.strip() or "unknown"


def main(output: str, rounds: str = str(ROUNDS)) -> None:
    """Write the table: one row per method and size, with a column per round."""
    table = pd.DataFrame(measure(int(rounds)), columns=COLUMNS)
    first = table.loc[table["round"] == 0, SIZE].reset_index(drop=True)
    for r, rows in table.groupby("round"):
        first.insert(len(first.columns) - 1, f"round_{r}", rows["seconds"].to_numpy())
    table = first.assign(machine=machine(), commit=commit())
    table.to_csv(output, index=False, float_format="%.4g")


if __name__ == "__main__":
    main(*sys.argv[1:])
