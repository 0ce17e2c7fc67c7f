"""One statement of the theory: what it says, the rule that judges it, and what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from kpca.pipeline.statistics import interval, verdict

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
    comparisons : int
        How many intervals are judged together: each is as wide as Bonferroni asks for.
    """

    estimand: str
    side: Literal["above", "below", "within"]
    threshold: float
    replicates: int = 1
    comparisons: int = 1

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
        joint = f", joint over {self.comparisons}" if self.comparisons > 1 else ""
        over = f"; {self.replicates} replicates, 95 % interval{joint}"
        return f"{self.estimand} {stated[self.side]}{over if self.replicates > 1 else ''}"


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


Bounds = tuple[float, float, float]


def exactly(value: float) -> Bounds:
    """Return measured, low and high of an identity: one number, three times.

    >>> exactly(0.5)
    (0.5, 0.5, 0.5)
    """
    return float(value), float(value), float(value)


def averaged(
    values: Sequence[float] | np.ndarray, overlap: float | None, *, comparisons: int = 1
) -> Bounds:
    """Return measured, low and high of a mean over replicates.

    Parameters
    ----------
    values : sequence of float
        One a replicate.
    overlap : float or None
        n_test/n_train for re-drawn splits, None for independent draws; see
        `kpca.pipeline.statistics.interval`.
    comparisons : int
        Intervals that are judged together: the level is 1 − 0.05/comparisons.

    Examples
    --------
    >>> averaged([0.25, 0.25], None)
    (0.25, 0.25, 0.25)
    """
    found = interval(values, test_over_train=overlap, level=1 - 0.05 / comparisons)
    return found.mean, found.low, found.high


def spanned(values: Iterable[float]) -> Bounds:
    """Return the mean of values with the least and the largest of them.

    For a rule that speaks of each replicate: it holds where all of them keep it, and fails
    where none does.

    >>> spanned([1.0, 2.0, 6.0])
    (3.0, 1.0, 6.0)
    """
    array = np.fromiter(values, dtype=float)
    return float(array.mean()), float(array.min()), float(array.max())


def claims_table(claims: Iterable[Claim]) -> pd.DataFrame:
    """Return claims as the rows of `results/tables/claims.csv`."""
    rows = [
        [str(getattr(c, column)) if column == "rule" else getattr(c, column) for column in COLUMNS]
        for c in claims
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def joined(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Join tables of claims in the order of their groups, the numbers before their names.

    Raises
    ------
    ValueError
        If two claims have one name.
    """
    table = pd.concat(tables, ignore_index=True)
    twice = table.loc[table["claim"].duplicated(), "claim"].unique()
    if len(twice):
        raise ValueError(f"claims need names of their own; given twice: {', '.join(twice)}")
    group = table["claim"].str.partition("-")[0].astype(int)
    return table.iloc[np.argsort(group.to_numpy(), kind="stable")].reset_index(drop=True)
