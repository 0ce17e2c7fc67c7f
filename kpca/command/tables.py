"""Tables: read row by row, with the place of each; written whole or not at all."""

import csv
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kpca.command import FRAMES, STANDARD
from kpca.persistence.archive import replacing

# Separators are counted outside of quotes, and a comma between digits may be a decimal one.
_NO_SEPARATORS = re.compile(r'"[^"]*"|(?<=\d),(?=\d)')
_BROKEN = (UnicodeDecodeError, LookupError, csv.Error, EOFError, zlib.error, gzip.BadGzipFile)

_AMOUNT = re.compile(r"([-+]?)[$€£¥]?\s?([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s?[%$€£¥]?")

LONGEST_LINE = 2**24

Row = tuple[str, list[Any]]  # where it stands, and its cells


class TableRows(Protocol):
    """The rows of a file, the header among them."""

    headed: bool  # whether the first is a header for certain
    decimal_comma: bool  # whether a comma may stand in a number; known with the first row

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows that are not blank."""


class Text:
    """A CSV file, perhaps compressed: its rows as text, one at a time."""

    headed = False
    decimal_comma = False

    def __init__(self, path: str, encoding: str, above: int = 0) -> None:
        self._path, self._encoding = path, encoding
        self._above = above  # lines of a title above the header
        self.separator = ","  # known with the first row

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows that are not blank.

        Raises
        ------
        ValueError
            If the file is not CSV; the message names the line.
        """
        line = 1
        try:
            with _opened(self._path, self._encoding) as file:
                blank, first = self._above, [_line(file) for _ in range(self._above + 1)][-1]
                while first and not first.strip():
                    blank, first = blank + 1, _line(file)
                self.separator = max(",;\t", key=_NO_SEPARATORS.sub("", first).count)
                self.decimal_comma = self.separator != ","
                lines = chain([first], iter(partial(_line, file), ""))
                reader = csv.reader(lines, delimiter=self.separator, strict=True)
                line += blank
                for cells in reader:
                    if cells:
                        yield f"line {line}", cells
                    line = blank + reader.line_num + 1
        except _BROKEN as error:
            what = str(error)
            if isinstance(error, csv.Error):
                what += ": check the quotes around this line"
            elif isinstance(error, EOFError | zlib.error | gzip.BadGzipFile):
                what += ": pack it again with gzip"
            elif isinstance(error, UnicodeDecodeError):
                name = "UTF-8" if self._encoding == "utf-8-sig" else self._encoding
                what = f"not text in {name}: name its encoding, such as --encoding latin-1"
            raise ValueError(
                f"line {line} or after it: {what}, or save the file as CSV in UTF-8"
            ) from error


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


def sheet_name(book: Any, sheet: str) -> str:
    """Return the name of the sheet of an Excel file that is named, or numbered from 1."""
    numbered = {str(number): str(name) for number, name in enumerate(book.sheet_names, start=1)}
    if sheet not in {*numbered, *book.sheet_names}:
        raise ValueError(f"there is no sheet {sheet!r}, but {', '.join(numbered.values())}")
    return sheet if sheet in book.sheet_names else numbered[sheet]


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


def amount(text: str, decimal_comma: bool = False) -> str:
    """Return a number without signs of money, per cent and thousands; another text as it is.

    >>> amount("$23,999"), amount("-12.3 %"), amount("12,3 %", decimal_comma=True), amount("1,234")
    ('23999', '-12.3', '12.3', '1,234')
    """
    if not any(sign in text for sign in "$€£¥%"):
        return text
    point = text.replace(",", ".") if decimal_comma and "." not in text else text
    found = _AMOUNT.fullmatch(point.strip())
    return (found[1] + found[2]).replace(",", "") if found else text


def number(text: Any, decimal_comma: bool = False) -> float | None:
    """Read a cell: None if it is no number, which inf, nan and 1_5 are not either.

    Examples
    --------
    >>> number("1.5"), number("1,5", decimal_comma=True), number("1_5"), number("red"), number("$1")
    (1.5, 1.5, None, None, 1.0)
    """
    text = amount(text, decimal_comma) if isinstance(text, str) else text
    if isinstance(text, str) and decimal_comma and "." not in text:
        text = text.replace(",", ".")
    try:
        value = None if isinstance(text, str) and "_" in text else float(text)
    except (TypeError, ValueError):
        return None
    return value if value is not None and abs(value) < float("inf") else None


def _opened(path: str, encoding: str) -> io.TextIOWrapper:
    raw: Any = sys.stdin.buffer if path == STANDARD else io.BufferedReader(io.FileIO(path))
    if raw.peek(2)[:2] == b"\x1f\x8b":
        raw = gzip.GzipFile(fileobj=raw)
    return io.TextIOWrapper(raw, encoding=encoding, newline="")


def _line(file: io.TextIOWrapper) -> str:
    """Return the next line: a few packed bytes, or a device, may hold one without an end."""
    line = file.readline(LONGEST_LINE)
    if len(line) == LONGEST_LINE:
        raise csv.Error(f"a line of more than {LONGEST_LINE} characters")
    return line


def _writer(file: Any) -> Any:
    return csv.writer(file, lineterminator="\n")  # which writes floats by repr: nothing is lost
