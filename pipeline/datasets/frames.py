"""Text, Excel, Feather and Parquet files.

Text is read with the line number of every row: the standard library's reader knows the line at
which a row begins, also where a quoted cell spans lines, which pandas does not tell.
"""

import csv
import gzip
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import numpy as np

from pipeline.datasets.table import (
    MISSING_CELL,
    Table,
    all_numbers,
    frame_table,
    label_text,
    without_index,
)
from pipeline.errors import InputError, input_error, nearest, shortlist

if TYPE_CHECKING:
    import pandas as pd

TEXT = (".csv", ".tsv", ".txt")
ENCODING = "utf-8-sig"  # UTF-8 with or without a byte order mark
_SEPARATORS = ",;\t"
_FORMATS = {
    ".xlsx": "an Excel workbook",
    ".parquet": "Parquet",
    ".feather": "Feather",
    ".arrow": "Feather",
}


class Sheet(NamedTuple):
    """Cells of a file as they were read.

    Attributes
    ----------
    frame : DataFrame
    lines : sequence of int
        Line of each row, if the file has lines.
    decimal_comma : bool
        Whether a comma may stand in a number.
    ragged : sequence of str
        What is wrong with rows that were left out.
    """

    frame: "pd.DataFrame"
    lines: Sequence[int] = ()
    decimal_comma: bool = False
    ragged: Sequence[str] = ()


