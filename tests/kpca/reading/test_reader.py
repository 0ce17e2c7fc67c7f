"""The step that reads the columns of new rows: marks, dates, missing cells, names that repeat."""

import numpy as np
import pandas as pd
import pytest

from kpca.reading.columns import CATEGORY, DATE, Column, ColumnReader

NUMBERS = ColumnReader([Column("a"), Column("b")])


def rows(**columns):
    """Return cells of a file that has semicolons between them."""
    frame = pd.DataFrame(columns)
    frame.attrs["points_are_decimal"] = False
    return frame


@pytest.mark.parametrize("cell", ["1,234", "1.234"])
def test_later_rows_without_a_known_mark_are_refused_as_the_first_ones_are(cell):
    later = NUMBERS.settled(rows(a=["1"], b=["2"]))
    for reader in (NUMBERS, later):
        with pytest.raises(ValueError, match=f"column 'a': '{cell}' can be 1.234 or 1234"):
            reader.transform(rows(a=[cell], b=["2"]))
        assert reader.transform(rows(a=[cell], b=["0,5"]))["a"][0] == (
            1.234 if "," in cell else 1234
        )


def test_a_mark_of_the_first_rows_is_kept():
    reader = NUMBERS.settled(rows(a=["1"], b=["0,5"]))
    assert reader.transform(rows(a=["1,234"], b=["2"]))["a"][0] == 1.234
    with pytest.raises(ValueError, match=r"'0\.5': numbers of this column have a decimal comma"):
        reader.transform(rows(a=["0.5"], b=["2"]))


def test_a_given_mark_is_that_of_columns_that_show_none():
    frame = rows(a=["1,234"], b=["0.5"])
    frame.attrs["decimal"] = ","
    assert NUMBERS.transform(frame).to_numpy().tolist() == [[1.234, 0.5]]


def test_dates_show_their_order_next_to_a_given_mark():
    reader = ColumnReader([Column("w"), Column("d", DATE, parts=("month", "day"))])
    frame = rows(w=["1"], d=["05.01.2024"])
    frame.attrs["decimal"] = ","
    assert reader.transform(frame).to_numpy().tolist() == [[1, 1, 5]]


@pytest.mark.parametrize("cell", [None, np.nan, pd.NA, ""])
def test_a_missing_cell_is_no_category(cell):
    values = ("None", "nan", "<NA>")
    column = Column("f", CATEGORY, values=values, may_be_missing=True)
    frame = pd.DataFrame({"f": pd.Series(["None", cell], dtype=object)})
    read = ColumnReader([column]).transform(frame)["f"]
    assert read[0] == "None"
    assert pd.isna(read[1])


@pytest.mark.parametrize("name", ["a", " a"])
def test_a_column_that_stands_twice_is_refused(name):
    frame = pd.DataFrame([[1, 2, 3]], columns=["a", name, "b"])
    with pytest.raises(ValueError, match="the table has 'a' more than once; keep one column"):
        NUMBERS.transform(frame)
