"""Rings and spirals: whether a plane separates the classes, before and after kernel PCA."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from kpca.pipeline.studies.claims.ceiling import FIGURE, line_claims, ring_lines
from kpca.pipeline.studies.claims.claim import Claim, Rule, averaged, spanned
from kpca.pipeline.studies.claims.separable import DATASETS, LEAST, separable_planes

WHERE = {"median": "γ by the median heuristic", "best": "at the best γ of the grid"}


def widest_range(bounds: pd.DataFrame) -> float:
    """Return the decades of γ over which classes stay separable, from the first value to the last.

    Parameters
    ----------
    bounds : DataFrame
        Columns multiple and bound of one replicate at one number of components.

    Examples
    --------
    >>> widest_range(pd.DataFrame({"multiple": [1, 10, 100, 1000], "bound": [1, 0, 1, 0.99]}))
    1.0
    """
    ordered = bounds.sort_values("multiple")
    separable = ordered["bound"] >= LEAST
    run = (separable != separable.shift()).cumsum()
    logarithms = np.log10(ordered["multiple"])[separable].groupby(run[separable])
    widths = logarithms.max() - logarithms.min()
    return float(widths.max()) if len(widths) else 0.0


def fewest_components(bounds: pd.DataFrame) -> float:
    """Return the least number of components that separates at some γ; infinity where none does."""
    separable = bounds[bounds["bound"] >= LEAST]
    return float(separable["n_components"].min()) if len(separable) else np.inf


def measure(
    *,
    seed: int,
    replicates: int,
    multiples: Sequence[float],
    n_components: Sequence[int],
    ratios: Sequence[float],
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on rings and spirals with their verdicts, and what was measured."""
    planes = separable_planes(
        seed=seed, replicates=replicates, multiples=multiples, n_components=n_components
    )
    lines = ring_lines(seed=seed, replicates=replicates, ratios=ratios)
    claims = [
        *line_claims(lines, replicates),
        *_plane_claims(planes, replicates),
        *_range_claims(planes, replicates),
        _count_claim(planes, replicates),
    ]
    return claims, {"planes": planes, "lines": lines}


def _plane_claims(planes: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    estimand = (
        "lower 95 % bound of the accuracy on 10 000 fresh rows, 0 without a separating plane, "
        f"in each of {replicates} replicates"
    )
    separable, never = Rule(estimand, "above", LEAST), Rule(estimand, "below", LEAST)
    for name in DATASETS:
        of_name = planes[planes["dataset"] == name].rename(columns={"bound": "value"})
        linear = of_name[of_name["kernel"] == "linear"]["value"]
        statement = f"Linear PCA only rotates: it leaves {name} mixed, no line separates them."
        yield Claim(f"5-{name}-before", statement, "", *spanned(linear), never, FIGURE)
        two = of_name[of_name["n_components"] == 2]
        for where, bounds in (("median", at_median(two)), ("best", at_best(two))):
            statement = f"Two Gaussian components separate {name} linearly, {WHERE[where]}."
            yield Claim(f"5-{name}-two-{where}", statement, "", *spanned(bounds), separable, FIGURE)


def at_median(rows: pd.DataFrame) -> pd.Series:
    """Return the values of rows at the multiple of the median γ that is nearest to 1."""
    distance = np.log(rows["multiple"]).abs()
    return rows["value"][distance == distance.min()]


def at_best(rows: pd.DataFrame) -> pd.Series:
    """Return the values of rows at the multiple with the largest mean over replicates."""
    means = rows.groupby("multiple")["value"].mean()
    return rows["value"][rows["multiple"] == means.idxmax()]


def _range_claims(planes: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    for m, count in ((2, "Two"), (3, "Three")):
        rows = planes[(planes["dataset"] == "rings") & (planes["n_components"] == m)]
        widths = [widest_range(r) for _, r in rows.dropna().groupby("replicate")]
        statement = f"{count} Gaussian components separate the rings linearly over a decade of γ."
        rule = Rule(
            "longest stretch of separable classes in decades of γ", "above", 1.0, replicates
        )
        yield Claim(f"5-rings-range-{m}", statement, "", *averaged(widths, None), rule, FIGURE)


def _count_claim(planes: pd.DataFrame, replicates: int) -> Claim:
    rows = planes[(planes["dataset"] == "spirals") & (planes["kernel"] == "rbf")]
    fewest = [fewest_components(r) for _, r in rows.groupby("replicate")]
    largest = int(rows["n_components"].max())
    rule = Rule(
        "fewest components that separate, each replicate at its best γ of the grid "
        f"({largest + 1} where none do)",
        "above",
        3.0,
        replicates,
    )
    statement = "Spirals need more Gaussian components than the three that rings need at most."
    counts = np.minimum(fewest, largest + 1)
    return Claim("5-spirals-fewest", statement, "", *averaged(counts, None), rule, FIGURE)
