"""Words for the finding of a figure: lists of names, differences, and ranges of numbers."""

from collections.abc import Iterable

import pandas as pd

from kpca.study.decision.record import number
from kpca.study.scoring.metrics import METRICS
from workflow.drawing import style


def enumerated(words: Iterable[str]) -> str:
    """Return words as a list in a sentence.

    >>> enumerated(["rings", "moons", "wine"]), enumerated(["rings"]), enumerated([])
    ('rings, moons and wine', 'rings', 'none')
    """
    *first, last = [*words] or ["none"]
    return f"{', '.join(first)} and {last}" if first else last


def amount(difference: float, metric: str) -> str:
    """Return a difference between two scores with its unit: points, or the name of the metric.

    >>> amount(0.0512, "balanced_accuracy"), amount(0.677, "correlation")
    ('5.1 points', '0.677 of correlation')
    """
    if metric == "balanced_accuracy":
        return f"{number(100 * difference, 1)} points"
    return f"{number(difference)} of {METRICS[metric].words}"


def with_points(values: pd.Series) -> str:
    """Return datasets with their values in percentage points, the largest first.

    >>> with_points(pd.Series({"swiss_roll": 0.02, "wine": 0.0312}))
    'wine (3.1) and Swiss roll (2.0)'
    """
    ranked = values.sort_values(ascending=False, kind="stable")
    return enumerated(
        f"{style.title(name)} ({number(100 * value, 1)})" for name, value in ranked.items()
    )


def between(fractions: pd.Series, digits: int = 0) -> str:
    """Return the range of some fractions in per cent or points.

    >>> between(pd.Series([0.512, 0.98])), between(pd.Series([0.5, 0.501]))
    ('51 to 98', '50')
    """
    ends = [number(100 * end, digits) for end in (fractions.min(), fractions.max())]
    return " to ".join(dict.fromkeys(ends))
