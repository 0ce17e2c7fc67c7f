"""CSV files, read with the line number of every row.

The standard library's reader knows the line at which a row ends, which faster readers do not
tell; numbers go straight into one flat array, so that text is never held for the whole file.
"""

import csv
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kpca.pipeline.datasets.table import (
    Roles,
    Table,
    TextCells,
    all_numbers,
    assign_roles,
    labels,
    read_number,
)
from kpca.pipeline.errors import input_error, shortlist

_SEPARATORS = ",;\t"


def read_csv(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
    """Read a CSV file with a header; comma, semicolon and tab are told apart by the header.

    Raises
    ------
    InputError
        When the file is not UTF-8 text, not CSV, or its header does not fit the spec.
    """
    with path.open(newline="", encoding="utf-8-sig") as stream:
        try:
            separator = max(_SEPARATORS, key=stream.readline().count)
            stream.seek(0)
            reader = csv.reader(stream, delimiter=separator, strict=True)
            return _parse(_numbered(reader), subject, spec)
        except UnicodeDecodeError as error:
            problem = f"byte {error.start} is not UTF-8 text; save the file as CSV in UTF-8"
            raise input_error(subject, [problem]) from error
        except csv.Error as error:
            problem = f"line {reader.line_num}: {error}; check the quotes around this line"
            raise input_error(subject, [problem]) from error


def _numbered(reader: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield the line at which each row starts; a quoted cell may span several lines."""
    start = 1
    for cells in reader:
        if cells:
            yield start, cells
        start = reader.line_num + 1


def _parse(rows: Iterator[tuple[int, list[str]]], subject: str, spec: Mapping[str, Any]) -> Table:
    header = [cell.strip() for cell in next(rows, (1, []))[1]]
    if header and all_numbers(header):
        problem = "line 1 holds numbers only; a first line with the names of the columns is needed"
        raise input_error(subject, [problem])
    collector = _Collector(header, assign_roles(subject, spec, header))
    for line, cells in rows:
        collector.add(line, cells)
    return collector.table()


class _Collector:
    """Sorts the cells of each row into numbers, label and group."""

    def __init__(self, header: list[str], roles: Roles) -> None:
        self.roles, self.width = roles, len(header)
        self.where = [header.index(column) for column in roles.numeric]
        self.label = None if roles.label is None else header.index(roles.label)
        self.group = None if roles.group is None else header.index(roles.group)
        self.values = array("d")
        self.label_cells: list[str] = []
        self.group_cells: list[str] = []
        self.lines: list[int] = []
        self.texts: TextCells = {}
        self.ragged: list[int] = []

    def add(self, line: int, cells: list[str]) -> None:
        if len(cells) != self.width:
            self.ragged.append(line)
            return
        row = len(self.lines)
        self.values.extend(
            read_number(self.texts, column, row, cells[index])
            for column, index in zip(self.roles.numeric, self.where, strict=True)
        )
        if self.label is not None:
            self.label_cells.append(cells[self.label])
        if self.group is not None:
            self.group_cells.append(cells[self.group])
        self.lines.append(line)

    def _problems(self) -> list[str]:
        if not self.ragged:
            return []
        listed = shortlist([str(line) for line in self.ragged])
        return [
            f"line {listed}: not the {self.width} cells of the header; quote text that holds the "
            "separator, and complete short lines"
        ]

    def table(self) -> Table:
        return Table(
            roles=self.roles,
            numeric=np.array(self.values).reshape(len(self.lines), len(self.where)),
            label=None if self.label is None else labels(self.label_cells),
            group=None if self.group is None else labels(self.group_cells),
            texts=self.texts,
            problems=self._problems(),
            lines=self.lines,
        )
