"""All claims at a glance: families of the same statement about several cases."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd

VERDICTS = ("holds", "undecided", "fails")


def family(claim: str, cases: Collection[str]) -> str:
    """Return the name of a claim without the cases at its end: datasets, kernels and numbers.

    Parameters
    ----------
    claim : str
        Such as ``2-uncentred-rbf-rings``.
    cases : collection of str
        Names of datasets and kernels.

    Examples
    --------
    >>> family("2-uncentred-rbf-rings", {"rbf", "rings"})
    '2-uncentred'
    >>> family("5-ceiling-0.3", set())
    '5-ceiling'
    >>> family("8-rbf-svm", {"rbf"})
    '8-rbf-svm'
    """
    parts = claim.split("-")
    while len(parts) > 2 and (parts[-1] in cases or parts[-1].replace(".", "").isdigit()):
        parts.pop()
    return "-".join(parts)


def families(claims: pd.DataFrame, cases: Collection[str]) -> pd.DataFrame:
    """Return one row a family, in the order of groups, with its verdicts counted.

    Parameters
    ----------
    claims : DataFrame
        `results/tables/claims.csv`.
    cases : collection of str
        Names of datasets and kernels.

    Returns
    -------
    DataFrame
        Columns group (the number of the statement), name, holds, undecided, fails.
    """
    named = claims.assign(family=[family(name, cases) for name in claims["claim"]])
    counts = pd.crosstab(named["family"], named["verdict"])
    counts = counts.reindex(index=named["family"].unique(), columns=VERDICTS, fill_value=0)
    parts = counts.index.to_series().str.partition("-")
    columns = {"group": parts[0].astype(int), "name": parts[2]}
    table = counts.assign(**columns).reset_index(drop=True)
    ordered = table.sort_values("group", kind="stable", ignore_index=True)
    return ordered[["group", "name", *VERDICTS]]
