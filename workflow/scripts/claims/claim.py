"""Cases and verdicts: a case is one measurement that tests a statement of the theory."""

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from kpca.reading.errors import shortlist
from kpca.study.evidence.statistics import LEVEL, holm, interval, p_value
from workflow.job import Tables, script

EXPECTED = "fails as expected"  # verdict on an error of a source that the measurement refutes
# For a statement of kind "depends" whose other cases are inconclusive: verdict on the decided cases
# → verdict on the statement.
IN_SOME = {"holds": "holds in some", "fails": "fails in some"}
NOT_APPLICABLE = "not applicable"  # verdict on a case to which the statement does not apply
KINDS = ("universal", "existential", "depends")
# Columns of the tables `claims.csv` (`STATEMENTS`) and `claims_cases.csv` (`CASES`). `COUNTED` maps
# each column that counts cases to the verdict that is counted.
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
# Verdict on a statement → verdict on the case that decides it, if the two verdicts differ.
DECIDING = {"depends": "fails"} | {word: of_case for of_case, word in IN_SOME.items()}
TEXTS = ("case", "source_value", "figure", "condition")  # columns of text; empty cells are NaN
MOST_NAMED = 6  # largest number of cases that are named per verdict


class Case(NamedTuple):
    """A measured value and its interval, in one case of a statement.

    ``claim`` is the name of the statement in `statements.csv`. If ``measured`` is NaN, the
    statement does not apply to the case. ``error`` is the standard error of a mean. It is NaN for a
    single number or a range, which are judged without a test. ``lowest`` and ``highest`` limit the
    values that are possible at all: for example, an improvement over a score of 0.97 is at most
    0.03.
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
    """Return a case whose measured value and both ends of its interval are ``value``."""
    return spanned(claim, [value], case, **limits)


def spanned(claim: str, values: Iterable[float], case: str = "", **limits: Any) -> Case:
    """Return a case that has the mean of ``values``, and their range as its interval.

    A rule then holds if every value obeys it.
    """
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
    """Return a case with the mean of ``values``, one per replicate, and its confidence interval.

    ``overlap`` and ``least`` are the arguments ``test_over_train`` and ``least`` of
    `kpca.study.evidence.statistics.interval`.
    """
    mean = interval(np.asarray(values), test_over_train=overlap, least=least)
    return Case(claim, *mean[:3], case, mean.replicates, mean.error, **limits)


def of_rows(claim: str, rows: pd.DataFrame) -> Iterator[Case]:
    """Yield one case per row of a table that `intervals` returned.

    The columns ``lowest`` and ``highest``, if they exist, limit the possible values.
    """
    for row in rows.to_dict("records"):
        case = " on ".join(str(row[key]) for key in ("kernel", "dataset") if key in row)
        limits = {name: row[name] for name in ("lowest", "highest") if name in row}
        ends = row["mean"], row["low"], row["high"]
        yield Case(claim, *ends, case, row["replicates"], row["error"], **limits)


def room(value: float, side: str, threshold: float) -> float:
    """Return the distance of ``value`` from the threshold, negative if it breaks the rule."""
    if side == "above":
        return value - threshold
    return threshold - (abs(value) if side == "within" else value)


def judge(low: float, high: float, side: str, threshold: float) -> str:
    """Return whether a rule holds for a whole range, fails for all of it, or is inconclusive."""
    rooms = room(low, side, threshold), room(high, side, threshold)
    if min(rooms) > 0:
        return "holds"
    around = side == "within" and low < 0 < high  # The range contains 0, which obeys the rule.
    return "fails" if max(rooms) < 0 and not around else "inconclusive"


def applies(case: pd.Series) -> bool:
    """Return whether a case has a value, and its limits allow values on both sides of the rule."""
    # possible value nearest to 0, which is the most likely to obey a rule "within ±threshold"
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
    if row["p"] <= LEVEL:  # The test decides on which side of the threshold the mean is.
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
    """Return the cases merged with their statements, with their rules, verdicts and `room`.

    Means over replicates are judged by p-values at the threshold; single numbers and ranges are
    compared directly. If all cases of a claim have the same verdict at the 5 % level, no correction
    is needed (an intersection–union test). Otherwise one case alone can decide the claim, so that
    Holm's correction runs over all cases. The correction also counts cases that do not apply, so
    that the number of cases does not depend on the data.
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
    """Return the verdict on a statement from ``words``, the verdicts on its cases.

    If all cases agree, the statement has their verdict. Otherwise one case that fails refutes a
    universal statement, and one case that holds proves an existential one. The kind
    "depends" is given to a statement before the run. Such a statement depends on the data if some
    cases hold and others fail. If some cases are inconclusive and all others hold (or fail), it
    "holds in some" (or "fails in some").

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
    """Return a text with the number and the names of the cases per verdict."""
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
    """Return the row of a statement in `claims.csv`, given the rows of all its cases."""
    kind = cases["kind"].iloc[0]
    verdicts = cases["verdict"].replace(EXPECTED, "fails")
    verdict = statement_verdict(cases["verdict"], kind)
    # Sort the cases from worst to best; for an existential statement, the best case decides.
    ranked = cases.sort_values("room", kind="stable", ascending=kind != "existential")
    decides = ranked["verdict"] == DECIDING.get(verdict, verdict)
    row = ranked.iloc[decides.argmax()].to_dict()
    named = {word: cases.loc[verdicts == word, "case"].tolist() for word in COUNTED.values()}
    row |= {name: len(named[word]) for name, word in COUNTED.items()}
    row |= {"verdict": verdict, "cases": _summary(named) if len(cases) > 1 else ""}
    return pd.Series(row)[STATEMENTS]


@script
def joined(statements: pd.DataFrame, **topics: pd.DataFrame) -> Tables:
    """Return the verdicts: ``claims`` has one row per statement, ``claims_cases`` one per case.

    ``topics`` are tables of cases. The row of a statement shows the case that decides it.
    """
    table = judged(statements, pd.concat(topics.values(), ignore_index=True))
    twice = table.loc[table.duplicated(["claim", "case"]), "claim"].unique()
    if len(twice):
        raise ValueError(f"cases of a claim need names of their own: {', '.join(twice)}")
    group = table["claim"].str.partition("-")[0].astype(int)
    table = table.iloc[np.argsort(group.to_numpy(), kind="stable")]
    rows = [_stated(cases) for _, cases in table.groupby("claim", sort=False)]
    return {"claims": pd.DataFrame(rows, columns=STATEMENTS), "claims_cases": table[CASES]}
