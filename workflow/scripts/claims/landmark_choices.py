"""Five choices of landmarks on the two examples of Chen, Epperly, Tropp and Webber, Figure 1.

The statements were written before the first run, from the abstract of the paper, which says that
randomly pivoted Cholesky matches or beats the other choices. "Matches" is taken as an error of at
most twice theirs. The curves of the figure are not printed as numbers. Centres of k-means take the
place of determinantal sampling, which this package does not have.

References
----------
Chen, Epperly, Tropp, Webber (2025), Randomly pivoted Cholesky, Comm. Pure Appl. Math. 78. Points
and bandwidths are those of `experiments/comparison.py` in eepperly/Randomly-Pivoted-Cholesky.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

from kpca.kernels.registry import KernelParameters
from kpca.lowrank.rpcholesky import random_pivots
from kpca.nystrom.landmarks import LANDMARKS, LandmarkFeatures
from kpca.nystrom.sample import Sample
from kpca.operators.sources import KernelSource
from kpca.types import Array, Floats
from pipeline.job import script
from pipeline.seeds import rng_for, seed_for
from workflow.scripts.claims.claim import Case, averaged, claims_table

N, SIZES, REPLICATES = 10_000, (50, 100, 150), 5
RANK = 400  # pivots of the factor that leverage scores are computed from
NULL = 1e-14  # of the largest eigenvalue among landmarks: rounding


def smile(n: int, rng: np.random.Generator) -> Floats:
    """Return a face: two filled eyes of √n points each, a mouth of n/10, and a circle."""
    eye, mouth = int(np.ceil(np.sqrt(n))), int(np.ceil(n / 10))
    angles, radii = 2 * np.pi * rng.random(2 * eye), np.sqrt(rng.random(2 * eye))
    eyes = np.column_stack([radii * np.cos(angles), radii * np.sin(angles) + 4])
    eyes[:, 0] += np.repeat([-4.0, 4.0], eye)
    x = np.linspace(-5, 5, mouth)
    around = np.linspace(0, 2 * np.pi, n - 2 * eye - mouth)
    circle = 10 * np.column_stack([np.cos(around), np.sin(around)])
    return np.concatenate([eyes, np.column_stack([x, x**2 / 16 - 5]), circle])


def spiral(n: int, _: np.random.Generator) -> Floats:
    """Return a logarithmic spiral, dense at its centre, with few points far out."""
    t = np.linspace(0, 2, n)[::-1] ** 6
    return np.exp(0.2 * t)[:, None] * np.column_stack([np.cos(t), np.sin(t)])


EXAMPLES = {"smile": (smile, 2.0), "spiral": (spiral, 1000.0)}
"""Points and bandwidth σ of k(x, y) = exp(−‖x − y‖²/(2σ²))."""


def of_package(how: str) -> Callable[[KernelSource, int, int], Array]:
    """Return a choice of `KernelPCA`, whose sample are all points."""

    def choose(source: KernelSource, m: int, seed: int) -> Array:
        sample = Sample(source.X, np.arange(source.n), np.ones(source.n), source.n, source.n)
        return np.asarray(LANDMARKS[how](sample, m, source, seed))

    return choose


def greedy(source: KernelSource, m: int, _: int) -> Array:
    """Return pivots at which most of the diagonal is missing."""
    X, F, rest = source.X, np.zeros((m, source.n)), source.diagonal(source.X).copy()
    pivots = np.zeros(m, dtype=np.intp)
    for j in range(m):
        i = pivots[j] = int(rest.argmax())
        column = source.with_samples(X[i : i + 1]).bound().values(X)[:, 0] - F[:j, i] @ F[:j]
        F[j] = column / np.sqrt(rest[i])
        rest = np.maximum(rest - F[j] ** 2, 0)
    return np.asarray(X[pivots])


@cache
def factor(source: KernelSource) -> tuple[Floats, Floats]:
    """Return left singular vectors and singular values of a factor of K."""
    pivots = random_pivots(source, RANK, 0, dtype=np.float64)
    features = LandmarkFeatures(source.with_samples(source.X[pivots]), NULL)
    U, s, _ = np.linalg.svd(features.kernel.values(source.X) @ features.whitening, False)
    return U, s


def leverage(source: KernelSource, m: int, seed: int) -> Array:
    """Return points drawn by their ridge leverage scores, with λ = Σ_{j>m} λ_j / m.

    The paper approximates the scores. Ours are those of a factor of `RANK` columns.
    """
    U, s = factor(source)
    ridge = max(float(np.square(s[m:]).sum()) / m, NULL * source.n)
    scores = U**2 @ (s**2 / (s**2 + ridge))
    rng = np.random.default_rng(seed)
    return np.asarray(source.X[rng.choice(source.n, m, replace=False, p=scores / scores.sum())])


CHOICES: dict[str, Callable[[KernelSource, int, int], Array]] = {
    "rpcholesky": of_package("rpcholesky"),
    "uniform": of_package("uniform"),
    "greedy": greedy,
    "leverage": leverage,
    "kmeans": of_package("kmeans"),
}


FACTORS = {("uniform", "smile"), ("greedy", "spiral")}
"""Where a factor between a choice and RPCholesky is stated."""


def trace_error(source: KernelSource, landmarks: Array) -> float:
    """Return tr(K − K̂) / tr(K)."""
    missed = LandmarkFeatures(source.with_samples(landmarks), NULL).missed(source.X)
    return float(missed.sum() / source.diagonal(source.X).sum())


def compared(case: str, errors: Mapping[str, Floats]) -> Iterator[Case]:
    """Yield the cases of an example and a number of landmarks: log₂ of ratios of errors."""
    for other in list(CHOICES)[1:]:
        logs = np.log2(errors["rpcholesky"] / errors[other])
        yield averaged(f"12-rpcholesky-{other}", logs, None, case)
        if (other, case.partition(",")[0]) in FACTORS:
            yield averaged(f"12-{other}", -logs, None, case)


@script
def measure(
    *, seed: int, replicates: int = REPLICATES, n: int = N, sizes: Sequence[int] = SIZES
) -> dict[str, pd.DataFrame]:
    """Return the cases, one per example and number of landmarks, and the ``errors``.

    Points are drawn once, as in the paper, landmarks in every replicate.
    """
    cases: list[Case] = []
    tables = []
    for name, (draw, bandwidth) in EXAMPLES.items():
        X = draw(n, rng_for(seed, "landmark choices", name))
        source = KernelSource(X, "rbf", KernelParameters(gamma=0.5 / bandwidth**2))
        for m in sizes:
            seeds = [seed_for(seed, "landmark choices", name, m, r) for r in range(replicates)]
            found = {
                how: np.array([trace_error(source, choose(source, m, own)) for own in seeds])
                for how, choose in CHOICES.items()
            }
            cases += compared(f"{name}, {m} landmarks", found)
            table = pd.DataFrame(found).rename_axis("replicate").reset_index()
            table = table.melt("replicate", var_name="landmarks", value_name="error")
            tables.append(table.assign(dataset=name, n_landmarks=m))
    columns = ["dataset", "landmarks", "n_landmarks", "replicate", "error"]
    return {"claims": claims_table(cases), "errors": pd.concat(tables)[columns]}
