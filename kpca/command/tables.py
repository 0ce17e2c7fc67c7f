"""Files of rows for the command: read row by row, written whole or not at all."""

import csv
import gzip
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

from kpca.files import replacing
from kpca.reading.cells import cell_text, plain
from kpca.reading.formats import (
    COLUMNAR,
    NO_HEADER,
    TITLE_LINES,
    are_points_decimal,
    is_number,
    kind_of,
    lines_of,
    read_frame,
    unknown_format,
)
from kpca.reading.text import STANDARD, Row


class NewRows:
    """Rows of a file, one at a time, below the names of its columns.

    The names are those of the first line that has all names which a model takes, or of the first.
    If that line is a row, columns are named by their numbers.
    """

    def __init__(self, path: str, options: Mapping[str, str], names: Sequence[str]) -> None:
        if path != STANDARD and Path(path).is_file() and (problem := unknown_format(Path(path))):
            raise ValueError(problem)
        is_frame = kind_of(path) in (*COLUMNAR, ".npz") or options.get("transpose") == "true"
        if is_frame:
            frame = read_frame(Path(path), path, options)
            self.points_are_decimal = frame.attrs.get("points_are_decimal", True)
            rows = _rows_of(frame)
        else:
            lines = lines_of(path, options)
            rows = iter(lines)
        head = list(islice(rows, TITLE_LINES))
        if not head:
            raise ValueError("the file is empty")
        if not is_frame:
            self.points_are_decimal = are_points_decimal(lines)  # known with the first row
        wanted = {*names} - {""}
        headers = [[plain(str(cell)) for cell in cells] for _, cells in head]
        title = next((n for n, header in enumerate(headers) if wanted <= {*header}), 0)
        self.header = headers[title]
        self.is_headless = not is_frame and (
            options.get("header") == NO_HEADER
            or (not wanted and all(is_number(name) or not cell_text(name) for name in self.header))
        )
        if self.is_headless:
            self.header = [*names] if wanted else [str(n + 1) for n in range(len(self.header))]
        else:
            head = head[title + 1 :]
        self._rows = chain(head, rows)
        self._units = f"line {options.get('skip')}"  # where units may stand

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows, each with as many cells as there are columns.

        Raises
        ------
        ValueError
            For a row with more or fewer cells.
        """
        width = len(self.header)
        for place, cells in self._rows:
            if place == self._units and not any(map(is_number, cells)):
                continue
            if len(cells) != width:
                raise ValueError(f"{place} has {len(cells)} cells, and must have {width}")
            yield place, cells


def _rows_of(frame: Any) -> Iterator[Row]:
    """Yield the names of the columns of a frame, and its rows."""
    yield "names", [*frame.columns]
    cells = frame.astype(object).where(frame.notna(), "")
    for number, row in enumerate(cells.itertuples(index=False, name=None), start=1):
        yield f"row {number}", [*row]


@contextmanager
def written(path: str) -> Iterator[Any]:
    """Return a CSV writer, for a file that takes its place once it is whole, or standard output."""
    with ExitStack() as opened:
        file: Any = sys.stdout
        if Path(path).exists() and not Path(path).is_file():  # a pipe or device is not replaced
            file = opened.enter_context(Path(path).open("w", encoding="utf-8", newline=""))
        elif path != STANDARD:
            file = opened.enter_context(replacing(path))
            if path.lower().endswith(".gz"):
                file = opened.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0))
            file = opened.enter_context(io.TextIOWrapper(file, encoding="utf-8", newline=""))
        yield csv.writer(file, lineterminator="\n")  # which writes floats by repr, with all digits
        file.flush()
