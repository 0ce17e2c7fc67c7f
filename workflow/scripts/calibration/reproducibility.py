"""How often intervals of `kpca.inspection.reproducibility` hold what fresh samples show."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits

from kpca import KernelPCA, kernel_matrix, median_gamma
from kpca.inspection import reproducibility
from pipeline.job import script
from pipeline.populations import GROUPS
from pipeline.seeds import rng_for
from workflow.scripts.calibration.draws import draw

K, LARGE = 12, 4000
DRAWN = (
    *("plane", "bent", "ring", "spirals", "pocket", "moons", "roll", "clusters", "ten_classes"),
    *("binary", "checkerboard", "noise", "heavy_tails", "rare_ring", "groups40"),
)
OTHERS: dict[str, dict[str, Any]] = {
    "ring": {"factor": 10},
    "ten_classes": {"kernel": "linear"},
    "moons": {"kernel": "poly"},
}
SIZES = (100, 300)
NORMAL, DIGITS = "normal, 1 variable", "digits"

Sample = tuple[np.ndarray, np.ndarray | None]  # rows and their groups


class Population(NamedTuple):
    """Where samples come from, the kernel, and variances with cumulative ratios."""

    name: str
    options: dict[str, Any]
    sample: Callable[[np.random.Generator, int], Sample]
    known: tuple[np.ndarray, np.ndarray]


def populations(seed: int) -> Iterator[Population]:
    """Yield the populations; γ is the median heuristic of a large sample, for all samples."""
    x = 0.5 ** np.arange(1, K + 1)  # Rasmussen and Williams (2006), section 4.3.1
    yield Population(
        NORMAL,
        {"kernel": "rbf", "gamma": 1.0, "center": False},
        lambda rng, n: (rng.standard_normal((n, 1)), None),
        (x, np.cumsum(x)),
    )
    digits = load_digits().data
    named = {name: _sampler(name) for name in DRAWN}
    named[DIGITS] = lambda rng, n: (digits[rng.integers(len(digits), size=n)], None)
    for name, sample in named.items():
        rng = rng_for(seed, "reproducibility", name)
        large, _ = sample(rng, LARGE)
        scale = large.std(axis=0)
        gamma = median_gamma(large[:, scale > 0] / scale[scale > 0], seed=0)
        for other in ({}, *([OTHERS[name]] if name in OTHERS else [])):
            options = {"kernel": "rbf", "gamma": gamma * other.get("factor", 1)}
            options |= {"kernel": other.get("kernel", "rbf")}
            words = "".join(f", γ × {v}" if k == "factor" else f", {v}" for k, v in other.items())
            scaled = _scaled(sample, scale)
            of_all = KernelPCA(K, **options).fit(scaled(rng, LARGE)[0])
            known = of_all.eigenvalues_ / LARGE, np.cumsum(of_all.explained_variance_ratio_)
            yield Population(name + words, options, scaled, known)


def _sampler(name: str) -> Callable[[np.random.Generator, int], Sample]:
    def sample(rng: np.random.Generator, n: int) -> Sample:
        groups = None
        if name in GROUPS:  # a large sample has a group per row, since it stands for all groups
            groups = np.arange(n) % (GROUPS[name] if n < LARGE else n)
        return draw(name, n, rng, groups).X, groups

    return sample


def _scaled(
    sample: Callable[[np.random.Generator, int], Sample], scale: np.ndarray
) -> Callable[[np.random.Generator, int], Sample]:
    def scaled(rng: np.random.Generator, n: int) -> Sample:
        X, groups = sample(rng, n)
        return X[:, scale > 0] / scale[scale > 0], groups

    return scaled


def shared(a: KernelPCA, b: KernelPCA) -> np.ndarray:
    """Return s_j² of two fitted models with the same kernel, for each j that both have."""
    names = {"gamma": a.gamma_, "degree": a.degree, "coef0": a.coef0}
    K_ab = kernel_matrix(a.X_fit_, b.X_fit_, kernel=a.kernel, **names)
    squares = np.square(a.expansion().axes.T @ K_ab @ b.expansion().axes)
    together = squares.cumsum(axis=0).cumsum(axis=1).diagonal()
    return np.asarray(together / np.arange(1, len(together) + 1))


def measured(population: Population, n: int, draws: int, seed: int) -> dict[str, Any]:
    """Return how often intervals hold, of samples of n rows, each compared with the next one."""
    rng = rng_for(seed, "reproducibility", population.name, n)
    samples = [population.sample(rng, n) for _ in range(draws + 1)]
    models = [KernelPCA(K, **population.options).fit(X) for X, _ in samples]
    rows = []
    for (one, other), (_, groups) in zip(pairwise(models), samples, strict=False):
        found, value = reproducibility(one, groups=groups), shared(one, other)
        low, high = found.at_least - 1e-9, found.at_most + 1e-9
        some = np.isfinite(high)
        row = {"value": value.mean(), "said": np.isfinite(found.estimate).mean()}
        row["at_least"] = (low <= value)[np.isfinite(low)].mean()
        row["held"] = ((low <= value) & (value <= high))[some].mean() if some.any() else np.nan
        row["width"] = (high - low)[some].mean() if some.any() else np.nan
        row["error"] = (found.estimate - value)[some].mean() if some.any() else np.nan
        row["back"] = found.n_components
        for name, known, (least, _, most) in (
            ("variance", population.known[0], found.variances),
            ("ratio", population.known[1], found.variance_ratios),
        ):
            truth, some = known[: len(least)], np.isfinite(least)
            inside = (least <= truth) & (truth <= most)
            row[name] = inside[some].mean() if some.any() else np.nan
        last = int(np.isfinite(found.variance_ratios[1]).sum()) - 1  # of the most components
        row["optimism"] = np.cumsum(one.explained_variance_ratio_)[last] - truth[last]
        row["corrected"] = found.variance_ratios[1, last] - truth[last]
        rows.append(row)
    table = pd.DataFrame(rows)
    means = table.mean()
    for column in ("at_least", "held", "variance", "ratio"):
        means[f"{column}_error"] = table[column].std() / np.sqrt(table[column].count())
    return {"population": population.name, "rows": n, "draws": draws} | dict(means)


@script
def table(*, draws: int, seed: int) -> pd.DataFrame:
    """Return one row per population and number of rows."""
    return pd.DataFrame([measured(p, n, draws, seed) for p in populations(seed) for n in SIZES])
