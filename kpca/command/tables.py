"""Files of rows for the command: read row by row, written whole or not at all."""

import csv
import gzip
import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kpca.command import FRAMES
from kpca.persistence.archive import replacing
from kpca.text import MISSING, STANDARD, Row, Text, date_features, sheet_name

BLOCK = 4096  # rows whose dates are read at once


class TableRows(Protocol):
    """The rows of a file, the header among them."""

    headed: bool  # whether the first is a header for certain

    @property
    def decimal_comma(self) -> bool:
        """Whether a comma may stand in a number; known with the first row."""

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows that are not blank."""


class Frame:
    """A file that pandas reads, at once: numbers as numbers, what is missing as empty text."""

    headed = True
    decimal_comma = False

    def __init__(self, path: str, sheet: str) -> None:
        self._path, self._sheet = path, sheet

    def __iter__(self) -> Iterator[Row]:
        """Yield the names of the columns, and then the rows."""
        suffix = Path(self._path).suffix.lower()
        try:
            frame = self._frame(suffix)
        except ImportError as error:
            raise ValueError(
                f"{suffix} files are read by pandas ({error}): install it, or save the rows as CSV"
            ) from error
        yield "the header", [str(column) for column in frame.columns]
        cells = frame.astype(object).where(frame.notna(), "")
        for number, row in enumerate(cells.itertuples(index=False, name=None), start=1):
            yield f"row {number}", list(row)

    def _frame(self, suffix: str) -> Any:
        import pandas as pd

        if suffix == ".xlsx":
            return pd.read_excel(
                self._path, sheet_name=sheet_name(pd.ExcelFile(self._path), self._sheet)
            )
        if suffix != ".npz":
            return getattr(pd, FRAMES[suffix])(self._path)
        with np.load(self._path, allow_pickle=False) as arrays:
            rows = arrays["X" if "X" in arrays else "K"]
        return pd.DataFrame(rows, columns=[f"x{j}" for j in range(1, rows.shape[1] + 1)])


def dated(rows: Iterator[Row], dates: Mapping[str, Mapping[str, Any]]) -> Iterator[Row]:
    """Yield rows with the features that a model makes of columns of dates at their ends.

    Features that the file has itself stay as they are.

    Raises
    ------
    ValueError
        If a column is missing, or a cell is no date.
    """
    place, header = next(rows, ("", []))
    names, made = [str(name).strip() for name in header], dict[str, Mapping[str, Any]]()
    for column, recipe in dates.items():
        if not {*date_features(column, [], **recipe)} <= {*names}:
            made[column] = recipe
    if lacking := [repr(column) for column in made if column not in names]:
        raise ValueError(f"the file lacks {', '.join(lacking)}, of whose dates the model knows")
    new = [name for c, recipe in made.items() for name in date_features(c, [], **recipe)]
    if header:
        yield place, [*header, *new]
    while block := list(islice(rows, BLOCK)):
        for place, cells in block:
            if len(cells) != len(names):
                raise ValueError(f"{place} has {len(cells)} cells, and must have {len(names)}")
        for column, recipe in made.items():
            where = names.index(column)
            texts = [str(cells[where]).strip() for _, cells in block]
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
    if path == STANDARD:
        yield _writer(sys.stdout)
        sys.stdout.flush()
    elif Path(path).exists() and not Path(path).is_file():  # a pipe or device is not replaced
        with Path(path).open("w", encoding="utf-8", newline="") as device:
            yield _writer(device)
    else:
        with replacing(path) as raw:
            compressed = path.lower().endswith(".gz")
            file = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if compressed else raw
            with io.TextIOWrapper(file, encoding="utf-8", newline="") as text:
                yield _writer(text)


def _writer(file: Any) -> Any:
    return csv.writer(file, lineterminator="\n")  # which writes floats by repr: nothing is lost
