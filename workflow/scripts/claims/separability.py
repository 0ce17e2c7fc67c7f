"""Rings and spirals: whether a plane separates the classes, before and after kernel PCA."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from kpca.linear.pca import PCA
from pipeline.datasets.generators import linear_ceiling, rings
from pipeline.seeds import rng_for
from workflow.scripts.claims.claim import Claim, Statements, averaged, spanned
from workflow.scripts.claims.planes import best_line
from workflow.scripts.claims.separable import (
    DATASETS,
    Rows,
    draw_pair,
    fresh_bound,
    gaussian,
    labelled,
)

REPLICATES = 5
MULTIPLES = (0.03, 0.056, 0.1, 0.18, 0.32, 0.56, 1, 1.8, 3.2, 5.6, 10, 18, 32, 56, 100)
"""Of the median γ."""

N_COMPONENTS = (2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64)
RATIOS = (0.1, 0.3, 0.5, 0.7, 0.9)
LINE_ROWS = (2000, 40_000)
"""Training and fresh rows of the rings that lines are tried on."""


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


def ring_lines(*, seed: int, replicates: int, ratios: Sequence[float]) -> pd.DataFrame:
    """Return the accuracy of the best line on rings without noise, and its ceiling.

    The line is found among training rows by trying all, and judged on fresh rows.

    Returns
    -------
    DataFrame
        Columns ratio (of the radii), replicate, accuracy, ceiling ½ (1 + arccos(ratio)/π).
    """
    rows = []
    for ratio in ratios:
        for replicate in range(replicates):
            rng = rng_for(seed, "ring_lines", str(ratio), replicate)
            sides = [rings(n, rng, noise=0, radius_ratio=ratio) for n in LINE_ROWS]
            train, fresh = map(labelled, sides)
            accuracy = best_line(*train).accuracy(*fresh)
            rows.append((ratio, replicate, accuracy, linear_ceiling(ratio)))
    return pd.DataFrame(rows, columns=["ratio", "replicate", "accuracy", "ceiling"])


def measure(
    statements: pd.DataFrame,
    *,
    seed: int,
    replicates: int = REPLICATES,
    multiples: Sequence[float] = MULTIPLES,
    n_components: Sequence[int] = N_COMPONENTS,
    ratios: Sequence[float] = RATIOS,
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on rings and spirals, and the tables ``planes`` and ``lines``."""
    planes = separable_planes(
        seed=seed, replicates=replicates, multiples=multiples, n_components=n_components
    )
    lines = ring_lines(seed=seed, replicates=replicates, ratios=ratios)
    stated = Statements(statements)
    claims = [*_line_claims(lines, replicates, stated), *_plane_claims(planes, stated)]
    return claims, {"planes": planes, "lines": lines}


def _line_claims(lines: pd.DataFrame, replicates: int, stated: Statements) -> Iterator[Claim]:
    n = lines["ratio"].nunique()
    for ratio, rows in lines.groupby("ratio"):
        beyond = averaged((rows["accuracy"] - rows["ceiling"]).to_numpy(), None, comparisons=n)
        case = f"ρ = {ratio:g}"
        yield stated.of("5-ceiling", beyond, case, replicates=replicates, comparisons=n)


def _plane_claims(planes: pd.DataFrame, stated: Statements) -> Iterator[Claim]:
    for name in DATASETS:
        of_name = planes[planes["dataset"] == name].rename(columns={"bound": "value"})
        linear = of_name[of_name["kernel"] == "linear"]["value"]
        yield stated.of("5-before", spanned(linear), name)
        two = of_name[of_name["n_components"] == 2]
        cases = {"median γ": at_median(two), "best γ of the grid": at_best(two)}
        for case, values in cases.items():
            yield stated.of(f"5-{name}-two", spanned(values), case)


def at_median(rows: pd.DataFrame) -> pd.Series:
    """Return the values of rows at the multiple of the median γ that is nearest to 1."""
    distance = np.log(rows["multiple"]).abs()
    return rows["value"][distance == distance.min()]


def at_best(rows: pd.DataFrame) -> pd.Series:
    """Return the values of rows at the multiple with the largest mean over replicates."""
    means = rows.groupby("multiple")["value"].mean()
    return rows["value"][rows["multiple"] == means.idxmax()]
