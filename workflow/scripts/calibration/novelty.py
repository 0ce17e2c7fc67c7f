"""False alarms, false discoveries and power of the novelty detector over random draws."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Bunch

from kpca import KernelPCANovelty
from kpca.study.datasets.generators import moons, rings
from workflow.job import script

ALPHA = 0.05
FDR = 0.1
ORDINARY = 80  # number of new ordinary samples per draw
NOVEL = 20  # number of novel samples per draw
FAR = 1e6  # factor that moves samples far away from all data

# Function that draws the given number of samples.
Draw = Callable[[np.random.Generator, int], np.ndarray]
Samples = tuple[np.ndarray, np.ndarray]  # ordinary samples, and novel samples
Source = Callable[[np.random.Generator, int], Samples]


def _of_draw(n: int, source: Source, seed: tuple[int, ...]) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    ordinary, novel = source(rng, n + ORDINARY)
    scaler = StandardScaler().fit(ordinary[:n])
    X, new, novel = (scaler.transform(part) for part in (ordinary[:n], ordinary[n:], novel))
    detector = KernelPCANovelty(random_state=seed[-1]).fit(X)
    pvalues = detector.pvalues(new)
    of_novel = detector.pvalues(novel)
    discovered = detector.predict(np.vstack([new, novel]), fdr=FDR) < 0
    return {
        "false_alarms": float((pvalues <= ALPHA).mean()),
        "false_discoveries": float(discovered[: len(new)].sum() / max(discovered.sum(), 1)),
        "power": float((of_novel <= ALPHA).mean()),
        "far": float((detector.pvalues(FAR * new) <= ALPHA).mean()),
    }


def _two_densities(rng: np.random.Generator, n: int) -> np.ndarray:
    dense = (rng.random(n) < 0.5)[:, None]
    return np.where(dense, rng.normal(scale=0.2, size=(n, 2)), rng.normal(5, 2, size=(n, 2)))


def _cluster_and_spread(rng: np.random.Generator, n: int) -> Samples:
    """Draw a cluster with 6 % of its samples scattered widely, and novel ones scattered farther."""
    ordinary = rng.normal(size=(n, 2)) * np.where(rng.random(n) < 0.06, 300, 1)[:, None]
    return ordinary, rng.normal(scale=3000, size=(NOVEL, 2))


def _in_box(draw: Draw, rng: np.random.Generator, n: int) -> Samples:
    """Draw ordinary samples, and novel ones uniformly in the bounding box of ordinary ones."""
    ordinary = draw(rng, n)
    low = ordinary.min(axis=0)
    high = ordinary.max(axis=0)
    return ordinary, rng.uniform(low, high, size=(NOVEL, ordinary.shape[1]))


def _shifted(draw: Draw, shift: float, rng: np.random.Generator, n: int) -> Samples:
    """Draw ordinary samples, and novel ones that are shifted in the first three variables."""
    novel = draw(rng, NOVEL)
    novel[:, :3] += shift
    return draw(rng, n), novel


def _of_classes(bunch: Bunch, kept: int, rng: np.random.Generator, n: int) -> Samples:
    """Draw samples of real data: ordinary ones of the class ``kept``, novel ones of the others."""
    inside = bunch.target == kept
    ordinary, novel = (rng.permutation(bunch.data[rows]) for rows in (inside, ~inside))
    return ordinary[:n], novel[:NOVEL]


def sources() -> dict[str, tuple[int, Source]]:
    """Return, for each dataset, the number of samples to fit and the function that draws them."""
    return {
        "ring": (
            100,
            partial(_in_box, lambda rng, n: rings(n, rng, noise=0.1, radius_ratio=1.0).X),
        ),
        "moons": (150, partial(_in_box, lambda rng, n: moons(n, rng).X)),
        "two densities": (100, partial(_in_box, _two_densities)),
        "cluster and spread": (150, _cluster_and_spread),
        "heavy tails": (100, partial(_shifted, lambda rng, n: rng.standard_t(2, size=(n, 5)), 6.0)),
        "normal, 20 variables": (
            100,
            partial(_shifted, lambda rng, n: rng.normal(size=(n, 20)), 3.0),
        ),
        "breast cancer": (150, partial(_of_classes, load_breast_cancer(), 1)),
        "digits 0": (97, partial(_of_classes, load_digits(), 0)),
    }


@script
def novelty(*, draws: int, seed: int) -> pd.DataFrame:
    """Return error rates and power of the default detector on new samples, one row per dataset.

    Each draw fits the detector to n ordinary samples, and tests `ORDINARY` new ordinary samples
    and `NOVEL` novel ones. Each measure of `_of_draw` is a mean over draws, and the column
    ``…_error`` is its standard error.
    """
    rows = []
    for number, (name, (n, source)) in enumerate(sources().items()):
        table = pd.DataFrame([_of_draw(n, source, (seed, number, draw)) for draw in range(draws)])
        errors = table.sem().add_suffix("_error")
        rows.append({"dataset": name, "n": n, "draws": draws} | dict(table.mean()) | dict(errors))
    return pd.DataFrame(rows)
