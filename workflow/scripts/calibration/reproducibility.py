"""How often intervals of `kpca.inspection.reproducibility` contain what fresh samples show."""

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits

from kpca import KernelPCA, kernel_matrix, median_gamma
from kpca.inspection import reproducibility
from kpca.study.seeds import rng_for
from workflow.job import script
from workflow.populations import POPULATIONS as FACTS
from workflow.scripts.calibration.draws import draw

K = 12
LARGE = 4000
SIZES = (100, 300)
NORMAL = "normal, 1 variable"
DIGITS = "digits"
POPULATIONS = (
    *(NORMAL, "plane", "bent", "ring", "spirals", "pocket", "moons", "roll", "clusters", DIGITS),
    *("ten_classes", "binary", "checkerboard", "noise", "heavy_tails", "rare_ring", "groups40"),
)
# Further settings: population, kernel, and multiple of the median γ. All populations are also
# analysed with the Gaussian kernel at the median γ.
OTHERS = (("ring", "rbf", 10), ("ten_classes", "linear", 1), ("moons", "poly", 1))


def sample(name: str, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray | None]:
    """Draw n rows of a population, and their groups if the population has groups.

    In a sample of at least `LARGE` rows, each row is a group.
    """
    if name == NORMAL:
        return rng.standard_normal((n, 1)), None
    if name == DIGITS:
        rows = load_digits().data
        return rows[rng.integers(len(rows), size=n)], None
    groups = None
    if count := FACTS[name].get("groups"):
        groups = np.arange(n) % (count if n < LARGE else n)
    return draw(name, n, rng, groups).X, groups


def shared(a: KernelPCA, b: KernelPCA) -> np.ndarray:
    """Return, for each j, the mean cos² of the principal angles between the first j axes.

    The models ``a`` and ``b`` have the same kernel.
    """
    names = {"gamma": a.gamma_, "degree": a.degree, "coef0": a.coef0}
    K_ab = kernel_matrix(a.X_fit_, b.X_fit_, kernel=a.kernel, **names)
    squares = np.square(a.expansion().axes.T @ K_ab @ b.expansion().axes)
    together = squares.cumsum(axis=0).cumsum(axis=1).diagonal()
    return np.asarray(together / np.arange(1, len(together) + 1))


def inside(value: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return 1 for values in their intervals, 0 for others, and NaN without an interval."""
    held = (low - 1e-9 <= value) & (value <= high + 1e-9)
    return np.where(np.isnan(low + high), np.nan, held)


def measured(name: str, kernel: str, factor: int, n: int, draws: int, seed: int) -> dict[str, Any]:
    """Return how often intervals from one sample of n rows contain what the next sample shows."""
    rng = rng_for(seed, "reproducibility", name)
    large, others = (sample(name, LARGE, rng)[0] for _ in range(2))
    scale = np.where(large.std(axis=0) > 0, large.std(axis=0), np.inf)
    options = {"kernel": kernel, "gamma": factor * median_gamma(large / scale, seed=0)}
    if name == NORMAL:  # eigenvalues λ_j = 2⁻ʲ: Rasmussen and Williams (2006), section 4.3.1
        scale = np.ones(1)
        options = {"kernel": "rbf", "gamma": 1.0, "center": False}
        variances = 0.5 ** np.arange(1, K + 1)
        ratios = np.cumsum(variances)
    else:
        of_all = KernelPCA(K, **options).fit(others / scale)
        variances = of_all.eigenvalues_ / LARGE
        ratios = np.cumsum(of_all.explained_variance_ratio_)
    label = name + f", γ × {factor}" * (factor > 1) + f", {kernel}" * (kernel != "rbf")
    rng = rng_for(seed, "reproducibility", label, n)
    samples = [sample(name, n, rng) for _ in range(draws + 1)]
    models = [KernelPCA(K, **options).fit(X / scale) for X, _ in samples]
    rows = []
    for (one, other), (_, groups) in zip(pairwise(models), samples, strict=False):
        back = reproducibility(one, groups=groups)
        value = shared(one, other)
        k = len(value)
        low, corrected, high = back.variance_ratios
        held = {
            "said": np.isfinite(back.estimate),
            "at_least": inside(value, back.at_least, np.ones(k)),
            "held": inside(value, back.at_least, back.at_most),
            "width": back.at_most - back.at_least,
            "variance": inside(variances[:k], *back.variances[::2]),
            "ratio": inside(ratios[:k], low, high),
        }
        row = pd.DataFrame(held).mean()
        last = int(np.isfinite(corrected).sum()) - 1  # index of the last corrected ratio
        row["optimism"] = one.explained_variance_ratio_[: last + 1].sum() - ratios[last]
        row["corrected"] = corrected[last] - ratios[last]
        rows.append(row)
    table = pd.DataFrame(rows)
    errors = table[["at_least", "held", "variance", "ratio"]].sem().add_suffix("_error")
    return {"population": label, "rows": n, "draws": draws} | dict(table.mean()) | dict(errors)


@script
def table(*, draws: int, seed: int) -> pd.DataFrame:
    """Return one row per population, kernel and number of rows."""
    settings = [*((name, "rbf", 1) for name in POPULATIONS), *OTHERS]
    return pd.DataFrame([measured(*s, n, draws, seed) for s in settings for n in SIZES])
