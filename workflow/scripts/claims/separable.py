"""Rings and spirals: what is drawn of them, and when their classes count as separable."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kpca.bandwidth import median_gamma
from kpca.kernel_pca import KernelPCA
from pipeline.datasets.generators import GENERATORS, Draw
from pipeline.seeds import rng_for
from workflow.scripts.claims.planes import lower_bound, separating_plane

N_TRAIN, FRESH = 200, 10_000
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
    train, fresh = (
        labelled(
            GENERATORS[name](n, rng_for(seed, "separability", name, replicate, n), **DATASETS[name])
        )
        for n in (N_TRAIN, FRESH)
    )
    return train, fresh


def gaussian(X: np.ndarray, multiple: float, n_components: int) -> KernelPCA:
    """Fit Gaussian kernel PCA with γ a multiple of that of the median heuristic."""
    return KernelPCA(n_components, kernel="rbf", gamma=multiple * median_gamma(X)).fit(X)


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
