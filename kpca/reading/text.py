"""Read text tables as rows with line numbers."""

import csv
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from typing import Any

from kpca.reading.notation import evidence

STANDARD = "-"  # name of a file that means standard input or output

# Parts of a line in which no separators are counted: quoted text, and a comma between digits, which
# may be decimal.
_NO_SEPARATORS = re.compile(r'"[^"]*"|(?<=\d),(?=\d)')
_BROKEN = (UnicodeDecodeError, LookupError, csv.Error, EOFError, zlib.error, gzip.BadGzipFile)

LONGEST_LINE = 2**24  # length in characters from which a line is refused

Row = tuple[str, list[Any]]  # place of the row, and its cells


class Text:
    """A text file, perhaps compressed, whose rows are read one at a time.

    The first line determines whether commas, semicolons, tabs, bars or blanks separate cells.
    Blanks separate cells only if the second line has as many cells as the first, or one more,
    because R writes row names without a column name. A separator at the end of rows alone is
    ignored.
    """

    def __init__(self, path: str, encoding: str, above: int = 0) -> None:
        self._path = path
        self._encoding = encoding
        self._above = above  # number of title lines above the header
        self.separator = ","  # set when the first row is read

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows that are not blank.

        Raises
        ------
        ValueError
            If the file is not a text table; the message names the line.
        """
        rows = self._lines()
        head = list(islice(rows, 3))
        width = len(head[0][1]) if head else 0
        below = [cells for _, cells in head[1:]]
        rows = chain(head, rows)
        if below and {*map(len, below)} == {width + 1}:
            if not any(cells[-1].strip() for cells in below):
                rows = _without_empty_end(rows, width)
            # R gives the column of row names no name. If line 2 has no number, line 1 may be a
            # title.
            elif width > 1 and any(evidence([cell]).numeric for cell in below[0]):
                head[0][1].insert(0, "")
        yield from rows

    @property
    def points_are_decimal(self) -> bool:
        """Whether a point is decimal unless the cells show another notation."""
        return self.separator == ","

    def _lines(self) -> Iterator[Row]:
        line = 1
        try:
            with _opened(self._path, self._encoding) as file:
                blank = self._above
                first = [_line(file) for _ in range(self._above + 1)][-1]
                while first and not first.strip():
                    blank = blank + 1
                    first = _line(file)
                self.separator, lines = _separated(first, iter(partial(_line, file), ""))
                cell = self.separator
                line = line + blank
                reader = csv.reader(
                    lines, delimiter=cell, skipinitialspace=cell == " ", strict=True
                )
                for cells in reader:
                    if cells:
                        yield f"line {line}", cells
                    line = blank + reader.line_num + 1
        except _BROKEN as error:
            problem = str(error)
            if isinstance(error, csv.Error):
                problem += ": check the quotes around this line"
            elif isinstance(error, EOFError | zlib.error | gzip.BadGzipFile):
                problem += ": pack it again with gzip"
            elif isinstance(error, UnicodeDecodeError):
                name = "UTF-8" if self._encoding == "utf-8-sig" else self._encoding
                problem = f"not text in {name}: name its encoding, such as --encoding cp1252"
            raise ValueError(
                f"line {line} or after it: {problem}, or save the file as CSV in UTF-8"
            ) from error


def _without_empty_end(rows: Iterator[Row], width: int) -> Iterator[Row]:
    """Yield rows without the empty cell that follows `width` cells."""
    for line, cells in rows:
        ends_empty = len(cells) == width + 1 and not cells[-1].strip()
        yield line, cells[:width] if ends_empty else cells


def _separated(first: str, others: Iterator[str]) -> tuple[str, Iterator[str]]:
    """Return the separator that the `first` line determines, and the lines for a CSV reader."""
    bare = _NO_SEPARATORS.sub("", first)
    separator = max(",;\t|", key=bare.count)
    if separator in bare:
        return separator, chain([first], others)
    head = [first, next(others, "")]
    lines = chain(head, others)
    names, *cells = map(len, csv.reader(map(_spaced, head), delimiter=" ", skipinitialspace=True))
    holds_separator = set(",;") & {*_NO_SEPARATORS.sub("", head[1])}
    if holds_separator or names < 2 or cells not in ([names], [names + 1]):
        return separator, lines
    return " ", map(_spaced, lines)


def _spaced(line: str) -> str:
    return line.replace("\t", " ").strip() + "\n"


def _opened(path: str, encoding: str) -> io.TextIOWrapper:
    raw: Any = sys.stdin.buffer if path == STANDARD else io.BufferedReader(io.FileIO(path))
    if raw.peek(2)[:2] == b"\x1f\x8b":
        raw = gzip.GzipFile(fileobj=raw)
    return io.TextIOWrapper(raw, encoding=encoding, newline="")


def _line(file: io.TextIOWrapper) -> str:
    """Return the next line of a file, or raise an error if it is too long.

    A small compressed file, or a device, can contain a line without an end.
    """
    line = file.readline(LONGEST_LINE)
    if len(line) == LONGEST_LINE:
        raise csv.Error(f"a line of more than {LONGEST_LINE} characters")
    return line
