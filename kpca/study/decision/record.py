"""The record of a decision: one row of ``tables/decisions.csv``, and how its numbers are written.

Jobs that draw tables load nothing else of a decision.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import pandas as pd

SCORE, GAIN = ("mean", "low", "high"), ("gain", "gain_low", "gain_high")
RECOMMENDED = ("recommended_score", "recommended_low", "recommended_high")
NEXT = ("next_gain", "next_low", "next_high", "next_probability")
OVER_DEFAULT = ("default_gain", "default_low", "default_high", "default_probability")
# Baseline → columns of the comparison with it.
COMPARED = {name: (f"{name}_gain", f"{name}_low", f"{name}_high") for name in ("chance", "raw")}
COMPARED["pca"] = GAIN


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A row of ``tables/decisions.csv``, as docs/columns.md describes it.

    What is missing is NaN, or an empty text.
    """

    dataset: str
    recommended: str = ""
    recommended_score: float = math.nan
    recommended_low: float = math.nan
    recommended_high: float = math.nan
    next: str = ""
    next_gain: float = math.nan
    next_low: float = math.nan
    next_high: float = math.nan
    next_probability: float = math.nan
    default: str = ""
    default_gain: float = math.nan
    default_low: float = math.nan
    default_high: float = math.nan
    default_probability: float = math.nan
    vs_chance: str = "no comparison"
    vs_raw: str = "no comparison"
    vs_pca: str = "no comparison"
    probability_chance: float = math.nan
    probability_raw: float = math.nan
    probability_pca: float = math.nan
    model: str = ""
    kernel: str = ""
    cell: str = ""
    parameters: str = "{}"
    n_components: int = 0
    scaling: str = ""
    predictor: str = ""
    predictor_cell: str = ""
    predictor_parameters: str = "{}"
    C: float = math.nan
    predictor_score: float = math.nan
    measure: str = ""
    score: float = math.nan
    low: float = math.nan
    high: float = math.nan
    chance: float = math.nan
    raw: float = math.nan
    pca: float = math.nan
    raw_method: str = ""
    chance_gain: float = math.nan
    chance_low: float = math.nan
    chance_high: float = math.nan
    raw_gain: float = math.nan
    raw_low: float = math.nan
    raw_high: float = math.nan
    gain: float = math.nan
    gain_low: float = math.nan
    gain_high: float = math.nan
    agreeing: int = 0
    linear_chosen: int = 0
    replicates: int = 0
    rows: int = 0
    features: float = math.nan  # NaN of a kernel matrix
    view: str = ""
    view_parameters: str = ""
    view_score: float = math.nan
    view_pca: float = math.nan
    sentence_components: str = ""
    sentence_predict: str = ""
    sentence: str = ""
    caveats: str = ""

    @classmethod
    def of(cls, row: Mapping[Any, Any]) -> Self:
        """Return the record of a row of the table, whose cells can be empty."""
        return cls(**{name: value for name, value in row.items() if pd.notna(value)})

    def interval(self, columns: Sequence[str]) -> list[float]:
        """Return a mean or a difference with its ends, such as `GAIN`."""
        return [getattr(self, column) for column in columns]


def number(value: float, digits: int = 3) -> str:
    """Return a number with the minus sign that is as long as a digit, and no negative zero.

    >>> number(0.9624), number(-0.02), number(-0.0001)
    ('0.962', '−0.020', '0.000')
    """
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")
