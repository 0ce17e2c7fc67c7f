"""What PCA and kernel PCA cost: exponents fitted to times, and where monomials cost as much."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from kpca.kernel_pca import KernelPCA
from kpca.linear.routes import principal_axes
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.studies.claims.claim import Claim, Rule, averaged
from kpca.types import Floats

FIGURE = "claims_costs"
N_COMPONENTS = 10
DEGREE = 3
MARGIN = 0.5  # of an exponent


def pca(X: Floats) -> None:
    """Solve the d × d problem: O(nd² + d³)."""
    principal_axes(X - X.mean(axis=0), N_COMPONENTS, route="covariance")


def dense(X: Floats) -> None:
    """Solve the n × n problem by LAPACK: O(n³)."""
    KernelPCA(N_COMPONENTS, kernel="linear", eigen_solver="dense", n_jobs=1).fit(X)


def truncated(X: Floats) -> None:
    """Solve the n × n problem for the leading components only, by products with K̄."""
    KernelPCA(N_COMPONENTS, kernel="linear", eigen_solver="krylov", n_jobs=1).fit(X)


@dataclass(frozen=True)
class Series:
    """Times of one method along n or d.

    Attributes
    ----------
    name, statement, formula : str
        Of the claim.
    method : callable
        Takes the rows.
    along : {"n", "d"}
    sizes : tuple of int
        In ascending order; the exponent is fitted to the larger half.
    other : int
        The dimension that stays.
    exponent : float
        What is stated.
    margin : float
        How far from it the fitted one may be.
    """

    name: str
    statement: str
    formula: str
    method: Callable[[Floats], None]
    along: str
    sizes: tuple[int, ...]
    other: int
    exponent: float
    margin: float = MARGIN

    def shape(self, size: int) -> tuple[int, int]:
        """Return n and d."""
        return (size, self.other) if self.along == "n" else (self.other, size)


SERIES = (
    Series(
        "pca-n",
        "PCA costs O(nd² + d³): linear in n.",
        "n¹",
        pca,
        "n",
        (1000, 2000, 4000, 8000, 16000),
        100,
        1.0,
    ),
    Series(
        "pca-d",
        "PCA costs O(nd² + d³): an exponent of d between 2 and 3.",
        "d² … d³",
        pca,
        "d",
        (100, 200, 400, 800, 1600),
        500,
        2.5,
    ),
    Series(
        "dense-n",
        "Kernel PCA costs O(n³).",
        "n³",
        dense,
        "n",
        (100, 200, 400, 800, 1600),
        10,
        3.0,
    ),
    Series(
        "dense-d",
        "Kernel PCA costs the same for any d.",
        "d⁰",
        dense,
        "d",
        (20, 40, 80, 160, 320),
        600,
        0.0,
    ),
    Series(
        "truncated-n",
        "A truncated solver costs O(n²): products with the kernel matrix.",
        "n²",
        truncated,
        "n",
        (400, 800, 1600, 3200, 6400),
        10,
        2.0,
    ),
)


def rows(n: int, d: int, seed: int) -> Floats:
    """Return normal rows whose column j has the variance 1/j."""
    X = rng_for(seed, "claims", "costs", n, d).standard_normal((n, d))
    return np.asarray(X * np.arange(1, d + 1) ** -0.5)


def seconds(action: Callable[[], object]) -> float:
    """Return the wall time of one call on one thread."""
    with threadpool_limits(1):
        start = time.perf_counter()
        action()
        return time.perf_counter() - start


def times(series: Sequence[Series], *, repeats: int, seed: int) -> pd.DataFrame:
    """Time every series, size by size, all repeats of a size one after the other.

    Returns
    -------
    DataFrame
        Columns series, size, repeat, seconds. A first call of each method is not counted.
    """
    found = []
    for s in series:
        s.method(rows(*s.shape(s.sizes[0]), seed))
        for size in s.sizes:
            X = rows(*s.shape(size), seed)
            for repeat in range(repeats):
                found.append((s.name, size, repeat, seconds(partial(s.method, X))))
    return pd.DataFrame(found, columns=["series", "size", "repeat", "seconds"])


def exponents(table: pd.DataFrame) -> Floats:
    """Return the slope of log seconds over log size for every repeat, fitted to the larger half.

    Parameters
    ----------
    table : DataFrame
        Columns size, repeat, seconds.
    """
    sizes = np.sort(table["size"].unique())
    upper = table[table["size"].isin(sizes[len(sizes) // 2 :])]
    return np.array(
        [
            np.polyfit(np.log(group["size"]), np.log(group["seconds"]), 1)[0]
            for _, group in upper.groupby("repeat")
        ]
    )


def monomial_times(
    *, sizes: Sequence[int], dimensions: Sequence[int], repeats: int, seed: int
) -> pd.DataFrame:
    """Time explicit monomials and the kernel matrix of the same polynomial kernel.

    Returns
    -------
    DataFrame
        Columns n, d, features: C(d + p, p), method ("monomials" or "kernel"), repeat, seconds.
    """
    found = []
    for n in sizes:
        for d in dimensions:
            X, features = rows(n, d, seed), comb(d + DEGREE, DEGREE)
            for method, solver in (("monomials", "primal"), ("kernel", "dense")):
                model = KernelPCA(
                    N_COMPONENTS, kernel="poly", degree=DEGREE, eigen_solver=solver, n_jobs=1
                )
                for repeat in range(repeats):
                    took = seconds(partial(model.fit, X))
                    found.append((n, d, features, method, repeat, took))
    return pd.DataFrame(found, columns=["n", "d", "features", "method", "repeat", "seconds"])


def crossover(table: pd.DataFrame) -> float:
    """Return the number of features at which monomials first cost as much as the kernel.

    Parameters
    ----------
    table : DataFrame
        Columns features, method, seconds: one row a method and number of features. Between two
        numbers the logarithm of the ratio is linear in that of the number.

    Returns
    -------
    float
        The least or the largest number where there is no crossing in between.
    """
    wide = table.pivot_table(index="features", columns="method", values="seconds")
    ratio = np.log(np.asarray(wide["monomials"] / wide["kernel"]))
    size = np.log(np.asarray(wide.index, dtype=float))
    if ratio[0] >= 0:
        return float(np.exp(size[0]))
    if (ratio < 0).all():
        return float(np.exp(size[-1]))
    first = int(np.argmax(ratio >= 0))
    share = -ratio[first - 1] / (ratio[first] - ratio[first - 1])
    return float(np.exp(size[first - 1] + share * (size[first] - size[first - 1])))


def measure(
    *, seed: int, repeats: int, sizes: Sequence[int], dimensions: Sequence[int]
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on costs, and the tables ``times`` and ``monomials``.

    Parameters
    ----------
    seed, repeats : int
    sizes, dimensions : sequence of int
        Rows and columns on which monomials meet the kernel.
    """
    table = times(SERIES, repeats=repeats, seed=seed)
    monomials = monomial_times(sizes=sizes, dimensions=dimensions, repeats=repeats, seed=seed)
    claims = [*_exponent_claims(table, repeats), *_crossover_claims(monomials, repeats)]
    return claims, {"times": table, "monomials": monomials}


