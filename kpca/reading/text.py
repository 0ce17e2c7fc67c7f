"""Tables as text: the rows of a file with the place of each, and what a cell says."""

import csv
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

STANDARD = "-"  # for standard input and output

# Separators are counted outside of quotes, and a comma between digits may be a decimal one.
_NO_SEPARATORS = re.compile(r'"[^"]*"|(?<=\d),(?=\d)')
_BROKEN = (UnicodeDecodeError, LookupError, csv.Error, EOFError, zlib.error, gzip.BadGzipFile)

_AMOUNT = re.compile(r"([-+]?)[$€£¥]?\s?([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s?[%$€£¥]?")
PARTS = {"weekday": "day_of_week"}  # part of a date -> its name in pandas, if that is another

MISSING = {"", "na", "n/a", "nan", "null", "?"}  # text of a missing cell, in lower case

LONGEST_LINE = 2**24

Row = tuple[str, list[Any]]  # where it stands, and its cells


class Text:
    """A text file, perhaps compressed: its rows, one at a time.

    Commas, semicolons, tabs or blanks separate cells, as the first line has them. Blanks do if the
    second line has as many cells, or one more: R writes names of rows without a header.
    """

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
            If the file is no table; the message names the line.
        """
        line = 1
        try:
            with _opened(self._path, self._encoding) as file:
                blank, first = self._above, [_line(file) for _ in range(self._above + 1)][-1]
                while first and not first.strip():
                    blank, first = blank + 1, _line(file)
                self.separator, lines = _separated(first, iter(partial(_line, file), ""))
                self.decimal_comma = self.separator != ","
                cell, line = self.separator, line + blank
                reader = csv.reader(
                    lines, delimiter=cell, skipinitialspace=cell == " ", strict=True
                )
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


def _separated(first: str, others: Iterator[str]) -> tuple[str, Iterator[str]]:
    """Return the separator that the first line has, and the lines as a reader of CSV takes them."""
    bare = _NO_SEPARATORS.sub("", first)
    separator = max(",;\t", key=bare.count)
    if separator in bare or len(first.split()) < 2:
        return separator, chain([first], others)
    second = next(others, "")
    lines = chain([first, second], others)
    names, cells = (len(_blanks(line)) for line in (first, second))
    if set(",;") & {*_NO_SEPARATORS.sub("", second)} or names < 2 or cells - names not in (0, 1):
        return separator, lines
    plain = (line.replace("\t", " ").strip() + "\n" for line in lines)
    return " ", chain(['"" ' * (cells - names) + next(plain)], plain)


def _blanks(line: str) -> list[str]:
    plain = line.replace("\t", " ").strip()
    return next(csv.reader([plain], delimiter=" ", skipinitialspace=True), [])


def sheet_name(book: Any, sheet: str) -> str:
    """Return the name of the sheet of an Excel file that is named, or numbered from 1."""
    numbered = {str(number): str(name) for number, name in enumerate(book.sheet_names, start=1)}
    if sheet not in {*numbered, *book.sheet_names}:
        raise ValueError(f"there is no sheet {sheet!r}, but {', '.join(numbered.values())}")
    return sheet if sheet in book.sheet_names else numbered[sheet]


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


def read_dates(texts: Sequence[str], *, day_first: bool) -> Any:
    """Return the dates of texts as a Series of pandas, NaT for a text that is none."""
    import pandas as pd

    options: dict[str, Any] = {"dayfirst": day_first, "errors": "coerce", "utc": True}
    return pd.to_datetime(pd.Series(texts, dtype=object), format="mixed", **options)


def date_features(
    column: str, texts: Sequence[str], parts: Sequence[str], *, day_first: bool
) -> dict[str, Any]:
    """Return features of a column of dates, such as ``day_month``; the weekday of a Monday is 0."""
    dates = read_dates(texts, day_first=day_first).dt
    fields = {part: getattr(dates, PARTS.get(part, part)) for part in parts}
    return {f"{column}_{part}": values.to_numpy(dtype=float) for part, values in fields.items()}


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
