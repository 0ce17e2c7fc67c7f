"""Intervals around test errors that depend on a drawn subset."""

import math

import numpy as np
import pandas as pd

NORMAL = 1.96


def prediction_intervals(errors: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return where the error of one more subset is expected, for every cell.

    The mean over R subsets ± 1.96 s √(1 + 1/R), where s² is the variance between subsets, the
    mean over all cells: of few subsets, one cell says little about it. ``errors`` has a row a
    subset and cell, which the columns ``by`` name; columns returned: ours, low, high, subsets.
    """
    cells = errors.groupby(by)["error"]
    ours, subsets = cells.mean(), cells.size()
    half = NORMAL * math.sqrt(cells.var().mean()) * np.sqrt(1 + 1 / subsets)
    return pd.DataFrame({"ours": ours, "low": ours - half, "high": ours + half, "subsets": subsets})


def binomial_interval(percent: float, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of an error rate counted on n test rows, in per cent.

    >>> [round(bound, 2) for bound in binomial_interval(4.4, 2007)]
    [3.57, 5.37]
    """
    from scipy.stats import binomtest

    bounds = binomtest(round(percent * n / 100), n).proportion_ci(method="wilson")
    return float(100 * bounds.low), float(100 * bounds.high)