def _exponent_claims(table: pd.DataFrame, repeats: int) -> Iterator[Claim]:
    for s in SERIES:
        mean, low, high = averaged(exponents(table[table["series"] == s.name]), None)
        fixed = f"{'d' if s.along == 'n' else 'n'} = {s.other}"
        estimand = f"exponent of {s.along} − {s.exponent:g}, sizes to {s.sizes[-1]}, {fixed}"
        yield Claim(
            f"3-cost-{s.name}",
            s.statement,
            s.formula,
            mean - s.exponent,
            low - s.exponent,
            high - s.exponent,
            Rule(estimand, "within", s.margin, repeats),
            FIGURE,
        )


def _crossover_claims(monomials: pd.DataFrame, repeats: int) -> Iterator[Claim]:
    for n, of_size in monomials.groupby("n"):
        found = [crossover(rows) for _, rows in of_size.groupby("repeat")]
        yield Claim(
            f"11-crossover-{n}",
            f"Explicit monomials cost as much as the kernel where C(d + p, p) is n = {n}.",
            "C(d + p, p) = n",
            *averaged(np.log2(np.array(found) / float(str(n))), None),
            Rule(f"log₂(C(d + {DEGREE}, {DEGREE}) / n) at equal times", "within", 1.0, repeats),
            FIGURE,
        )
