"""Read new rows for a model, and write the file of results."""

import csv
import gzip
import io
import sys
import warnings
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from kpca.command.model import Model
from kpca.files import replacing
from kpca.reading.cells import cell_number, cell_text, plain
from kpca.reading.columns import meant
from kpca.reading.errors import nearest, shortlist
from kpca.reading.formats import (
    NAMES,
    NO_HEADER,
    TITLE_LINES,
    is_number,
    lines_above,
    rows_of,
    unknown_format,
)
from kpca.reading.text import STANDARD, Row

CARRIED = ("id", "label", "group", "target")  # notes of a model file that name columns to copy
OF_FILES = ("header", "skip", "transpose")  # notes of a model file on how to read rows
# Smallest count of names 0, 1, … that are read as names without an empty name before them.
_FEWEST_COUNTED = 4
WIDE = 256  # largest number of columns for which a batch has 4096 rows instead of 256


class NewRows:
    """Rows of a file, whose columns are found by name, or in order if the model knows no names.

    The names are in the first line that has all names that the model takes, or else in line 1. If
    line 1 is a row of data, the columns are named by their numbers, or x1, x2, … if the run had a
    file without names.

    Parameters
    ----------
    model : Model
        The model that takes the rows.
    path : str
        The file, or "-" for standard input.
    options : Namespace
        Options of the command: encoding, sheet and decimal mark.
    keep, ignore : sequence of str, default=()
        Columns to copy to the output, and columns to leave out.
    leave_out : sequence of str, default=()
        Columns to leave out if the file has them.

    Raises
    ------
    ValueError
        If columns are missing or too many; the message names all of them.
    """

    def __init__(
        self,
        model: Model,
        path: str,
        options: Namespace,
        keep: Sequence[str] = (),
        ignore: Sequence[str] = (),
        leave_out: Sequence[str] = (),
    ) -> None:
        if path != STANDARD and Path(path).is_file() and (problem := unknown_format(Path(path))):
            raise ValueError(problem)
        self._model = model
        self._decimal = options.decimal
        self._of_file = {key: model.notes[key] for key in OF_FILES if key in model.notes}
        options_of_file = {"encoding": options.encoding, "sheet": options.sheet}
        starts = [0]
        # Skip the lines of a title first, because they may have other separators than the table.
        if Path(path).is_file():  # A title may have other separators than the rows below it.
            starts.insert(0, lines_above(self._of_file))
        for above in dict.fromkeys(starts):
            try:
                lines = rows_of(path, self._of_file | options_of_file, above)
            except ValueError:
                if above == 0:
                    raise
                continue  # The file ends before the line that had the names in the fitted file.
            self._rows: Iterator[Row] = iter(lines)
            if self._find_header():
                break
        if not self.header:
            raise ValueError("the file is empty")
        self._points_are_decimal = lines.points_are_decimal  # set when a row is read
        self.left_out = 0  # number of rows left out so far, because they have missing cells
        self._match(keep, [*ignore, *({*leave_out} & {*self.header})])

    def _find_header(self) -> bool:
        """Set header and rows of the file; return whether a line has all names of the model."""
        head = list(islice(self._rows, TITLE_LINES))
        if not head:
            self.header = []
            return False
        wanted = self._model.names_used
        headers = [[plain(str(cell)) for cell in cells] for _, cells in head]
        titles = [n for n, names in enumerate(headers) if {*wanted} - {""} <= {*names}]
        title = titles[0] if titles else 0
        self.header = headers[title]
        is_line = head[0][0] != NAMES
        has_no_names = is_line and self._of_file.get("header") == NO_HEADER
        are_numbers = all(is_number(name) or not cell_text(name) for name in self.header)
        self._is_counted = False
        self.is_headless = has_no_names or (is_line and not wanted and are_numbers)
        is_likely = len(head) > 1 and (self.header[0] == "" or len(self.header) >= _FEWEST_COUNTED)
        if self.is_headless and not has_no_names and is_likely and _are_counted(self.header):
            self._is_counted = True
            self.is_headless = False
            listed = shortlist([*filter(None, self.header)])
            warnings.warn(
                f"{head[0][0]} holds {listed}, which pandas writes as names, and is read as such; "
                "if it is a row, write names above it",
                stacklevel=2,
            )
        if not self.is_headless:
            head = head[title + 1 :]
        elif len(wanted) == len(self.header):
            self.header = wanted
        else:  # Number all columns, including the label column and those that the fit left out.
            prefix = "x" if has_no_names else ""  # as a run names them
            self.header = [f"{prefix}{n + 1}" for n in range(len(self.header))]
        self._rows = chain(head, self._rows)
        return bool(titles) and not self.is_headless

    def _match(self, keep: Sequence[str], ignore: Sequence[str]) -> None:
        """Match the columns of the model with those of the file."""
        model = self._model
        header = self.header
        columns = model.reader.columns
        names = [plain(column.name) for column in columns] if model.has_names else []
        remembered = {model.notes.get(role) for role in CARRIED} & {*header}
        carried = {*keep, *(remembered - {*ignore, *names})}
        others = [name for name in header if name not in {*carried, *ignore}]
        # Pandas gives the column of row numbers no name.
        in_order = [name for name in others if name or not self._is_counted]
        problems = [f"{name!r} stands twice" for name in header if header.count(name) > 1][:1]
        problems += [
            f"no column {name!r}, as --keep or --ignore has it; {nearest(name, header)}"
            for name in (*keep, *ignore)
            if name not in header
        ]
        if lacking := [name for name in model.names_used if name not in header]:
            if all(cell_number(name) is not None for name in header):
                problems.append("line 1 holds numbers only, and the model finds columns by name")
            else:
                strange = [name for name in others if name not in names]
                listed = [repr(name) + meant(name, strange) for name in lacking]
                problems.append(f"the file lacks {shortlist(listed)}")
        if not model.has_names and len(in_order) != len(columns):
            difference = f"{len(in_order)} columns ({shortlist([*map(repr, in_order)])})"
            remedy = "leave out by --ignore, or carry along by --keep"
            problems.append(f"{difference}, and the model takes {len(columns)} in order: {remedy}")
        if problems:
            raise ValueError("; ".join(problems))
        names = names or in_order
        pairs = zip(columns, names, strict=True)
        # Column of the model → column of the file, if there is one.
        self.sources = {column.name: name for column, name in pairs if name in header}
        self.carried = [name for name in header if name in carried]
        self.ignored = [name for name in others if name not in names]

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows, each with as many cells as there are columns.

        A line of units is skipped. Rows with missing cells are skipped if the fit left out such
        rows.

        Raises
        ------
        ValueError
            If a row has more or fewer cells than there are columns.
        """
        reader = self._model.reader
        needed = list[int]()
        if self._model.notes.get("missing") == "drop":
            filled = {column.name for column in reader.columns if column.may_be_missing}
            sources = [source for name, source in self.sources.items() if name not in filled]
            needed = [self.header.index(source) for source in sources]
        units = f"line {self._of_file.get('skip')}"
        width = len(self.header)
        for place, cells in self._rows:
            if place == units and not any(map(is_number, cells)):
                continue
            if len(cells) != width:
                raise ValueError(f"{place} has {len(cells)} cells, and must have {width}")
            if all(cell_text(cells[position], reader.missing) for position in needed):
                yield place, cells
            else:
                self.left_out += 1

    def batches(self) -> Iterator[tuple[pd.DataFrame, Any]]:
        """Yield batches of rows: their cells, and the result of the model's steps.

        A batch consists of whole tiles of the products with the training points, so that its scores
        equal those of all rows at once, bit by bit. The first batch determines the order of day
        and month of all batches, and the first batch that shows a decimal mark determines the mark.

        Raises
        ------
        ValueError
            If the model does not accept a cell; the message names row and column.
        """
        reader = self._model.reader
        rows = iter(self)
        while batch := list(islice(rows, 4096 if len(self.header) <= WIDE else 256)):
            places, lines = zip(*batch, strict=True)
            cells = pd.DataFrame(lines, pd.Index(places, dtype=object), self.header, dtype=object)
            taken = cells[[*self.sources.values()]].set_axis([*self.sources], axis="columns")
            taken.attrs["points_are_decimal"] = self._points_are_decimal
            taken.attrs["decimal"] = self._decimal or ""
            reader = reader.settled(taken)
            X: Any = reader.read(taken)
            if not self._model.has_names:
                X = np.ascontiguousarray(X)
            for step in self._model.steps:
                X = step.transform(X)
            yield cells, X


def _are_counted(header: Sequence[str]) -> bool:
    """Return whether names are those of a frame without names: 0, 1, …, perhaps after an empty one.

    >>> _are_counted(["", "0", "1"]), _are_counted(["0", "2"])
    (True, False)
    """
    names = header[1:] if header[0] == "" else header
    return bool(names) and [*names] == [str(number) for number in range(len(names))]


@contextmanager
def written(path: str) -> Iterator[Any]:
    """Yield a CSV writer to standard output, or to a file that appears once it is complete."""
    with ExitStack() as opened:
        file: Any = sys.stdout
        if Path(path).exists() and not Path(path).is_file():  # a pipe or device is not replaced
            file = opened.enter_context(Path(path).open("w", encoding="utf-8", newline=""))
        elif path != STANDARD:
            file = opened.enter_context(replacing(path))
            if path.lower().endswith(".gz"):
                file = opened.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0))
            file = opened.enter_context(io.TextIOWrapper(file, encoding="utf-8", newline=""))
        # The writer formats floats by `repr`, which has all digits.
        yield csv.writer(file, lineterminator="\n")
        file.flush()
