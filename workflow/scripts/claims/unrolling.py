"""The Swiss roll: what kernel PCA unrolls, and with which kernel, beside Isomap and LLE."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from pipeline.datasets.generators import swiss_roll
from pipeline.evaluation.metrics import correlation
from pipeline.seeds import rng_for
from workflow.scripts.claims import sheets
from workflow.scripts.claims.claim import Claim, Statements, averaged, spanned

REPLICATES, N = 5, 800
MULTIPLES = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100)
NEIGHBOURS = (6, 8, 10, 12, 15, 20)
GRID: Mapping[str, Sequence[float]] = {
    "linear": (1,),
    "poly": (2, 3, 4, 5),
    "cosine": (1,),
    "rbf": MULTIPLES,
    "laplacian": MULTIPLES,
    "geodesic_gaussian": MULTIPLES,
    "geodesic": NEIGHBOURS,
    "lle": NEIGHBOURS,
}
"""Method of `sheets.embed` → its parameters."""

OF_SPACE = ("linear", "poly", "cosine", "rbf", "laplacian")
"""Kernels of distances, or of inner products, through space."""

UNROLLED = 0.95
"""A component is the coordinate along the sheet where they correlate by as much."""

Sheet = tuple[np.ndarray, np.ndarray]


def draw_sheet(seed: int, replicate: int, n: int = N) -> Sheet:
    """Return the points of a Swiss roll without noise, and their coordinate along the sheet."""
    draw = swiss_roll(n, rng_for(seed, "unrolling", replicate))
    if draw.target is None:
        raise ValueError("the generator gives no coordinate along the sheet")
    return draw.X, draw.target


def axis_correlation(Z: np.ndarray, coordinate: np.ndarray) -> float:
    """Return the largest |r| between a column of Z and the coordinate."""
    return max(abs(correlation(coordinate, column)) for column in Z.T)


def isomap_difference(X: np.ndarray, neighbours: int) -> float:
    """Return the largest difference of Isomap from kernel PCA with the geodesic kernel.

    Relative to the largest coordinate, signs aside.
    """
    ours = sheets.geodesic_scores(sheets.geodesic_distances(X, neighbours))
    theirs = sheets.isomap(X, neighbours)
    return float(np.abs(np.abs(ours) - np.abs(theirs)).max() / np.abs(theirs).max())


def measure(
    statements: pd.DataFrame,
    *,
    seed: int,
    replicates: int = REPLICATES,
    n: int = N,
    grid: Mapping[str, Sequence[float]] = GRID,
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on the Swiss roll, every method on a roll of its own a replicate.

    Returns
    -------
    claims : list of Claim
    tables : dict
        ``embeddings``: columns method, parameter, replicate, two and ten (`axis_correlation` of
        that many leading components; for methods of two coordinates both are of two),
        trustworthiness (of two components, 5 neighbours).
    """
    from sklearn.manifold import trustworthiness

    rows, differences = [], []
    for replicate in range(replicates):
        X, coordinate = draw_sheet(seed, replicate, n)
        differences.append(isomap_difference(X, sheets.NEIGHBOURS))
        for method, parameter, Z in _embedded(X, grid):
            two, ten = axis_correlation(Z[:, :2], coordinate), axis_correlation(Z, coordinate)
            trust = float(trustworthiness(X, Z[:, :2], n_neighbors=5))
            rows.append((method, parameter, replicate, two, ten, trust))
    columns = ["method", "parameter", "replicate", "two", "ten", "trustworthiness"]
    measured = pd.DataFrame(rows, columns=columns)
    return list(_claims(measured, differences, Statements(statements))), {"embeddings": measured}


def _embedded(
    X: np.ndarray, grid: Mapping[str, Sequence[float]]
) -> Iterator[tuple[str, float, np.ndarray]]:
    along = sheets.geodesic_distances(X, sheets.NEIGHBOURS)
    for method, parameters in grid.items():
        for value in parameters:
            yield method, value, sheets.embed(X, method, value, along=along)


def _claims(
    measured: pd.DataFrame, differences: Sequence[float], stated: Statements
) -> Iterator[Claim]:
    replicates = len(differences)
    kernels = measured[measured["method"].isin(OF_SPACE)]
    for count in ("two", "ten"):
        best = averaged(kernels.groupby("replicate")[count].max().to_numpy(), None)
        yield stated.of(f"5-roll-{count}", best, replicates=replicates)
    geodesic = measured[measured["method"] == "geodesic"]
    k = geodesic.groupby("parameter")["two"].mean().idxmax()
    at_best = averaged(geodesic[geodesic["parameter"] == k]["two"].to_numpy(), None)
    yield stated.of("5-roll-geodesic", at_best, replicates=replicates)
    yield stated.of("5-roll-isomap", spanned(differences))
