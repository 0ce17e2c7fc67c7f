"""Statements of the theory with their cases: what was measured of each, and the verdicts."""

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from kpca.reading.errors import shortlist
from kpca.study.evidence.statistics import LEVEL, holm, interval, p_value
from workflow.job import Tables, script

EXPECTED = "fails as expected"  # verdict on an error that a source prints, if it is measured
# Verdict on a statement marked "depends" if its other cases cannot decide.
IN_SOME = {"holds": "holds in some", "fails": "fails in some"}
NOT_APPLICABLE = "not applicable"  # verdict of a case
KINDS = ("universal", "existential", "depends")
# Columns of `results/tables/claims.csv` and of `claims_cases.csv`.
MEASURED = ("measured", "low", "high")
COUNTED = {
    "holds": "holds",
    "fails": "fails",
    "inconclusive": "inconclusive",
    "not_applicable": NOT_APPLICABLE,
}
STATEMENTS = [
    "claim",
    "statement",
    "source_value",
    "kind",
    "verdict",
    "case",
    *MEASURED,
    "rule",
    *COUNTED,
    "cases",
    "figure",
]
CASES = ["claim", "case", *MEASURED, "verdict", "rule"]
# Words of a statement, and of the case that decides.
DECIDING = {"depends": "fails"} | {word: of_case for of_case, word in IN_SOME.items()}
TEXTS = ("case", "source_value", "figure", "condition")  # missing or empty: a file has one of them
MOST_NAMED = 6  # cases per verdict


class Case(NamedTuple):
    """What was measured of one case of a statement of `statements.csv`, with its interval.

    Without a value (NaN) the statement does not apply. The error is the standard error of the mean;
    NaN if one number is judged as it is, or a range. The measured value lies between lowest and
    highest whatever the claimed method does: an improvement over 0.97 is 0.03 at most.
    """

    claim: str
    measured: float
    low: float
    high: float
    case: str = ""
    replicates: int = 1
    error: float = math.nan
    lowest: float = -math.inf
    highest: float = math.inf


def exactly(claim: str, value: float, case: str = "", **limits: Any) -> Case:
    """Return the case of an identity: one number, three times."""
    return spanned(claim, [value], case, **limits)


def spanned(claim: str, values: Iterable[float], case: str = "", **limits: Any) -> Case:
    """Return the mean of values with their range, for a rule that speaks of each replicate."""
    array = np.fromiter(values, dtype=float)
    return Case(claim, array.mean(), array.min(), array.max(), case, **limits)


def averaged(
    claim: str,
    values: ArrayLike,
    case: str = "",
    *,
    overlap: float | None = None,
    least: float = 0.0,
    **limits: Any,
) -> Case:
    """Return the mean over replicates, one value each, with its interval.

    Overlap and least half-width are those of `kpca.study.evidence.statistics.interval`.
    """
    mean = interval(np.asarray(values), test_over_train=overlap, least=least)
    return Case(claim, *mean[:3], case, mean.replicates, mean.error, **limits)


def of_rows(claim: str, rows: pd.DataFrame) -> Iterator[Case]:
    """Yield a case per row of `intervals`, which may have the columns lowest and highest."""
    for row in rows.to_dict("records"):
        case = " on ".join(str(row[key]) for key in ("kernel", "dataset") if key in row)
        limits = {name: row[name] for name in ("lowest", "highest") if name in row}
        ends = row["mean"], row["low"], row["high"]
        yield Case(claim, *ends, case, row["replicates"], row["error"], **limits)


def room(value: float, side: str, threshold: float) -> float:
    """Return how far a value lies on the stated side of the threshold, negative on the other."""
    if side == "above":
        return value - threshold
    return threshold - (abs(value) if side == "within" else value)


def judge(low: float, high: float, side: str, threshold: float) -> str:
    """Return the verdict on a range of values, or on one number: all of it decides."""
    rooms = room(low, side, threshold), room(high, side, threshold)
    if min(rooms) > 0:
        return "holds"
    around = side == "within" and low < 0 < high  # holds what the statement asks for
    return "fails" if max(rooms) < 0 and not around else "inconclusive"


def applies(case: pd.Series) -> bool:
    """Return whether a case has a value, and could keep the rule as well as break it."""
    # value nearest to 0, by which "within" is judged
    middle = min(max(case["lowest"], 0.0), case["highest"])
    ends = (case["lowest"], middle, case["highest"])
    rooms = [room(value, case["side"], case["threshold"]) for value in ends]
    return bool(pd.notna(case["measured"]) and min(rooms) < 0 < max(rooms))


def _verdict(row: pd.Series) -> str:
    if not row["applies"]:
        return NOT_APPLICABLE
    if row["p"] > LEVEL:
        return "inconclusive"
    low = row["low"]
    high = row["high"]
    if row["p"] <= LEVEL:  # decided, the mean lies where all of its interval does
        low = high = row["measured"]
    verdict = judge(low, high, row["side"], row["threshold"])
    return EXPECTED if verdict == row["expected"] == "fails" else verdict


