"""`Decision`, the record of a row of ``tables/decisions.csv``, and `number`, its number format.

Jobs that only format numbers need no other module of `kpca.study.decision`.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import pandas as pd

from kpca.study.scoring.methods import Options

GAIN = ("gain", "gain_low", "gain_high")
RECOMMENDED = ("recommended_score", "recommended_low", "recommended_high")
# Baseline → columns of the comparison with this baseline.
COMPARED = {
    "chance": ("chance_gain", "chance_low", "chance_high", "probability_chance", "vs_chance"),
    "raw": ("raw_gain", "raw_low", "raw_high", "probability_raw", "vs_raw"),
    "pca": (*GAIN, "probability_pca", "vs_pca"),
}


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A row of ``tables/decisions.csv``, as docs/columns.md describes it.

    Missing values are NaN or empty texts.
    """

    dataset: str
    recommended: str
    recommended_score: float
    recommended_low: float
    recommended_high: float
    vs_chance: str
    vs_raw: str
    vs_pca: str
    probability_chance: float
    probability_raw: float
    probability_pca: float
    model: str
    kernel: str
    cell: str
    parameters: str
    n_components: int
    scaling: str
    predictor: str
    predictor_cell: str
    predictor_parameters: str
    C: float
    predictor_score: float
    measure: str
    score: float
    low: float
    high: float
    chance: float
    pca: float
    raw_method: str
    chance_gain: float
    chance_low: float
    chance_high: float
    raw_gain: float
    raw_low: float
    raw_high: float
    gain: float
    gain_low: float
    gain_high: float
    agreeing: int
    linear_chosen: int
    replicates: int
    rows: int
    features: float  # NaN for a kernel matrix
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
        """Return the record from a row of the table, in which cells can be empty or missing."""
        empty: dict[Any, Any] = {str: "", int: 0, float: math.nan}
        values = {column.name: empty[column.type] for column in fields(cls)}
        return cls(**values | {name: row[name] for name in row if pd.notna(row[name])})

    def options(self, class_weight: str | None) -> Options:
        """Return the options of the exported predictor."""
        gamma = json.loads(self.predictor_parameters).get("gamma", math.nan)
        return Options(self.C, class_weight, gamma)

    def interval(self, columns: Sequence[str]) -> list[Any]:
        """Return the values of columns such as `GAIN`: a mean or difference with its interval."""
        return [getattr(self, column) for column in columns]


def number(value: float, digits: int = 3) -> str:
    """Return a number as text, with a true minus sign (−) and without negative zero.

    >>> number(0.9624), number(-0.02), number(-0.0001)
    ('0.962', '−0.020', '0.000')
    """
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")
