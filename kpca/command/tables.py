"""Files of rows for the command: read row by row, written whole or not at all."""

import csv
import gzip
import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from kpca.command import FRAMES
from kpca.persistence.archive import replacing
from kpca.reading.dates import date_features
from kpca.reading.text import MISSING, STANDARD, Row, Text, sheet_name

BLOCK = 4096  # rows whose dates are read at once


class Frame:
    """A file that pandas reads, at once: numbers as numbers, what is missing as empty text."""

    headed = True

    def __init__(self, path: str, sheet: str) -> None:
        self._path, self._sheet = path, sheet
        self.points_are_decimal = Path(path).suffix.lower() != ".xlsx"

    def __iter__(self) -> Iterator[Row]:
        """Yield the names of the columns, and then the rows."""
        suffix = Path(self._path).suffix.lower()
        import pandas as pd

        if suffix == ".npz":
            with np.load(self._path, allow_pickle=False) as arrays:
                frame = pd.DataFrame(arrays["X" if "X" in arrays else "K"])
            frame.columns = [f"x{j + 1}" for j in range(frame.shape[1])]
        elif suffix == ".xlsx":
            sheet = sheet_name(pd.ExcelFile(self._path), self._sheet)
            frame = pd.read_excel(self._path, sheet_name=sheet)
        else:
            frame = (pd.read_parquet if suffix == ".parquet" else pd.read_feather)(self._path)
        yield "the header", [str(column) for column in frame.columns]
        cells = frame.astype(object).where(frame.notna(), "")
        for number, row in enumerate(cells.itertuples(index=False, name=None), start=1):
            yield f"row {number}", list(row)


TableRows: TypeAlias = Frame | Text


def dated(rows: Iterator[Row], dates: Mapping[str, Mapping[str, Any]]) -> Iterator[Row]:
    """Yield rows with the features that a model makes of columns of dates at their ends.

    Features that the file has itself stay as they are.

    Raises
    ------
    ValueError
        If a column is missing, or a cell is no date.
    """
    place, header = next(rows, ("", []))
    names = [str(name).strip() for name in header]
    new = {column: [f"{column}_{part}" for part in dates[column]["parts"]] for column in dates}
    made = {column: recipe for column, recipe in dates.items() if not {*new[column]} <= {*names}}
    if lacking := [repr(column) for column in made if column not in names]:
        raise ValueError(f"the file lacks {', '.join(lacking)}, of whose dates the model knows")
    if header:
        yield place, [*header, *(name for column in made for name in new[column])]
    while block := list(islice(rows, BLOCK)):
        for place, cells in block:
            if len(cells) != len(names):
                raise ValueError(f"{place} has {len(cells)} cells, and must have {len(names)}")
        for column, recipe in made.items():
            texts = [str(cells[names.index(column)]).strip() for _, cells in block]
            found = zip(*date_features(column, texts, **recipe).values(), strict=True)
            for (place, cells), text, values in zip(block, texts, found, strict=True):
                if text.casefold() not in MISSING and values[0] != values[0]:
                    raise ValueError(f"{place}, column {column!r}: {text!r} is no date")
                cells += ["" if value != value else str(int(value)) for value in values]
        yield from block


def read(path: str, encoding: str = "utf-8-sig", sheet: str = "1") -> TableRows:
    """Return the reader of a file; `STANDARD` is CSV."""
    return Frame(path, sheet) if Path(path).suffix.lower() in FRAMES else Text(path, encoding)


@contextmanager
def written(path: str) -> Iterator[Any]:
    """Return a CSV writer, for a file that takes its place once it is whole, or standard output."""
    with ExitStack() as opened:
        file: Any = sys.stdout
        if Path(path).exists() and not Path(path).is_file():  # a pipe or device is not replaced
            file = opened.enter_context(Path(path).open("w", encoding="utf-8", newline=""))
        elif path != STANDARD:
            file = opened.enter_context(replacing(path))
            if path.lower().endswith(".gz"):
                file = opened.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0))
            file = opened.enter_context(io.TextIOWrapper(file, encoding="utf-8", newline=""))
        yield csv.writer(file, lineterminator="\n")  # which writes floats by repr, with all digits
        file.flush()
