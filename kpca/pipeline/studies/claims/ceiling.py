"""Two rings and a line: the best accuracy that any linear classifier can reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from kpca.pipeline.datasets.generators import linear_ceiling, rings
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.studies.claims.claim import Claim, Rule, averaged
from kpca.pipeline.studies.claims.planes import best_line
from kpca.pipeline.studies.claims.separable import labelled

TRAIN_ROWS = 2000
FRESH_ROWS = 40_000
FIGURE = "claims_separability"


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
            sides = [rings(n, rng, noise=0, radius_ratio=ratio) for n in (TRAIN_ROWS, FRESH_ROWS)]
            train, fresh = map(labelled, sides)
            accuracy = best_line(*train).accuracy(*fresh)
            rows.append((ratio, replicate, accuracy, linear_ceiling(ratio)))
    return pd.DataFrame(rows, columns=["ratio", "replicate", "accuracy", "ceiling"])


def line_claims(lines: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    """Yield for every ratio of the radii that the best line is as good as the ceiling says."""
    together = lines["ratio"].nunique()
    estimand = "accuracy of the best line minus the ceiling"
    rule = Rule(estimand, "within", 0.01, replicates, comparisons=together)
    for ratio, rows in lines.groupby("ratio"):
        differences = (rows["accuracy"] - rows["ceiling"]).to_numpy()
        beyond = averaged(differences, None, comparisons=together)
        statement = f"On rings of radius ratio {ratio:g} no line does better than the ceiling."
        formula = f"½(1 + arccos(ρ)/π) = {rows['ceiling'].iloc[0]:.3f}"
        yield Claim(f"5-ceiling-{ratio:g}", statement, formula, *beyond, rule, FIGURE)
