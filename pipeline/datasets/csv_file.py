"""CSV files, read with the line number of every row.

The standard library's reader knows the line at which a row begins, also where a quoted cell spans
lines, which pandas does not tell.
"""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline.datasets.csv_header import ENCODING, read_header
from pipeline.datasets.parquet_file import frame_table
from pipeline.datasets.table import Table, all_numbers
from pipeline.errors import input_error, shortlist


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


def _ragged(rows: list[tuple[int, list[str]]], width: int) -> Iterator[str]:
    lines = [str(line) for line, cells in rows if len(cells) != width]
    if lines:
        yield (
            f"line {shortlist(lines)}: not the {width} cells of the header; quote text that holds "
            "the separator, and complete short lines"
        )
