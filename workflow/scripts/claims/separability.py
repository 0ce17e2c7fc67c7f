"""Rings and spirals: whether a plane separates the classes, before and after kernel PCA."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import linprog
from scipy.stats import binomtest

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from kpca.linear.pca import PCA
from pipeline.datasets.generators import GENERATORS
from pipeline.drawing.plane import Boundary
from pipeline.job import script
from pipeline.seeds import rng_for
from workflow.scripts.claims.claim import spanned

REPLICATES, N_TRAIN, FRESH = 5, 200, 10_000
LEAST = 0.98  # rows are separable if the lower bound of the accuracy on fresh ones is as high
LEAST_MARGIN = 1e-6  # smaller ones, of columns scaled to at most 1, are rounding
MULTIPLES = (0.03, 0.1, 0.32, 1, 1.8, 3.2, 5.6, 10, 18, 32, 100)  # of the median γ
N_COMPONENTS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 64)
DATASETS: Mapping[str, Mapping[str, float]] = {
    "rings": {"noise": 0.08, "radius_ratio": 0.3},
    "spirals": {"noise": 0.02, "turns": 1.5},
}
Rows = tuple[np.ndarray, np.ndarray]  # points, and their classes 0 and 1


def draw_pair(name: str, seed: int, replicate: int) -> tuple[Rows, Rows]:
    """Return training rows of a dataset, and fresh ones."""
    train, fresh = (
        GENERATORS[name](n, rng_for(seed, "separability", name, replicate, n), **DATASETS[name])
        for n in (N_TRAIN, FRESH)
    )
    return (train.X, np.asarray(train.y)), (fresh.X, np.asarray(fresh.y))


def gaussian(X: np.ndarray, multiple: float, n_components: int) -> KernelPCA:
    """Fit Gaussian kernel PCA with γ a multiple of that of the median heuristic."""
    return KernelPCA(n_components, kernel="rbf", gamma=multiple * median_gamma(X)).fit(X)


def separating_plane(Z: np.ndarray, y: np.ndarray) -> Boundary | None:
    """Return a plane that has all rows of class 1 on one side and all of class 0 on the other.

    With s = ±1 by class and every column scaled to at most 1 in modulus, the linear program

        max t  subject to  s_i (w·z_i + b) ≥ t,  −1 ≤ w ≤ 1

    has a solution t > 0 exactly if such a plane exists; None otherwise.
    """
    m = Z.shape[1]
    largest = np.abs(Z).max(axis=0)
    scale = np.where(largest > 0, largest, 1.0)
    design = np.column_stack([Z / scale, np.ones(len(Z))]) * np.where(y == 1, 1, -1)[:, None]
    solution = linprog(
        np.append(np.zeros(m + 1), -1.0),
        A_ub=np.column_stack([-design, np.ones(len(Z))]),
        b_ub=np.zeros(len(Z)),
        bounds=[(-1, 1)] * m + [(None, None)] * 2,
    )
    if solution.x is None or solution.x[-1] < LEAST_MARGIN:
        return None
    w = solution.x[:m] / scale
    norm = float(np.linalg.norm(w))
    return Boundary(w / norm, float(solution.x[m]) / norm)


def fresh_bound(train: Rows, fresh: Rows) -> float:
    """Return the lower 95 % bound (Clopper and Pearson) of the accuracy of the plane; 0 if none."""
    plane = separating_plane(*train)
    if plane is None:
        return 0.0
    n = len(fresh[1])
    test = binomtest(round(plane.accuracy(*fresh) * n), n, alternative="greater")
    return float(test.proportion_ci(confidence_level=0.95).low)


@script
def measure(*, seed: int) -> dict[str, pd.DataFrame]:
    """Return the cases of rings and spirals, and the table ``planes`` of each `fresh_bound`.

    Kernels are "linear" (PCA) and "rbf".
    """
    rows: list[tuple[Any, ...]] = []
    for name, replicate in product(DATASETS, range(REPLICATES)):
        (X, y), (X_fresh, y_fresh) = draw_pair(name, seed, replicate)
        pca = PCA(2).fit(X)
        bound = fresh_bound((pca.transform(X), y), (pca.transform(X_fresh), y_fresh))
        rows.append((name, replicate, "linear", np.nan, 2, bound))
        for multiple in MULTIPLES:
            model = gaussian(X, multiple, max(N_COMPONENTS))
            Z, Z_fresh = model.expansion().point_scores, model.transform(X_fresh)
            for m in N_COMPONENTS:
                bound = fresh_bound((Z[:, :m], y), (Z_fresh[:, :m], y_fresh))
                rows.append((name, replicate, "rbf", multiple, m, bound))
    columns = ["dataset", "replicate", "kernel", "multiple", "n_components", "bound"]
    planes, cases = pd.DataFrame(rows, columns=columns), []
    for name in DATASETS:
        of_name = planes[planes["dataset"] == name]
        linear = of_name.loc[of_name["kernel"] == "linear", "bound"]
        cases.append(spanned("5-before", linear, name))
        two = of_name[(of_name["kernel"] == "rbf") & (of_name["n_components"] == 2)]
        by_multiple = two.pivot(index="replicate", columns="multiple", values="bound")
        # Ties go to the multiple next to the median γ.
        order = np.abs(np.log(by_multiple.columns.to_numpy(float))).argsort(kind="stable")
        best = by_multiple.mean().round(10).iloc[order].idxmax()
        for case, multiple in (("median γ", 1), ("best γ of the grid", best)):
            cases.append(spanned(f"5-{name}-two", by_multiple[multiple], case))
    return {"claims": pd.DataFrame(cases), "planes": planes}
