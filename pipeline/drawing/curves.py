"""Means with intervals over replicates, for curves along a parameter."""

import pandas as pd

from pipeline.tables.statistics import interval


def curve(scores: pd.DataFrame, along: str, overlap: float | None) -> pd.DataFrame:
    """Return mean, low and high over replicates for each value of the column ``along``.

    The overlap is n_test/n_train for random splits, None for independent draws.
    """
    rows = []
    for x, group in scores.groupby(along, sort=True):
        bounds = interval(group["value"].to_numpy(), test_over_train=overlap)
        rows.append((x, bounds.mean, bounds.low, bounds.high))
    return pd.DataFrame(rows, columns=[along, "mean", "low", "high"])
