"""All published numbers with ours, and one row per published table."""

from collections.abc import Sequence

import pandas as pd

from pipeline.errors import input_error, shortlist
from pipeline.job import script

COLUMNS = ["paper", "table", "cells", "inside", "not_reproduced", "note"]
CELLS = [
    *("paper", "table", "cell", "published", "counted", "run"),
    *("ours", "low", "high", "inside"),
]
NOT_COUNTED = "not counted"


def cells(tables: pd.DataFrame, published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Join our numbers of one paper with the published ones that were not run, each in its table.

    ``tables`` has the columns paper, table and cells, the regular expression that the names of its
    cells begin with. A cell without a number, or whose note says "not counted", is not counted.

    Raises
    ------
    InputError
        If a cell belongs to no table, or to two.
    """
    missing = published[~published["cell"].isin(ours["cell"])]
    known = pd.concat([ours.assign(run=True), missing.assign(run=False)], ignore_index=True)
    matches = pd.DataFrame(
        {
            table: known["cell"].str.match(pattern)
            for table, pattern in tables[["table", "cells"]].itertuples(index=False)
        }
    )
    wrong = known.loc[matches.sum(axis=1) != 1, "cell"].tolist()
    if wrong:
        paper = tables["paper"].iloc[0]
        problem = f"the patterns must give each cell one table, unlike {shortlist(wrong)}"
        raise input_error(f"tables.csv of the paper {paper!r}", [problem])
    known["table"] = matches.idxmax(axis=1)
    left_out = known["note"].fillna("").str.contains(NOT_COUNTED, regex=False)
    known["counted"] = known["published"].notna() & ~left_out
    return known.merge(tables[["paper", "table"]], on="table")[CELLS]


def overview(known: pd.DataFrame, tables: pd.DataFrame) -> pd.DataFrame:
    """Count the `cells` of one paper: one row per table."""
    rows = [
        (paper, table, *_counts(known[known["table"] == table], note))
        for paper, table, note in tables[["paper", "table", "note"]].fillna("").to_numpy()
    ]
    return pd.DataFrame(rows, columns=COLUMNS).astype(
        {"inside": "Int64", "not_reproduced": "Int64"}
    )


def _counts(of_table: pd.DataFrame, note: str) -> tuple[int, int | None, int | None, str]:
    counted = of_table[of_table["counted"]]
    run = counted[counted["run"]]
    missing = len(of_table) - int(of_table["run"].sum())
    if missing:
        left_out = "not run" if missing == len(of_table) else f"{missing} cells not run"
        note = f"{left_out}; {note}" if note else left_out
    if missing == len(of_table):
        return len(counted), None, None, note
    inside = int(run["inside"].astype(bool).sum())
    return len(counted), inside, len(run) - inside, note


@script
def tables(
    tables: Sequence[str], published: Sequence[str], ours: Sequence[str]
) -> dict[str, pd.DataFrame]:
    """Return the overview and all cells of the papers, each by the name of tables.csv."""
    lines, every = [], []
    for paths in zip(tables, published, ours, strict=True):
        listed, printed, measured = map(pd.read_csv, paths)
        every.append(cells(listed, printed, measured))
        lines.append(overview(every[-1], listed))
    return {
        "overview": pd.concat(lines, ignore_index=True),
        "cells": pd.concat(every, ignore_index=True),
    }
