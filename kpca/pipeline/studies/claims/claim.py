"""One statement of the theory: what it says, the rule that judges it, and what was measured."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from kpca.pipeline.statistics import verdict

COLUMNS = [
    "claim",
    "statement",
    "source_value",
    "measured",
    "low",
    "high",
    "rule",
    "verdict",
    "figure",
]


@dataclass(frozen=True)
class Rule:
    """What decides, written before the run.

    The statement holds where the whole interval lies on the stated side of the threshold,
    fails where the whole interval lies on the other side, and is undecided otherwise.

    Attributes
    ----------
    estimand : str
        What is measured, in words, with its unit.
    side : {"above", "below", "within"}
        Where the measured value has to lie; "within" asks for −threshold … threshold.
    threshold : float
        The margin δ included.
    replicates : int
        How many independent measurements the interval is made of; 1 for an identity, whose
        "interval" is the one number that was measured.
    """

    estimand: str
    side: Literal["above", "below", "within"]
    threshold: float
    replicates: int = 1

    def judge(self, low: float, high: float) -> str:
        """Return the verdict on an interval.

        >>> Rule("gain", "above", 0.01, 5).judge(0.02, 0.05)
        'holds'
        >>> Rule("error", "below", 1e-12).judge(1e-3, 1e-3)
        'fails'
        >>> Rule("difference", "within", 0.01, 5).judge(-0.02, 0.005)
        'undecided'
        """
        if self.side == "above":
            return verdict(low, high, self.threshold)
        if self.side == "below":
            return verdict(-high, -low, -self.threshold)
        if max(-low, high) < self.threshold:
            return "holds"
        return "fails" if low > self.threshold or high < -self.threshold else "undecided"

    def __str__(self) -> str:
        bound = f"{self.threshold:g}"
        stated = {"above": f"> {bound}", "below": f"< {bound}", "within": f"within ±{bound}"}
        over = f"; {self.replicates} replicates, 95 % interval" if self.replicates > 1 else ""
        return f"{self.estimand} {stated[self.side]}{over}"


@dataclass(frozen=True)
class Claim:
    """A row of the table of claims.

    Attributes
    ----------
    claim : str
        Number of the statement's group and a short name, such as ``1-centring-features``.
    statement : str
        What the theory says, in one sentence.
    source_value : str
        The number or formula that is stated.
    measured, low, high : float
        The measured value and its interval; all three the same for an identity.
    rule : Rule
        What decides.
    figure : str
        Name of the figure that shows it; empty where none does.
    """

    claim: str
    statement: str
    source_value: str
    measured: float
    low: float
    high: float
    rule: Rule
    figure: str

    @property
    def verdict(self) -> str:
        """Whether the statement holds, fails or is undecided."""
        return self.rule.judge(self.low, self.high)


def claims_table(claims: Iterable[Claim]) -> pd.DataFrame:
    """Return claims as the rows of `results/tables/claims.csv`."""
    rows = [
        [str(getattr(c, column)) if column == "rule" else getattr(c, column) for column in COLUMNS]
        for c in claims
    ]
    return pd.DataFrame(rows, columns=COLUMNS)
