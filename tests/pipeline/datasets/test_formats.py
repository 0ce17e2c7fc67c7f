"""One table in every format, and numbers as they are written elsewhere."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.frames import read_header
from pipeline.datasets.make import make_dataset
from tests.pipeline.datasets.conftest import Refusal, write

ROW = np.arange(24)
FRAME = pd.DataFrame(
    {"width": ROW % 7 / 4, "size": ROW % 5, "colour": [*"rgb"] * 8, "species": [*"ab"] * 12}
)


def _read(path: str, **spec: Any) -> Dataset:
    return make_dataset("mine", {"path": path, **spec}, seed=0, replicates=2)


def _write(path: str) -> None:
    match Path(path).suffix:
        case ".xlsx":
            FRAME.to_excel(path, index=False)
        case ".feather" | ".arrow":
            FRAME.to_feather(path)
        case ".parquet":
            FRAME.to_parquet(path)
        case _:
            FRAME.to_csv(path, index=False, sep="," if ".csv" in path else "\t")


@pytest.mark.parametrize(
    "name", ["csv", "tsv", "txt", "TSV", "csv.gz", "tsv.gz", "xlsx", "feather", "arrow", "parquet"]
)
def test_a_table_is_the_same_in_every_format(folder: Path, name: str) -> None:
    _write(f"my.{name}")
    dataset = _read(f"my.{name}", label="species", categorical=["colour"])

    np.testing.assert_array_equal(dataset.X, np.column_stack([ROW % 7 / 4, ROW % 5, 2 - ROW % 3]))
    assert dataset.categories == {"colour": [*"bgr"]}
    assert dataset.class_names == ("a", "b")


def test_a_row_of_a_sheet_is_named_by_its_number(refusal: Refusal) -> None:
    FRAME.assign(width=["x", None, *ROW[2:] / 2]).to_excel("my.xlsx", index=False, startrow=2)
    message = refusal(path="my.xlsx", features=["width"])

    assert "column 'width' holds text (line 4 'x')" in message
    assert "line 5, column 'width' (missing)" in message


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_comma_that_parts_no_cells_is_a_decimal_comma(folder: Path, separator: str) -> None:
    rows = [f"-{i % 9},25;{i};{i % 3},5;{'ab'[i % 2]},1" for i in range(24)]
    write("my.csv", [line.replace(";", separator) for line in ["x;n;y;s", *rows]])
    dataset = _read("my.csv", label="s", features=["x", "y"])

    np.testing.assert_array_equal(dataset.X, np.column_stack([-(ROW % 9) - 0.25, ROW % 3 + 0.5]))
    assert dataset.class_names == ("a,1", "b,1")


@pytest.mark.parametrize("cells", [["1,5", "1.5"], ["1.234,5", "2,5"], ["1,234,567", "1,5"]])
def test_a_comma_that_may_part_thousands_is_refused(refusal: Refusal, cells: list[str]) -> None:
    write("my.csv", ["x;y", *(f"{cell};2" for cell in cells * 12)])

    assert "column 'x' holds text" in refusal(path="my.csv")


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ('"a,b,c";d\n', (";", ["a,b,c", "d"])),
        ("a,b\tc\td\n", ("\t", ["a,b", "c", "d"])),
        ("only\n", (",", ["only"])),
        ("", (",", [])),
    ],
)
def test_the_separator_parts_most_cells(folder: Path, text: str, header: tuple) -> None:
    Path("my.txt").write_text(text)
    Path("my.txt.gz").write_bytes(gzip.compress(text.encode()))

    assert read_header("my.txt") == read_header("my.txt.gz") == header
