"""Text, Excel, Feather and Parquet files."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kpca.command.tables import Text
from pipeline.datasets.table import Table, all_numbers, frame_table, label_text
from pipeline.errors import InputError, input_error, nearest, shortlist

TEXT = (".csv", ".tsv", ".txt")
ENCODING = "utf-8-sig"  # UTF-8 with or without a byte order mark
BINARY = {
    ".xlsx": "an Excel workbook",
    ".parquet": "Parquet",
    ".feather": "Feather",
    ".arrow": "Feather",
}
"""How the name of a file ends → what it is."""


def read_text(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
    """Read a text file with a header; comma, semicolon and tab are told apart by the header.

    Where a comma does not separate cells it may be a decimal comma.

    Raises
    ------
    InputError
        When the file is not text in its encoding, by default UTF-8, or no table.
    """
    import pandas as pd

    text = Text(str(path), spec.get("encoding", ENCODING))
    try:
        (_, names), *rows = list(text) or [("", [])]
    except (OSError, ValueError) as error:
        # The reader serves the command `kpca` too, and names the option of that.
        problem = str(error).replace("--encoding latin-1", "`encoding: latin-1`")
        if isinstance(error.__cause__, csv.Error):
            problem += "; check the quotes around this line"
        raise input_error(subject, [problem]) from error
    header = [name.strip() for name in names]
    _refuse_numbers(header, subject)
    whole = [(place, cells) for place, cells in rows if len(cells) == len(header)]
    frame = pd.DataFrame([cells for _, cells in whole], columns=header, dtype=object)
    table = frame_table(frame, subject, spec, decimal_comma=text.decimal_comma)
    table.places = [place for place, _ in whole]
    if ragged := [place for place, cells in rows if len(cells) != len(header)]:
        table.problems.append(
            f"{shortlist(ragged)}: not the {len(header)} cells of the header; quote text that "
            "holds the separator, and complete short lines"
        )
    return table


def read_binary(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
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
        if kind == ".xlsx":
            name = sheet_name(path, spec.get("sheet", 1), subject)
            frame = pd.read_excel(path, sheet_name=name, header=None, dtype=object)
        elif kind == ".parquet":
            frame = pd.read_parquet(path)
        else:
            # Arrow takes a file at its word: text that ends beyond its column would end Python.
            read_table(path).validate(full=True)
            frame = pd.read_feather(path)
    except InputError:
        raise
    except Exception as error:  # whatever openpyxl, pyarrow and pandas make of a damaged file
        problem = f"cannot be read as {BINARY[kind]} ({error}); write it again, or save it as CSV"
        raise input_error(subject, [problem]) from error
    if kind != ".xlsx":
        return frame_table(frame.rename(columns=str), subject, spec)
    frame = frame.dropna(how="all")
    if frame.empty:
        raise input_error(subject, [f"sheet {name!r} is empty; write a header and rows into it"])
    header = list(map(label_text, frame.iloc[0]))
    _refuse_numbers(header, subject)
    table = frame_table(frame.iloc[1:].set_axis(header, axis=1), subject, spec)
    table.places = [f"line {index + 1}" for index in frame.index[1:]]
    return table


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


def read_header(path: Path | str, encoding: str = ENCODING) -> tuple[str, list[str]]:
    """Return the separator, comma, semicolon or tab, and the names; none of an empty file.

    Raises
    ------
    OSError, ValueError
        When the file cannot be read, or its beginning is no text in the encoding.
    """
    text = Text(str(path), encoding)
    _, header = next(iter(text), ("", []))
    return text.separator, [cell.strip() for cell in header]
