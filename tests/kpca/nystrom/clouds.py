"""Points, and a model of landmarks on them, that these tests share."""

from typing import Any

import numpy as np

from kpca import KernelPCA

RNG = np.random.default_rng(0)
X = RNG.normal(size=(600, 4))
NEW = RNG.normal(size=(25, 4))
GAMMA = 0.2


def nystrom(k: float | None = 5, **options: Any) -> KernelPCA:
    return KernelPCA(k, **{"kernel": "rbf", "gamma": GAMMA, "eigen_solver": "nystrom"} | options)


def exact(k: float | None = 5, **options: Any) -> KernelPCA:
    return KernelPCA(k, **{"kernel": "rbf", "gamma": GAMMA, "eigen_solver": "dense"} | options)
