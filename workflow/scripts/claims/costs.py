"""What PCA and kernel PCA cost: multiplications, counted.

The k leading eigenvectors of a symmetric n × n matrix take 2n³/3 multiplications to make it
tridiagonal and n²k to carry vectors back; what lies between is of lower order. A product of an
n × m with an m × p matrix takes nmp, kernel values take nmd. How often the kernel matrix is gone
through by an iterative solver is counted in a fit.

References
----------
Golub and Van Loan, Matrix Computations (2013), sections 1.1 and 8.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import TypeVar

import numpy as np
import pandas as pd

from kpca.gram import Centering, FullGram, Gram, PackedGram
from kpca.kernels import KernelParameters
from kpca.solvers import davidson, krylov
from kpca.solvers.base import Problem, Solution
from kpca.source import KernelSource
from kpca.types import Array, Floats
from pipeline.seeds import rng_for

G = TypeVar("G", bound=Gram)
K, DEGREE, LANDMARKS = 10, 3, 100
FIXED_D = 100
SIZES = (200, 400, 800, 1600, 3200)
EXPONENTS = {"pca": 1, "dense": 3, "truncated": 2, "matrix-free": 2, "nystrom": 1}
"""What is stated of n."""

MEETINGS = (200, 400, 800, 1600)
DIMENSIONS = range(4, 31)


def eigenvectors(n: int, k: int) -> float:
    """Count the k leading eigenvectors of an n × n matrix."""
    return 2 * n**3 / 3 + n**2 * k


def pca(n: int, d: int) -> float:
    """Count PCA: the d × d covariance matrix and its eigenvectors."""
    return n * d**2 + eigenvectors(d, K)


def dense(n: int, d: int) -> float:
    """Count kernel PCA: the n × n kernel matrix and its eigenvectors."""
    return n**2 * d + eigenvectors(n, K)


def truncated(n: int, d: int) -> float:
    """Count kernel PCA from products with the stored kernel matrix.

    Its entries are computed twice, in single precision to search and in double to prove.
    """
    return 2 * n**2 * d + passes(krylov.solve, n, d) * n**2 * krylov.columns(K)


def matrix_free(n: int, d: int) -> float:
    """Count kernel PCA whose kernel matrix is computed anew for each product."""
    m, width = davidson.landmarks(n, K), K + davidson.SPARE
    found = passes(davidson.solve, n, d)
    return n * m * (d + m) + found * n**2 * (d + width)


def nystrom(n: int, d: int) -> float:
    """Count kernel PCA on landmarks: two passes over n × m kernel values, and an m × m problem."""
    m = LANDMARKS
    return n * m * (2 * d + m + K) + 2 * eigenvectors(m, m)


def monomials(n: int, d: int) -> float:
    """Count PCA of C(d + p, p) explicit monomials, each made of at most p factors."""
    count = comb(d + DEGREE, DEGREE)
    return n * count * DEGREE + n * count**2 + eigenvectors(count, count)


class CountedSource(KernelSource):
    """Kernel values that count how often their matrix is gone through."""

    passes = 0

    def full(self, n_threads: int = 1) -> FullGram:
        """Return the stored matrix."""
        return self._counted(super().full(n_threads))

    def packed(self, n_threads: int = 1) -> PackedGram:
        """Return one half of the matrix, stored in single precision."""
        return self._counted(super().packed(n_threads))

    def tiled(self, dtype: type, n_threads: int = 1) -> Gram:
        """Return the matrix whose values are computed anew for each product."""
        return self._counted(super().tiled(dtype, n_threads))

    def _counted(self, gram: G) -> G:
        product = gram.matmul

        def matmul(V: Array) -> Floats:
            self.passes += 1
            return product(V)

        vars(gram)["matmul"] = matmul  # before the method of its class
        return gram


def passes(solve: Callable[[Problem], Solution], n: int, d: int) -> int:
    """Return how often a solver goes through the kernel matrix.

    The kernel is Gaussian, on normal rows whose column j has the variance 1/j.
    """
    X = rng_for(0, "claims", "costs", n, d).standard_normal((n, d)) * np.arange(1, d + 1) ** -0.5
    source = CountedSource(X, "rbf", KernelParameters(gamma=0.1))
    solve(Problem(source, Centering(n), K))
    return source.passes


METHODS: dict[str, Callable[[int, int], float]] = {
    "pca": pca,
    "dense": dense,
    "truncated": truncated,
    "matrix-free": matrix_free,
    "nystrom": nystrom,
}


def exponent(sizes: Sequence[int] | Floats, counts: Sequence[float] | Floats) -> float:
    """Return the slope of log counts over log sizes, of the larger half.

    >>> round(exponent([1, 2, 4], [1.0, 5.0, 20.0]), 10)
    2.0
    """
    upper = slice(len(sizes) // 2, None)
    return float(np.polyfit(np.log(sizes[upper]), np.log(counts[upper]), 1)[0])


def crossings() -> pd.DataFrame:
    """Count monomials and the kernel matrix of the same polynomial kernel.

    Returns
    -------
    DataFrame
        Columns n, d, features: C(d + p, p), monomials, kernel.
    """
    rows = [
        (n, d, comb(d + DEGREE, DEGREE), monomials(n, d), dense(n, d))
        for n in MEETINGS
        for d in DIMENSIONS
    ]
    return pd.DataFrame(rows, columns=["n", "d", "features", "monomials", "kernel"])


def crossover(table: pd.DataFrame) -> float:
    """Return the number of features at which both counts are equal.

    Parameters
    ----------
    table : DataFrame
        Columns features, monomials, kernel, features ascending. Between two numbers the logarithm
        of the ratio is linear in that of the number.
    """
    ratio = np.log(table["monomials"] / table["kernel"])
    return float(np.exp(np.interp(0, ratio, np.log(table["features"]))))


def measure() -> tuple[dict[str, float], dict[str, pd.DataFrame]]:
    """Return what was counted for each claim on costs, and the tables of their figure."""
    counts = pd.DataFrame({"n": SIZES})
    for name, method in METHODS.items():
        counts[name] = [method(n, FIXED_D) for n in SIZES]
    met = crossings()
    off = [np.log2(crossover(rows) / rows["n"].iloc[0]) for _, rows in met.groupby("n")]
    wide, narrow = (100, 200, 400, 800, 1600), (20, 40, 80, 160, 320)
    measured = {
        f"3-cost-{name}-n": exponent(SIZES, counts[name].to_numpy()) - stated
        for name, stated in EXPONENTS.items()
    } | {
        "3-cost-pca-d": exponent(wide, [pca(500, d) for d in wide]) - 2.5,
        "3-cost-dense-d": exponent(narrow, [dense(600, d) for d in narrow]),
        "11-crossover": max(off, key=abs),
    }
    return measured, {"counts": counts, "crossings": met}