def _rule(row: pd.Series) -> str:
    side = {"above": "> ", "below": "< ", "within": "within ±"}[row["side"]]
    rule = f"{row['estimand']} {side}{row['threshold']:g}"
    if row["condition"]:
        rule += f", {row['condition']}"
    if row["replicates"] > 1:
        rule += f"; {row['replicates']} replicates, 95 % CI"
        if row["together"] > 1:
            rule += f", Holm over {row['together']} unless all agree"
    return rule


def judged(statements: pd.DataFrame, cases: pd.DataFrame) -> pd.DataFrame:
    """Return a table of cases with their statements, with rule, verdict and room.

    Means over replicates are judged by their p-values at the threshold; one number and ranges as
    they are. If all cases are decided alike at 5 % each, they stand (an intersection–union test).
    Otherwise one case can decide, so that the p-values are Holm's over all cases, with those that
    do not apply: how many there are is not left to the data.
    """
    unknown = sorted(set(cases["claim"]) - set(statements["claim"]))
    if unknown:
        raise ValueError(f"statements.csv does not state: {', '.join(unknown)}")
    table = cases.merge(statements, on="claim").fillna(dict.fromkeys(TEXTS, ""))
    table["applies"] = table.apply(applies, axis=1)
    unsaid = sorted(set(table.loc[~table["applies"] & (table["condition"] == ""), "claim"]))
    if unsaid:
        raise ValueError(f"statements.csv has no condition of: {', '.join(unsaid)}")
    table["room"] = list(map(room, table["measured"], table["side"], table["threshold"]))
    p_values = list(map(p_value, table["room"], table["error"], table["replicates"]))
    table["p"] = pd.Series(p_values).where(table["applies"])
    table["verdict"] = table.apply(_verdict, axis=1).where(table["applies"])
    of_claim = table.groupby("claim")
    table["together"] = of_claim["claim"].transform("size")
    corrected = of_claim["p"].transform(lambda values: holm(values.to_numpy()))
    alike = of_claim["verdict"].transform("nunique") == 1
    table["p"] = table["p"].where(alike, corrected)
    table["verdict"] = table.apply(_verdict, axis=1)
    return table.assign(rule=table.apply(_rule, axis=1))


def statement_verdict(words: Iterable[str], kind: str) -> str:
    """Return the verdict on a statement from those on its cases.

    Cases that all agree decide any statement. Otherwise one that fails refutes a universal
    statement, and one that holds proves an existential one. A statement that depends on the data,
    as marked before the run, has the word of the cases that are decided: it depends if they
    differ, and holds, or fails, in some if the others cannot decide.

    >>> [statement_verdict(["holds", "fails"], kind) for kind in KINDS]
    ['fails', 'holds', 'depends']
    """
    applicable = {*words} - {NOT_APPLICABLE}
    if len(applicable) == 1:
        return applicable.pop()
    if kind == "existential":
        return "holds" if "holds" in applicable else "inconclusive"
    if kind == "depends" and applicable and EXPECTED not in applicable:
        decided = applicable - {"inconclusive"}
        return "depends" if len(decided) > 1 else IN_SOME[decided.pop()]
    return next((word for word in ("fails", EXPECTED) if word in applicable), "inconclusive")


def _summary(named: dict[str, list[str]]) -> str:
    """Return in words in which cases a statement holds, and in which it does not."""
    judged = sum(map(len, named.values())) - len(named[NOT_APPLICABLE])
    parts = []
    for word, names in named.items():
        text = f"{word} in {len(names)}"
        if word == "holds":
            text += f" of {judged}"
        elif not names:
            continue
        if names:
            text += f": {shortlist(names, limit=MOST_NAMED)}"
        parts.append(text)
    return "; ".join(parts)


def _stated(cases: pd.DataFrame) -> pd.Series:
    """Return the row of a statement from those of its cases."""
    kind = cases["kind"].iloc[0]
    verdicts = cases["verdict"].replace(EXPECTED, "fails")
    verdict = statement_verdict(cases["verdict"], kind)
    # The case that decides lies furthest on the wrong side, of an existential one on the right.
    ranked = cases.sort_values("room", kind="stable", ascending=kind != "existential")
    decides = ranked["verdict"] == DECIDING.get(verdict, verdict)
    row = ranked.iloc[decides.argmax()].to_dict()
    named = {word: cases.loc[verdicts == word, "case"].tolist() for word in COUNTED.values()}
    row |= {name: len(named[word]) for name, word in COUNTED.items()}
    row |= {"verdict": verdict, "cases": _summary(named) if len(cases) > 1 else ""}
    return pd.Series(row)[STATEMENTS]


@script
def joined(statements: pd.DataFrame, **topics: pd.DataFrame) -> Tables:
    """Join the topics: one row per statement, that of the case that decides, and one per case."""
    table = judged(statements, pd.concat(topics.values(), ignore_index=True))
    twice = table.loc[table.duplicated(["claim", "case"]), "claim"].unique()
    if len(twice):
        raise ValueError(f"cases of a claim need names of their own: {', '.join(twice)}")
    group = table["claim"].str.partition("-")[0].astype(int)
    table = table.iloc[np.argsort(group.to_numpy(), kind="stable")]
    rows = [_stated(cases) for _, cases in table.groupby("claim", sort=False)]
    return {"claims": pd.DataFrame(rows, columns=STATEMENTS), "claims_cases": table[CASES]}
