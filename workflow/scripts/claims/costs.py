"""What PCA and kernel PCA cost: multiplications, counted.

The k leading eigenvectors of a symmetric n × n matrix take 2n³/3 multiplications to make it
tridiagonal and n²k to carry vectors back; what lies between is of lower order. A product of an
n × m with an m × p matrix takes nmp, kernel values take nmd.

References
----------
Golub and Van Loan, Matrix Computations (2013), sections 1.1 and 8.3.
"""

from collections.abc import Callable, Sequence
from itertools import product
from math import comb

import numpy as np
import pandas as pd

from pipeline.job import script
from workflow.scripts.claims.claim import exactly

K, DEGREE, LANDMARKS = 10, 3, 100
FIXED_D = 100
SIZES = (200, 400, 800, 1600, 3200)
EXPONENTS = {"pca": 1, "dense": 3, "nystrom": 1}  # what is stated of n
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


def nystrom(n: int, d: int) -> float:
    """Count kernel PCA on landmarks: two passes over n × m kernel values, and an m × m problem."""
    m = LANDMARKS
    return n * m * (2 * d + m + K) + 2 * eigenvectors(m, m)


def monomials(n: int, d: int) -> float:
    """Count PCA of C(d + p, p) explicit monomials, each made of at most p factors."""
    count = comb(d + DEGREE, DEGREE)
    return n * count * DEGREE + n * count**2 + eigenvectors(count, count)


METHODS: dict[str, Callable[[int, int], float]] = {"pca": pca, "dense": dense, "nystrom": nystrom}


def exponent(sizes: Sequence[int], counts: Sequence[float] | pd.Series) -> float:
    """Return the slope of log counts over log sizes, of the larger half.

    >>> round(exponent([1, 2, 4], [1.0, 5.0, 20.0]), 10)
    2.0
    """
    upper = slice(len(sizes) // 2, None)
    return float(np.polyfit(np.log(sizes[upper]), np.log(counts[upper]), 1)[0])


def crossover(table: pd.DataFrame) -> float:
    """Return the number of features at which monomials cost as much as the kernel matrix.

    Features ascend; between two numbers the logarithm of the ratio is linear in that of the number.
    """
    ratio = np.log(table["monomials"] / table["kernel"])
    return float(np.exp(np.interp(0, ratio, np.log(table["features"]))))


@script
def measure() -> dict[str, pd.DataFrame]:
    """Return the cases of costs, and the tables ``counts`` and ``crossings``.

    Crossings are of the same polynomial kernel, by monomials and by the kernel matrix.
    """
    numbers = {name: [method(n, FIXED_D) for n in SIZES] for name, method in METHODS.items()}
    counts = pd.DataFrame({"n": SIZES} | numbers)
    rows = [
        (n, d, comb(d + DEGREE, DEGREE), monomials(n, d), dense(n, d))
        for n, d in product(MEETINGS, DIMENSIONS)
    ]
    crossings = pd.DataFrame(rows, columns=["n", "d", "features", "monomials", "kernel"])
    off = [np.log2(crossover(of_n) / of_n["n"].iloc[0]) for _, of_n in crossings.groupby("n")]
    wide, narrow = (100, 200, 400, 800, 1600), (20, 40, 80, 160, 320)
    measured = {
        **{f"3-cost-{name}-n": exponent(SIZES, counts[name]) - EXPONENTS[name] for name in METHODS},
        "3-cost-pca-d": exponent(wide, [pca(500, d) for d in wide]) - 2.5,
        "3-cost-dense-d": exponent(narrow, [dense(600, d) for d in narrow]),
        "11-crossover": max(off, key=abs),
    }
    cases = [exactly(claim, value) for claim, value in measured.items()]
    return {"claims": pd.DataFrame(cases), "counts": counts, "crossings": crossings}
