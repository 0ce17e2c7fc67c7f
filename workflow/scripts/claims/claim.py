"""One statement of the theory: what it says, the rule that judges it, and what was measured."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from pipeline.tables.statistics import interval, verdict

STATEMENTS = [
    *("claim", "statement", "source_value", "measured", "low", "high"),
    *("rule", "verdict", "figure"),
]
"""Columns of `results/tables/claims.csv`."""

CASES = ["claim", "case", "measured", "low", "high", "verdict", "rule"]
"""Columns of `results/tables/claims_cases.csv`."""

TEXTS = ("case", "source_value", "figure")
"""Columns that may be empty, which a file does not tell from missing."""

VERDICTS = ("fails", "undecided", "holds")
"""Each decides over those after it."""


Side = Literal["above", "below", "within"]


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
    side: Side
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

    def room(self, value: float) -> float:
        """Return how far a value lies on the stated side; negative on the wrong one.

        >>> Rule("error", "below", 1.0).room(3.0)
        -2.0
        """
        if self.side == "above":
            return value - self.threshold
        return self.threshold - (abs(value) if self.side == "within" else value)

    def __str__(self) -> str:
        bound = f"{self.threshold:g}"
        stated = {"above": f"> {bound}", "below": f"< {bound}", "within": f"within ±{bound}"}
        joint = f", joint over {self.comparisons}" if self.comparisons > 1 else ""
        over = f"; {self.replicates} replicates, 95 % interval{joint}"
        return f"{self.estimand} {stated[self.side]}{over if self.replicates > 1 else ''}"


@dataclass(frozen=True)
class Claim:
    """What a statement of the theory says of one case, and what was measured there.

    Attributes
    ----------
    claim : str
        Number of the statement's group and a short name, such as ``1-centring-features``: the
        same for all cases of a statement.
    statement : str
        What the theory says, in one sentence, whatever the case.
    source_value : str
        The number or formula that is stated.
    measured, low, high : float
        The measured value and its interval; all three the same for an identity.
    rule : Rule
        What decides.
    figure : str
        Name of the figure that shows it; empty where none does.
    case : str
        Dataset, kernel or number of the case; empty where there is one case only.
    known : str
        The verdict of a table that has judged the case already; by default the rule's.
    """

    claim: str
    statement: str
    source_value: str
    measured: float
    low: float
    high: float
    rule: Rule
    figure: str
    case: str = ""
    known: str = ""

    @property
    def verdict(self) -> str:
        """Whether the statement holds, fails or is undecided in this case."""
        return self.known or self.rule.judge(self.low, self.high)

    @property
    def room(self) -> float:
        """How far the measured value lies on the stated side of the rule."""
        return self.rule.room(self.measured)


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
        `pipeline.tables.statistics.interval`.
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


class Statements:
    """What the theory says, and the rule that judges it: the rows of `statements.csv`.

    Parameters
    ----------
    table : DataFrame
        Columns claim, statement, source_value, estimand, side, threshold, figure; group, label and
        origin are those of the mark of an identity in its figure.
    """

    def __init__(self, table: pd.DataFrame) -> None:
        self._rows = {
            row["claim"]: row
            for row in table.fillna({"source_value": "", "figure": ""}).to_dict("records")
        }

    def of(
        self,
        claim: str,
        found: float | Bounds,
        case: str = "",
        *,
        replicates: int = 1,
        comparisons: int = 1,
        known: str = "",
    ) -> Claim:
        """Return what was found in a case of a statement: one number, or one with its interval.

        Raises
        ------
        KeyError
            If the table does not state it.
        """
        row = self._rows[claim]
        rule = Rule(row["estimand"], row["side"], row["threshold"], replicates, comparisons)
        bounds = found if isinstance(found, tuple) else exactly(found)
        stated = row["statement"], row["source_value"]
        return Claim(claim, *stated, *bounds, rule, row["figure"], case, known)

    def of_rows(
        self, claim: str, rows: pd.DataFrame, *, replicates: int, comparisons: int
    ) -> Iterator[Claim]:
        """Yield a case for each row of means with intervals, named by its kernel and dataset."""
        for row in rows.to_dict("records"):
            case = ", ".join(str(row[key]) for key in ("kernel", "dataset") if key in row)
            found = float(row["mean"]), float(row["low"]), float(row["high"])
            yield self.of(claim, found, case, replicates=replicates, comparisons=comparisons)


def claims_table(claims: Iterable[Claim]) -> pd.DataFrame:
    """Return the cases of a topic: the columns `STATEMENTS`, case and room."""
    columns = [*STATEMENTS, "case", "room"]
    rows = [
        [str(getattr(c, column)) if column == "rule" else getattr(c, column) for column in columns]
        for c in claims
    ]
    return pd.DataFrame(rows, columns=columns)


def joined(tables: Iterable[pd.DataFrame]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Join the topics: a row a statement, and a row a case, in the order of their groups.

    A statement is universal: it holds where all its cases hold, and fails where one of them
    fails. Its row is that of the case that decides, of several the one that lies furthest on the
    wrong side of the rule, and its rule counts the cases.

    Parameters
    ----------
    tables : iterable of DataFrame
        Of `claims_table`.

    Returns
    -------
    statements, cases : DataFrame
        `results/tables/claims.csv` and `claims_cases.csv`, columns `STATEMENTS` and `CASES`.

    Raises
    ------
    ValueError
        If two cases of a claim have one name.
    """
    table = pd.concat(tables, ignore_index=True).fillna(dict.fromkeys(TEXTS, ""))
    twice = table.loc[table.duplicated(["claim", "case"]), "claim"].unique()
    if len(twice):
        raise ValueError(f"cases of a claim need names of their own: {', '.join(twice)}")
    group = table["claim"].str.partition("-")[0].astype(int)
    table = table.iloc[np.argsort(group.to_numpy(), kind="stable")]
    rows = [_deciding(cases) for _, cases in table.groupby("claim", sort=False)]
    return pd.DataFrame(rows, columns=STATEMENTS), table[CASES].reset_index(drop=True)


def _deciding(cases: pd.DataFrame) -> dict[Hashable, Any]:
    """Return the row of a statement from those of its cases."""
    ranked = cases.assign(rank=cases["verdict"].map(VERDICTS.index))
    worst = ranked.sort_values(["rank", "room"], kind="stable").to_dict("records")[0]
    if len(cases) > 1:
        n = {verdict: int((cases["verdict"] == verdict).sum()) for verdict in VERDICTS}
        counts = f"{n['holds']} hold, {n['fails']} fail, {n['undecided']} undecided"
        worst["rule"] += f"; worst of {len(cases)} cases: {counts} ({worst['case']} decides)"
    return {column: worst[column] for column in STATEMENTS}
