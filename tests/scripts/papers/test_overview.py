"""The overview counts what it should, and says what was not run."""

import pandas as pd
import pytest

from pipeline.errors import InputError
from workflow.scripts.papers.overview import cells, overview

TABLES = pd.DataFrame(
    [("A", "a ", None), ("B", "b ", "images"), ("words", "w ", "not counted")],
    columns=["table", "cells", "note"],
)
PUBLISHED = pd.DataFrame(
    {
        "cell": ["a 1", "a 2", "a 3", "b 1", "b 2", "w 1"],
        "published": [1.0, 2.0, 3.0, 4.0, 5.0, None],
        "note": [None, "", "derived: not counted", None, None, "shown in words; not counted"],
    }
)


def ours(**inside: bool | None) -> pd.DataFrame:
    names = [name.replace("_", " ") for name in inside]
    return pd.DataFrame(
        {"cell": names, "ours": 0.0, "low": -1.0, "high": 1.0, "inside": inside.values()}
    )


def lines(table: pd.DataFrame) -> dict[str, list]:
    known = cells("somebody1990", TABLES, PUBLISHED, table)
    counted = overview(known, TABLES)
    assert (counted["paper"] == "somebody1990").all()
    return {row[1]: list(row[2:]) for row in counted.itertuples(index=False)}


def test_inside_and_not_reproduced_are_counted_and_what_is_derived_is_not() -> None:
    found = lines(ours(a_1=True, a_2=False, a_3=True, b_1=True, b_2=True, w_1=None))

    assert found["A"] == [2, 1, 1, ""]
    assert found["B"] == [2, 2, 0, "images"]
    assert found["words"] == [0, 0, 0, "not counted"]


def test_a_table_that_was_not_run_has_no_counts() -> None:
    found = lines(ours(a_1=True, a_2=True, a_3=True, w_1=None))

    assert [*map(str, found["B"])] == ["2", "<NA>", "<NA>", "not run; images"]


def test_cells_that_were_not_run_are_neither_inside_nor_missed() -> None:
    found = lines(ours(a_1=True, a_2=True, a_3=True, b_2=False, w_1=None))

    assert found["B"] == [2, 0, 1, "1 cells not run; images"]


@pytest.mark.parametrize("pattern", ["c ", "[ab] "])
def test_a_cell_of_no_table_or_of_two_is_refused(pattern: str) -> None:
    tables = TABLES.assign(cells=["a ", pattern, "w "])

    with pytest.raises(InputError, match=r"somebody1990(.|\n)*unlike '?[ab] 1"):
        cells("somebody1990", tables, PUBLISHED, ours(a_1=True))