def read_frame(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
    """Read a file of any format but NPZ.

    Raises
    ------
    InputError
        When the file is not of its format, or its columns do not fit the spec.
    """
    sheet = SHEETS[kind_of(path)](path, subject, spec)
    table = frame_table(sheet.frame, subject, spec, decimal_comma=sheet.decimal_comma)
    table.lines = sheet.lines
    table.problems += sheet.ragged
    return table


def read_columns(path: Path, spec: Mapping[str, Any]) -> "pd.DataFrame":
    """Return all columns of a file that `read_frame` reads, missing cells as NaN.

    Decimal commas become points.
    """
    sheet = SHEETS[kind_of(path)](path, str(path), spec)
    frame, _ = without_index(sheet.frame)
    if sheet.decimal_comma:
        frame = frame.replace(r"^\s*([-+]?\d+),(\d+)\s*$", r"\1.\2", regex=True)
    return frame.replace(MISSING_CELL, np.nan, regex=True)


def read_text(path: Path, subject: str, spec: Mapping[str, Any]) -> Sheet:
    """Read a text file with a header; comma, semicolon and tab are told apart by the header.

    Where a comma does not separate cells it may be a decimal comma.

    Raises
    ------
    InputError
        When the file is not text in its encoding, by default UTF-8, or no table.
    """
    import pandas as pd

    line = 1
    rows: list[tuple[int, list[str]]] = []
    try:
        encoding = spec.get("encoding", ENCODING)
        separator, header = read_header(path, encoding)
        with open_text(path, encoding) as stream:
            reader = csv.reader(stream, delimiter=separator, strict=True)
            for cells in reader:
                if cells:
                    rows.append((line, cells))
                line = reader.line_num + 1
    except UnicodeDecodeError as error:
        problem = (
            f"byte {error.start} is not text in {spec.get('encoding', 'UTF-8')}; name the "
            "encoding, such as `encoding: latin-1`, or save the file as CSV in UTF-8"
        )
    except LookupError as error:
        problem = f"{error}; known are utf-8, latin-1, cp1252 …"
    except csv.Error as error:
        problem = f"line {line}: {error}; check the quotes around this line"
    except (OSError, EOFError, zlib.error) as error:
        problem = f"cannot be unpacked ({error}); pack it again with gzip"
    else:
        _refuse_numbers(header, subject)
        width = len(header)
        whole = [cells for _, cells in rows[1:] if len(cells) == width]
        lines = [line for line, cells in rows[1:] if len(cells) == width]
        ragged = [str(line) for line, cells in rows if len(cells) != width]
        problem = (
            f"line {shortlist(ragged)}: not the {width} cells of the header; quote text that "
            "holds the separator, and complete short lines"
        )
        frame = pd.DataFrame(whole, columns=header, dtype=object)
        return Sheet(frame, lines, separator != ",", [problem] if ragged else [])
    raise input_error(subject, [problem])


def read_binary(path: Path, subject: str, spec: Mapping[str, Any]) -> Sheet:
    """Read a Parquet or Feather file, or a sheet of an Excel file, by default the first.

    The first row of a sheet names the columns. A column of text that reads as numbers is one of
    numbers.

    Raises
    ------
    InputError
        When the file is not of its format, or the header of a sheet does not fit the spec.
    """
    import pandas as pd
    from pyarrow.feather import read_table

    kind = kind_of(path)
    try:
        if kind == ".parquet":
            return Sheet(pd.read_parquet(path).rename(columns=str))
        if kind != ".xlsx":
            # Arrow takes a file at its word: text that ends beyond its column would end Python.
            read_table(path).validate(full=True)
            return Sheet(pd.read_feather(path).rename(columns=str))
        name = sheet_name(path, spec.get("sheet", 1), subject)
        sheet = pd.read_excel(path, sheet_name=name, header=None, dtype=object, engine="openpyxl")
    except InputError:
        raise
    except Exception as error:  # whatever openpyxl, pyarrow and pandas make of a damaged file
        problem = f"cannot be read as {_FORMATS[kind]} ({error}); write it again, or save it as CSV"
        raise input_error(subject, [problem]) from error
    sheet = sheet.dropna(how="all")
    if sheet.empty:
        raise input_error(subject, [f"sheet {name!r} is empty; write a header and rows into it"])
    header = list(map(label_text, sheet.iloc[0]))
    _refuse_numbers(header, subject)
    return Sheet(sheet.iloc[1:].set_axis(header, axis=1), list(sheet.index[1:] + 1))


SHEETS: dict[str, Callable[[Path, str, Mapping[str, Any]], Sheet]] = {
    **dict.fromkeys(TEXT, read_text),
    **dict.fromkeys(_FORMATS, read_binary),
}


def sheet_name(path: Path, asked: str | int, subject: str) -> str:
    """Return the name of a sheet that is asked for by name or by number from 1.

    Raises
    ------
    InputError
        If there is no such sheet.
    """
    import pandas as pd

    with pd.ExcelFile(path, engine="openpyxl") as book:
        names = list(map(str, book.sheet_names))
    numbers = {str(number): name for number, name in enumerate(names, start=1)}
    name = str(asked) if str(asked) in names else numbers.get(str(asked))
    if name is None:
        there = nearest(str(asked), names)
        raise input_error(subject, [f"there is no sheet {asked!r}; {there}"])
    return name


def _refuse_numbers(header: list[str], subject: str) -> None:
    if header and all_numbers(header):
        problem = "line 1 holds numbers only; a first line with the names of the columns is needed"
        raise input_error(subject, [problem])


def kind_of(path: Path | str) -> str:
    """Return how a name ends, without the mark of a compressed file.

    >>> kind_of("My.CSV.gz"), kind_of("my.parquet")
    ('.csv', '.parquet')
    """
    path = Path(path)
    return Path(path.stem if path.suffix.lower() == ".gz" else path.name).suffix.lower()


def open_text(path: Path | str, encoding: str = ENCODING, errors: str = "strict") -> TextIO:
    """Open a text file, compressed or not; cells keep the line breaks that they hold."""
    if str(path).lower().endswith(".gz"):
        return gzip.open(path, "rt", encoding=encoding, errors=errors, newline="")
    return Path(path).open(newline="", encoding=encoding, errors=errors)


def read_header(path: Path | str, encoding: str = ENCODING) -> tuple[str, list[str]]:
    """Return the separator, comma, semicolon or tab, and the names; none of an empty file.

    The separator is the one that gives the header most cells. Bytes that are no text in the
    encoding are replaced; whoever reads the rows refuses them.

    Raises
    ------
    OSError, EOFError, zlib.error
        When the file cannot be read or unpacked.
    csv.Error
        When a quote of the header has no end.
    LookupError
        For an unknown encoding.
    """
    with open_text(path, encoding, "replace") as stream:
        line = next(filter(str.strip, stream), "")
        separator = max(_SEPARATORS, key=lambda mark: len(next(csv.reader([line], delimiter=mark))))
        stream.seek(0)
        header = next(filter(None, csv.reader(stream, delimiter=separator, strict=True)), [])
    return separator, [cell.strip() for cell in header]
