"""CSV and Parquet files, and whatever else is a data frame.

CSV is read with the line number of every row: the standard library's reader knows the line at
which a row begins, also where a quoted cell spans lines, which pandas does not tell.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.datasets.csv_header import ENCODING, read_header
from pipeline.datasets.table import Roles, Table, all_numbers, label_text, number
from pipeline.errors import input_error, nearest, shortlist

if TYPE_CHECKING:
    import pandas as pd

_ROLES = ("label", "group", "target")


def read_csv(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
    """Read a CSV file with a header; comma, semicolon and tab are told apart by the header.

    Raises
    ------
    InputError
        When the file is not UTF-8 text, not CSV, or its header does not fit the spec.
    """
    import pandas as pd

    line = 1
    rows: list[tuple[int, list[str]]] = []
    try:
        separator, header = read_header(path)
        with path.open(newline="", encoding=ENCODING) as stream:
            reader = csv.reader(stream, delimiter=separator, strict=True)
            for cells in reader:
                if cells:
                    rows.append((line, cells))
                line = reader.line_num + 1
    except UnicodeDecodeError as error:
        problem = f"byte {error.start} is not UTF-8 text; save the file as CSV in UTF-8"
        raise input_error(subject, [problem]) from error
    except csv.Error as error:
        problem = f"line {line}: {error}; check the quotes around this line"
        raise input_error(subject, [problem]) from error
    if header and all_numbers(header):
        problem = "line 1 holds numbers only; a first line with the names of the columns is needed"
        raise input_error(subject, [problem])
    whole = [(line, cells) for line, cells in rows[1:] if len(cells) == len(header)]
    frame = pd.DataFrame([cells for _, cells in whole], columns=header, dtype=object)
    table = frame_table(frame, subject, spec)
    table.lines = [line for line, _ in whole]
    table.problems += _ragged(rows, len(header))
    return table


def read_parquet(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
    """Read a Parquet file; a column of text that reads as numbers is taken as numbers.

    Raises
    ------
    InputError
        When the file is not Parquet, or its columns do not fit the spec.
    """
    import pandas as pd

    try:
        frame = pd.read_parquet(path)
    except (ValueError, OSError) as error:
        problem = f"cannot be read as Parquet ({error}); write it anew"
        raise input_error(subject, [problem]) from error
    return frame_table(frame.rename(columns=str), subject, spec)


def frame_table(frame: "pd.DataFrame", subject: str, spec: Mapping[str, Any]) -> Table:
    """Convert a data frame whose column names are text.

    A spec names columns; every other one is a feature unless it says which.

    Raises
    ------
    InputError
        On nameless and duplicate columns, on columns that are not there, on one column with two
        roles, and when no feature is left.
    """
    header = list(frame.columns)
    named = {role: str(spec[role]) for role in _ROLES if spec.get(role) is not None}
    chosen = [str(column) for column in spec.get("features") or ()]
    features = chosen or [column for column in header if column not in named.values()]
    wanted = [*named.items(), *(("features", column) for column in chosen)]
    problems = list(_role_problems(header, wanted))
    if not features:
        problems.append("no column is left as a feature; there must be at least one")
    if problems:
        raise input_error(subject, problems)
    roles = Roles(features=tuple(features), **named)
    cells = {column: _numbers(frame[column]) for column in roles.numeric}
    texts = {column: text for column, (_, text) in cells.items() if text}
    return Table(
        roles=roles,
        numeric=np.column_stack([values for values, _ in cells.values()]),
        label=None if roles.label is None else _labels(frame[roles.label]),
        group=None if roles.group is None else _labels(frame[roles.group]),
        texts=texts,
    )


def _ragged(rows: list[tuple[int, list[str]]], width: int) -> Iterator[str]:
    lines = [str(line) for line, cells in rows if len(cells) != width]
    if lines:
        yield (
            f"line {shortlist(lines)}: not the {width} cells of the header; quote text that holds "
            "the separator, and complete short lines"
        )


def _role_problems(header: Sequence[str], wanted: Sequence[tuple[str, str]]) -> Iterator[str]:
    for place, column in enumerate(header, start=1):
        if not column:  # such as the index that pandas writes, which would pass for a feature
            yield f"column {place} has no name; name it, or remove it if it only numbers the rows"
    for column in dict.fromkeys(filter(None, header)):
        if (times := header.count(column)) > 1:
            yield f"column {column!r} stands {times} times; give each a name of its own"
    for role, column in wanted:
        if column not in header:
            near = nearest(column, header)
            yield f"there is no column {column!r}, which `{role}` names; {near}"
    for column in dict.fromkeys(column for _, column in wanted):
        roles = [f"`{role}`" for role, other in wanted if other == column]
        if len(roles) > 1:
            yield f"column {column!r} is named by {shortlist(roles)}; give it one role"


def _numbers(series: "pd.Series[Any]") -> tuple[np.ndarray, list[tuple[int, str]]]:
    """Return the numbers of a column, and the cells that hold text with their rows."""
    if series.dtype.kind in "biuf":
        return series.to_numpy(dtype=np.float64, na_value=np.nan), []
    cells = _labels(series)
    values = [number(cell) for cell in cells]
    texts = [(row, cells[row]) for row, value in enumerate(values) if value is None]
    # Finite, so that a cell that is reported as text is not reported as missing too.
    return np.array([0.0 if value is None else value for value in values]), texts


def _labels(series: "pd.Series[Any]") -> list[str]:
    gone = zip(series, series.isna(), strict=True)
    return ["" if missing else label_text(cell) for cell, missing in gone]
