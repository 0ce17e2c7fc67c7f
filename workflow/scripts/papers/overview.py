"""All published numbers with ours, and one row per published table."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from pipeline.errors import input_error, shortlist
from pipeline.job import script

COLUMNS = ["paper", "table", "cells", "inside", "not_reproduced", "note"]
NOT_COUNTED = "not counted"


def cells(
    paper: str, tables: pd.DataFrame, published: pd.DataFrame, ours: pd.DataFrame
) -> pd.DataFrame:
    """Join our numbers of one paper with the published ones, each in its table.

    ``tables`` has the columns table and cells, the regular expression that the names of its cells
    begin with. A cell without a number, or whose note says "not counted", is not counted.

    Raises
    ------
    InputError
        If a cell belongs to no table, or to two.
    """
    known = published[["cell", "published"]].copy()
    matches = pd.DataFrame(
        {
            table: known["cell"].str.match(pattern)
            for table, pattern in tables[["table", "cells"]].itertuples(index=False)
        }
    )
    wrong = known.loc[matches.sum(axis=1) != 1, "cell"].tolist()
    if wrong:
        problem = f"the patterns must give each cell one table, unlike {shortlist(wrong)}"
        raise input_error(f"tables.csv of the paper {paper!r}", [problem])
    known.insert(0, "table", matches.idxmax(axis=1))
    known.insert(0, "paper", paper)
    left_out = published["note"].fillna("").str.contains(NOT_COUNTED, regex=False)
    known["counted"] = known["published"].notna() & ~left_out
    known["run"] = known["cell"].isin(ours["cell"])
    return known.merge(ours[["cell", "ours", "low", "high", "inside"]], on="cell", how="left")


def overview(known: pd.DataFrame, tables: pd.DataFrame) -> pd.DataFrame:
    """Count the `cells` of one paper: one row per table."""
    rows = [
        (known["paper"].iloc[0], table, *_counts(known[known["table"] == table], note))
        for table, note in tables[["table", "note"]].fillna("").itertuples(index=False)
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
    """Return the overview and all cells of the papers, each named by the folder of its table."""
    lines, every = [], []
    for paths in zip(tables, published, ours, strict=True):
        listed, printed, measured = map(pd.read_csv, paths)
        every.append(cells(Path(paths[-1]).parent.name, listed, printed, measured))
        lines.append(overview(every[-1], listed))
    return {
        "overview": pd.concat(lines, ignore_index=True),
        "cells": pd.concat(every, ignore_index=True),
    }
