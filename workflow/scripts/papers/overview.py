"""All published numbers with ours, and one row per published table."""

from collections.abc import Sequence

import pandas as pd

from kpca.reading.errors import input_error, shortlist
from workflow.job import script
from workflow.scripts.papers.published import printed

COLUMNS = ["paper", "table", "cells", "inside", "not_reproduced", "note"]
CELLS = ["paper", "table", "cell", "published", "counted", "run", "ours", "low", "high", "inside"]


def cells(tables: pd.DataFrame, published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Join our numbers of one paper with the published ones that were not run, each in its table.

    The column cells of ``tables`` is a regular expression that the names of its cells begin with.
    """
    missing = published[~published["cell"].isin(ours["cell"])]
    known = pd.concat([ours.assign(run=True), missing.assign(run=False)], ignore_index=True)
    patterns = tables.set_index("table")["cells"]
    matches = pd.DataFrame({table: known["cell"].str.match(p) for table, p in patterns.items()})
    wrong = known.loc[matches.sum(axis=1) != 1, "cell"].tolist()
    if wrong:
        paper = tables["paper"].iloc[0]
        problem = f"the patterns must give each cell one table, unlike {shortlist(wrong)}"
        raise input_error(f"tables.csv of the paper {paper!r}", [problem])
    known["table"] = matches.idxmax(axis=1)
    known["counted"] = ~known["note"].fillna("").str.contains("not counted", regex=False)
    return known.merge(tables[["paper", "table"]], on="table")[CELLS]


def overview(known: pd.DataFrame, tables: pd.DataFrame) -> pd.DataFrame:
    """Count the `cells` of one paper: one row per table."""
    rows = []
    for paper, table, note in tables[["paper", "table", "note"]].fillna("").to_numpy():
        of_table = known[known["table"] == table]
        counted, ran = of_table[of_table["counted"]], of_table["run"].any()
        inside = counted.loc[counted["run"], "inside"].astype(bool)
        counts = [inside.sum(), (~inside).sum()] if ran else [None, None]
        missing = (~of_table["run"]).sum()
        left_out = [f"{missing} cells not run" if ran else "not run"] if missing else []
        notes = "; ".join(filter(None, [*left_out, note]))
        rows.append((paper, table, len(counted), *counts, notes))
    integers = dict.fromkeys(["inside", "not_reproduced"], "Int64")
    return pd.DataFrame(rows, columns=COLUMNS).astype(integers)


@script
def tables(
    tables: Sequence[str], published: Sequence[str], ours: Sequence[str]
) -> dict[str, pd.DataFrame]:
    """Return the overview and all cells of the papers, each by the name of tables.csv."""
    found: dict[str, list[pd.DataFrame]] = {"overview": [], "cells": []}
    for paths in zip(tables, published, ours, strict=True):
        listed, known, measured = map(pd.read_csv, paths)
        found["cells"].append(cells(listed, printed(known), measured))
        found["overview"].append(overview(found["cells"][-1], listed))
    return {name: pd.concat(parts, ignore_index=True) for name, parts in found.items()}
