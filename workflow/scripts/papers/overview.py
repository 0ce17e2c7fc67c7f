"""All published numbers with ours, and one row per published table."""

from collections.abc import Sequence

import pandas as pd

from workflow.job import Tables, script

COLUMNS = ["paper", "table", "cells", "inside", "not_reproduced", "note"]
CELLS = ["paper", "table", "cell", "published", "counted", "run", "ours", "low", "high", "inside"]


def cells(tables: pd.DataFrame, published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Join the published numbers of one paper with ours, if ours were computed."""
    joined = published.merge(tables[["paper", "table"]], on="table", validate="many_to_one")
    joined = joined.merge(ours.drop(columns="published"), "left", "cell", suffixes=("_printed", ""))
    joined["run"] = joined["cell"].isin(ours["cell"])
    notes = joined["note"].where(joined["run"], joined["note_printed"])
    joined["counted"] = ~notes.fillna("").str.contains("not counted", regex=False)
    return joined[CELLS]


def overview(joined: pd.DataFrame, tables: pd.DataFrame) -> pd.DataFrame:
    """Return one row per table of a paper: how many `cells` are inside our intervals."""
    rows = []
    for paper, table, note in tables.fillna("").itertuples(index=False):
        of_table = joined[joined["table"] == table]
        counted = of_table[of_table["counted"]]
        inside = counted.loc[counted["run"], "inside"].astype(bool)
        counts = [inside.sum(), (~inside).sum()]
        missing = (~of_table["run"]).sum()
        left_out = f"{missing} cells not run" if missing else ""
        if not of_table["run"].any():
            counts = [None, None]
            left_out = "not run"
        notes = "; ".join(filter(None, [left_out, note]))
        rows.append((paper, table, len(counted), *counts, notes))
    integers = dict.fromkeys(["inside", "not_reproduced"], "Int64")
    return pd.DataFrame(rows, columns=COLUMNS).astype(integers)


@script
def tables(tables: Sequence[str], published: Sequence[str], ours: Sequence[str]) -> Tables:
    """Return the `overview` and all `cells`; ``tables`` has the file tables.csv of each paper."""
    overviews = []
    joined = []
    for paths in zip(tables, published, ours, strict=True):
        listed, *numbers = map(pd.read_csv, paths)
        joined.append(cells(listed, *numbers))
        overviews.append(overview(joined[-1], listed))
    return {"overview": pd.concat(overviews), "cells": pd.concat(joined)}
