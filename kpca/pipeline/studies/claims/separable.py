"""Rings and spirals: the γ and the number of components at which a plane separates them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from kpca.bandwidth import median_gamma
from kpca.kernel_pca import KernelPCA
from kpca.linear.pca import PCA
from kpca.pipeline.datasets.generators import GENERATORS, Draw
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.studies.claims.planes import lower_bound, separating_plane

N_TRAIN = 200
FRESH = 10_000
LEAST = 0.98
"""Rows count as separable where the lower bound of the accuracy on fresh ones is as high."""

DATASETS: Mapping[str, Mapping[str, float]] = {
    "rings": {"noise": 0.08, "radius_ratio": 0.3},
    "spirals": {"noise": 0.02, "turns": 1.5},
}

Rows = tuple[np.ndarray, np.ndarray]
"""Points, and their classes 0 and 1."""


def labelled(draw: Draw) -> Rows:
    """Return the points of a draw and their classes."""
    if draw.y is None:
        raise ValueError("the generator draws no classes: use one that does, such as rings")
    return draw.X, draw.y


def draw_pair(name: str, seed: int, replicate: int) -> tuple[Rows, Rows]:
    """Return training rows of a dataset, and fresh ones."""
    return _draw(name, seed, replicate, N_TRAIN), _draw(name, seed, replicate, FRESH)


def gaussian(X: np.ndarray, multiple: float, n_components: int) -> KernelPCA:
    """Fit Gaussian kernel PCA with γ a multiple of that of the median heuristic."""
    gamma = multiple * median_gamma(X)
    return KernelPCA(n_components, kernel="rbf", gamma=gamma).fit(X)


def fresh_bound(train: Rows, fresh: Rows) -> float:
    """Return the lower 95 % bound of the accuracy on fresh rows of a plane between the classes.

    The plane is that of the linear program on the training rows; 0 where there is none. The
    classes are *separable* where the bound is at least `LEAST`.
    """
    plane = separating_plane(*train)
    if plane is None:
        return 0.0
    n = len(fresh[1])
    return lower_bound(round(plane.accuracy(*fresh) * n), n)


def separable_planes(
    *, seed: int, replicates: int, multiples: Sequence[float], n_components: Sequence[int]
) -> pd.DataFrame:
    """Return for every γ and number of components whether a plane separates the classes.

    Returns
    -------
    DataFrame
        Columns dataset, replicate, kernel ("linear": PCA, both components; "rbf"), multiple (of
        the median γ), n_components, bound (`fresh_bound`).
    """
    rows = [
        (name, replicate, *row)
        for name in DATASETS
        for replicate in range(replicates)
        for row in _bounds(*draw_pair(name, seed, replicate), multiples, n_components)
    ]
    columns = ["dataset", "replicate", "kernel", "multiple", "n_components", "bound"]
    return pd.DataFrame(rows, columns=columns)


def _bounds(
    train: Rows, fresh: Rows, multiples: Sequence[float], n_components: Sequence[int]
) -> Iterator[tuple[str, float, int, float]]:
    (X, y), (X_fresh, y_fresh) = train, fresh
    linear = PCA(2).fit(X)
    bound = fresh_bound((linear.transform(X), y), (linear.transform(X_fresh), y_fresh))
    yield "linear", np.nan, 2, bound
    for multiple in multiples:
        model = gaussian(X, multiple, max(n_components))
        Z, Z_fresh = model._training_scores(), model.transform(X_fresh)
        for m in n_components:
            bound = fresh_bound((Z[:, :m], y), (Z_fresh[:, :m], y_fresh))
            yield "rbf", multiple, m, bound


def _draw(name: str, seed: int, replicate: int, n: int) -> Rows:
    rng = rng_for(seed, "separability", name, replicate, n)
    return labelled(GENERATORS[name](n, rng, **DATASETS[name]))
