"""Statements of the theory with their cases: what was measured of each, and the verdicts."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from pipeline.job import script
from pipeline.tables.statistics import LEVEL, holm, interval, p_value

# Columns of `results/tables/claims.csv` and of `claims_cases.csv`.
MEASURED = ("measured", "low", "high")
STATEMENTS = ["claim", "statement", "source_value", *MEASURED, "rule", "verdict", "figure"]
CASES = ["claim", "case", *MEASURED, "verdict", "rule"]
TEXTS = ("case", "source_value", "figure")  # may be empty, which a file does not tell from missing
EXPECTED = "fails as expected"  # verdict on an error that a source prints, if it is measured
VERDICTS = ("fails", EXPECTED, "inconclusive", "holds")  # each decides over those after it


class Case(NamedTuple):
    """What was measured of one case of a statement.

    Attributes
    ----------
    claim : str
        Of `statements.csv`: number of the statement's group and a short name, the same for all
        cases of a statement.
    measured, low, high : float
        The measured value and its interval; all three the same for an identity.
    case : str
        Dataset, kernel or number of the case; empty if there is one case only.
    replicates : int
        How many independent measurements the interval is made of.
    error : float
        Standard error of the mean; NaN where one number is judged as it is, or a range.
    """

    claim: str
    measured: float
    low: float
    high: float
    case: str = ""
    replicates: int = 1
    error: float = math.nan


def exactly(claim: str, value: float, case: str = "") -> Case:
    """Return the case of an identity: one number, three times."""
    return Case(claim, float(value), float(value), float(value), case)


def spanned(claim: str, values: Iterable[float], case: str = "") -> Case:
    """Return the mean of values with the least and the largest of them.

    For a rule that speaks of each replicate: it holds where all of them keep it, and fails
    where none does.

    >>> spanned("5-before", [1.0, 2.0, 6.0])[1:4]
    (3.0, 1.0, 6.0)
    """
    array = np.fromiter(values, dtype=float)
    return Case(claim, float(array.mean()), float(array.min()), float(array.max()), case)


def averaged(
    claim: str,
    values: Sequence[float] | np.ndarray,
    overlap: float | None,
    case: str = "",
    *,
    least: float = 0.0,
) -> Case:
    """Return the mean over replicates, one value each, with its interval.

    The overlap is n_test/n_train for random splits, None for independent draws, as for
    `pipeline.tables.statistics.interval`, as is the least half-width. If all replicates agree and
    there is none, it is one number.

    >>> averaged("2-shift-new", [0.25, 0.25], None)[1:4]
    (0.25, 0.25, 0.25)
    """
    found = interval(values, test_over_train=overlap, least=least)
    return Case(claim, found.mean, found.low, found.high, case, len(values), found.error)


def of_rows(claim: str, rows: pd.DataFrame) -> Iterator[Case]:
    """Yield a case for each row of `setting.bounds`, named by its kernel and dataset."""
    for row in rows.to_dict("records"):
        case = ", ".join(str(row[key]) for key in ("kernel", "dataset") if key in row)
        spread = int(row["replicates"]), row["error"]
        yield Case(claim, row["mean"], row["low"], row["high"], case, *spread)


def room(value: float, side: str, threshold: float) -> float:
    """Return how far a value lies on the stated side of the threshold; negative on the wrong one.

    Sides are "above", "below", and "within", which asks for −threshold … threshold.

    >>> room(3.0, "below", 1.0)
    -2.0
    """
    if side == "above":
        return value - threshold
    return threshold - (abs(value) if side == "within" else value)


def judge(low: float, high: float, side: str, threshold: float) -> str:
    """Return the verdict on a range of values, or on one number.

    The statement holds where the whole range lies on the stated side of the threshold (the
    margin δ included), fails where all of it lies on the other side, and is inconclusive
    otherwise.

    >>> judge(0.02, 0.05, "above", 0.01)
    'holds'
    >>> judge(-0.02, 0.005, "within", 0.01)
    'inconclusive'
    """
    rooms = room(low, side, threshold), room(high, side, threshold)
    if min(rooms) > 0:
        return "holds"
    around = side == "within" and low < 0 < high  # holds what the statement asks for
    return "fails" if max(rooms) < 0 and not around else "inconclusive"


def _verdict(row: pd.Series) -> str:
    if row["p"] > LEVEL:
        return "inconclusive"
    # Decided, the mean lies where all of its interval does; without a p, a range is judged.
    low, high = ("measured", "measured") if row["p"] <= LEVEL else ("low", "high")
    found = judge(row[low], row[high], row["side"], row["threshold"])
    return EXPECTED if found == row["expected"] == "fails" else found


def _rule(row: pd.Series) -> str:
    side = {"above": "> ", "below": "< ", "within": "within ±"}[row["side"]]
    together = f", Holm over {row['together']}" if row["together"] > 1 else ""
    over = f"; {row['replicates']} replicates, 95 % interval{together}"
    return f"{row['estimand']} {side}{row['threshold']:g}{over if row['replicates'] > 1 else ''}"


def judged(statements: pd.DataFrame, cases: pd.DataFrame) -> pd.DataFrame:
    """Return a table of cases with their statements, with rule, verdict and room.

    Means over replicates are judged by their p-values at the threshold, the nearer one of
    "within", after Holm over the cases of a statement; one number and ranges as they are.

    `statements.csv` has the columns claim, statement, source_value, estimand, side, threshold,
    figure; group, label and origin are those of the mark of an identity in its figure; expected is
    "fails" for an error that a source prints.

    Raises
    ------
    ValueError
        If the statement of a case is missing.
    """
    unknown = sorted(set(cases["claim"]) - set(statements["claim"]))
    if unknown:
        raise ValueError(f"statements.csv does not state: {', '.join(unknown)}")
    table = cases.merge(statements, on="claim").fillna(dict.fromkeys(TEXTS, ""))
    table["room"] = list(map(room, table["measured"], table["side"], table["threshold"]))
    p = pd.Series(list(map(p_value, table["room"], table["error"], table["replicates"])))
    of_claim = p.groupby(table["claim"])
    table["together"] = of_claim.transform("size")
    table["p"] = of_claim.transform(lambda values: holm(values.to_numpy()))
    return table.assign(rule=table.apply(_rule, axis=1), verdict=table.apply(_verdict, axis=1))


def _deciding(cases: pd.DataFrame) -> pd.Series:
    """Return the row of a statement from those of its cases."""
    ranked = cases.assign(rank=cases["verdict"].map(VERDICTS.index))
    worst = ranked.sort_values(["rank", "room"], kind="stable").iloc[0]
    if len(cases) > 1:
        n = cases["verdict"].value_counts().reindex(VERDICTS, fill_value=0)
        failing = n["fails"] + n[EXPECTED]
        counts = f"{n['holds']} hold, {failing} fail, {n['inconclusive']} inconclusive"
        worst["rule"] += f"; worst of {len(cases)} cases: {counts} ({worst['case']} decides)"
    return worst[STATEMENTS]


@script
def joined(statements: pd.DataFrame, **topics: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Join the topics: one row per statement, and one row per case, in the order of their groups.

    A statement is universal: it holds where all its cases hold, and fails where one of them
    fails. Its row is that of the case that decides, of several the one that lies furthest on the
    wrong side of the rule, and its rule counts the cases. The tables are ``claims`` and
    ``claims_cases``, columns `STATEMENTS` and `CASES`; topics have those of `Case`.

    Raises
    ------
    ValueError
        If two cases of a claim have one name, or the statement of a case is missing.
    """
    table = judged(statements, pd.concat(topics.values(), ignore_index=True))
    twice = table.loc[table.duplicated(["claim", "case"]), "claim"].unique()
    if len(twice):
        raise ValueError(f"cases of a claim need names of their own: {', '.join(twice)}")
    group = table["claim"].str.partition("-")[0].astype(int)
    table = table.iloc[np.argsort(group.to_numpy(), kind="stable")]
    rows = [_deciding(cases) for _, cases in table.groupby("claim", sort=False)]
    return {"claims": pd.DataFrame(rows, columns=STATEMENTS), "claims_cases": table[CASES]}
