"""The Swiss roll: what kernel PCA unrolls, and with which kernel, beside Isomap and LLE."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from kpca.pipeline.datasets.generators import swiss_roll
from kpca.pipeline.evaluation.metrics import correlation
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.studies.claims import sheets
from kpca.pipeline.studies.claims.claim import Claim, Rule, averaged, spanned

KERNELS = ("linear", "poly", "cosine", "rbf", "laplacian")
NEIGHBOURS = 6
"""Of the geodesic kernel where γ is in question."""

UNROLLED = 0.95
"""A component is the coordinate along the sheet where they correlate by as much."""

FIGURE = "claims_unrolling"
Sheet = tuple[np.ndarray, np.ndarray]


def draw_sheet(n: int, seed: int, replicate: int) -> Sheet:
    """Return the points of a Swiss roll without noise, and their coordinate along the sheet."""
    draw = swiss_roll(n, rng_for(seed, "unrolling", replicate))
    if draw.target is None:
        raise ValueError("the generator gives no coordinate along the sheet")
    return draw.X, draw.target


def embedded(
    X: np.ndarray,
    multiples: Sequence[float],
    degrees: Sequence[float],
    neighbours: Sequence[int],
) -> Iterator[tuple[str, float, np.ndarray]]:
    """Yield the coordinates that every method gives: its name, its parameter, its scores."""
    parameters = {"poly": degrees, "rbf": multiples, "laplacian": multiples}
    for kernel in KERNELS:
        for value in parameters.get(kernel, [1.0]):
            yield kernel, value, sheets.kernel_scores(X, kernel, value)
    along = sheets.geodesic_distances(X, NEIGHBOURS)
    for value in multiples:
        yield "geodesic_gaussian", value, sheets.geodesic_gaussian_scores(along, value)
    for k in neighbours:
        yield "geodesic", k, sheets.geodesic_scores(sheets.geodesic_distances(X, k))
        yield "lle", k, sheets.lle(X, k)


def axis_correlation(Z: np.ndarray, coordinate: np.ndarray) -> float:
    """Return the largest |r| between a column of Z and the coordinate."""
    return max(abs(correlation(coordinate, column)) for column in Z.T)


def embeddings(
    *,
    seed: int,
    replicates: int,
    n: int,
    multiples: Sequence[float],
    degrees: Sequence[float],
    neighbours: Sequence[int],
) -> pd.DataFrame:
    """Measure every method on rolls of its own a replicate.

    Returns
    -------
    DataFrame
        Columns method, parameter, replicate, two and ten (`axis_correlation` of that many
        leading components; for methods of two coordinates both are of two), trustworthiness
        (of two components, 5 neighbours).
    """
    from sklearn.manifold import trustworthiness

    rows = []
    for replicate in range(replicates):
        X, coordinate = draw_sheet(n, seed, replicate)
        for method, parameter, Z in embedded(X, multiples, degrees, neighbours):
            two, ten = axis_correlation(Z[:, :2], coordinate), axis_correlation(Z, coordinate)
            trust = float(trustworthiness(X, Z[:, :2], n_neighbors=5))
            rows.append((method, parameter, replicate, two, ten, trust))
    columns = ["method", "parameter", "replicate", "two", "ten", "trustworthiness"]
    return pd.DataFrame(rows, columns=columns)


def isomap_difference(X: np.ndarray, neighbours: int) -> float:
    """Return the largest difference of Isomap from kernel PCA with the geodesic kernel.

    Relative to the largest coordinate, signs aside.
    """
    ours = sheets.geodesic_scores(sheets.geodesic_distances(X, neighbours))
    theirs = sheets.isomap(X, neighbours)
    return float(np.abs(np.abs(ours) - np.abs(theirs)).max() / np.abs(theirs).max())


def measure(
    *,
    seed: int,
    replicates: int,
    n: int,
    multiples: Sequence[float],
    degrees: Sequence[float],
    neighbours: Sequence[int],
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on the Swiss roll with their verdicts, and what was measured."""
    measured = embeddings(
        seed=seed,
        replicates=replicates,
        n=n,
        multiples=multiples,
        degrees=degrees,
        neighbours=neighbours,
    )
    claims = [
        *_kernel_claims(measured, replicates),
        *_neighbour_claims(measured, replicates),
        _isomap_claim(seed, replicates, n),
    ]
    return claims, {"embeddings": measured}


def _kernel_claims(measured: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    kernels = measured[measured["method"].isin(KERNELS)]
    for count, words in (("two", "One of two components"), ("ten", "One of ten components")):
        rule = Rule(
            f"largest |r| of {count} components with the coordinate along the sheet, over all "
            "kernels and parameters, each replicate at its best",
            "above",
            UNROLLED,
            replicates,
        )
        statement = f"{words} of kernel PCA is the unrolled coordinate of the Swiss roll."
        best = kernels.groupby("replicate")[count].max().to_numpy()
        yield Claim(f"5-roll-{count}", statement, "", *averaged(best, None), rule, FIGURE)


def _neighbour_claims(measured: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    names = {"geodesic": "Kernel PCA with a geodesic kernel (Isomap)", "lle": "LLE"}
    for method, words in names.items():
        rows = measured[measured["method"] == method]
        means = rows.groupby("parameter")["two"].mean()
        most = means.index.max()
        for where, k in (("best", means.idxmax()), ("most", most)):
            rule = Rule(
                f"largest |r| of two coordinates, {k:g} neighbours", "above", UNROLLED, replicates
            )
            statement = f"{words} unrolls the Swiss roll, with the {where} neighbours of the grid."
            values = rows[rows["parameter"] == k]["two"].to_numpy()
            name = f"5-roll-{method}-{where}"
            yield Claim(name, statement, "", *averaged(values, None), rule, FIGURE)


def _isomap_claim(seed: int, replicates: int, n: int) -> Claim:
    differences = [
        isomap_difference(draw_sheet(n, seed, replicate)[0], NEIGHBOURS)
        for replicate in range(replicates)
    ]
    rule = Rule("largest relative difference of coordinates", "below", 1e-8)
    statement = "Isomap is kernel PCA with the kernel −½ D² of geodesic distances."
    bounds = spanned(differences)
    return Claim("5-roll-isomap", statement, "K̄ = −½ H D² H", *bounds, rule, FIGURE)
