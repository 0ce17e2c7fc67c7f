"""Rings and spirals: whether a plane separates the classes, before and after kernel PCA."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from kpca.linear.pca import PCA
from kpca.pipeline.datasets.generators import linear_ceiling, rings
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.studies.claims.claim import Claim, Rule, averaged, spanned
from kpca.pipeline.studies.claims.planes import best_line
from kpca.pipeline.studies.claims.separable import (
    DATASETS,
    LEAST,
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

FIGURE = "claims_separability"


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
    claims = [*_line_claims(lines, replicates), *_plane_claims(planes, replicates)]
    return claims, {"planes": planes, "lines": lines}


def _line_claims(lines: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    together = lines["ratio"].nunique()
    estimand = "accuracy of the best line minus the ceiling"
    rule = Rule(estimand, "within", 0.01, replicates, comparisons=together)
    for ratio, rows in lines.groupby("ratio"):
        beyond = averaged(
            (rows["accuracy"] - rows["ceiling"]).to_numpy(), None, comparisons=together
        )
        statement = "On two rings of radius ratio ρ no line does better than the ceiling."
        case = f"ρ = {ratio:g}"
        yield Claim("5-ceiling", statement, "½(1 + arccos(ρ)/π)", *beyond, rule, FIGURE, case)


def _plane_claims(planes: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    estimand = (
        "lower 95 % bound of the accuracy on 10 000 fresh rows, 0 without a separating plane, "
        f"in each of {replicates} replicates"
    )
    separable, never = Rule(estimand, "above", LEAST), Rule(estimand, "below", LEAST)
    mixed = "Linear PCA only rotates: it leaves rings and spirals mixed, no line separates them."
    for name in DATASETS:
        of_name = planes[planes["dataset"] == name].rename(columns={"bound": "value"})
        linear = of_name[of_name["kernel"] == "linear"]["value"]
        yield Claim("5-before", mixed, "", *spanned(linear), never, FIGURE, name)
        two = of_name[of_name["n_components"] == 2]
        for where, bounds in (("median", at_median(two)), ("best", at_best(two))):
            said = f"Two Gaussian components separate {name} linearly."
            case = {"median": "γ by the median heuristic", "best": "at the best γ of the grid"}
            found = spanned(bounds)
            yield Claim(f"5-{name}-two", said, "", *found, separable, FIGURE, case[where])


def at_median(rows: pd.DataFrame) -> pd.Series:
    """Return the values of rows at the multiple of the median γ that is nearest to 1."""
    distance = np.log(rows["multiple"]).abs()
    return rows["value"][distance == distance.min()]


def at_best(rows: pd.DataFrame) -> pd.Series:
    """Return the values of rows at the multiple with the largest mean over replicates."""
    means = rows.groupby("multiple")["value"].mean()
    return rows["value"][rows["multiple"] == means.idxmax()]
