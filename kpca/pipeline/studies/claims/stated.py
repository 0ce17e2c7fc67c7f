"""Statements that stand in `stated.csv`, with the rules that were written before the run."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from kpca.pipeline.studies.claims.claim import Bounds, Claim, Rule, exactly


def judged(statements: pd.DataFrame, measured: Mapping[str, float | Bounds]) -> list[Claim]:
    """Return the claims that were measured, each judged by the rule of its statement.

    Parameters
    ----------
    statements : DataFrame
        `stated.csv`: columns claim, statement, source_value, estimand, side, threshold, figure,
        and what only `deviations` uses.
    measured : mapping
        Name of a claim → one number, or a measured value with its interval.

    Raises
    ------
    KeyError
        If something was measured that is not stated.
    """
    stated = statements.fillna({"source_value": ""}).to_dict("records")
    rows = {row["claim"]: row for row in stated}
    claims = []
    for name, value in measured.items():
        row = rows[name]
        bounds = value if isinstance(value, tuple) else exactly(value)
        rule = Rule(row["estimand"], row["side"], row["threshold"])
        claims.append(
            Claim(name, row["statement"], row["source_value"], *bounds, rule, row["figure"])
        )
    return claims


def deviations(statements: pd.DataFrame, claims: list[Claim]) -> pd.DataFrame:
    """Return how far each identity was off, and how far it may be, in the order of statements.

    Returns
    -------
    DataFrame
        Columns group, label, deviation and bound (from the column origin of the statements),
        side, verdict; a row for each claim whose statement has a group.
    """
    by_name = {claim.claim: claim for claim in claims}
    rows = [
        (
            row["group"],
            row["label"],
            abs(by_name[row["claim"]].measured - row["origin"]),
            abs(row["threshold"] - row["origin"]),
            row["side"],
            by_name[row["claim"]].verdict,
        )
        for row in statements.dropna(subset="group").to_dict("records")
    ]
    return pd.DataFrame(rows, columns=["group", "label", "deviation", "bound", "side", "verdict"])
