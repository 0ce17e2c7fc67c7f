"""Files of rows for the command: read block by block, written whole or not at all."""

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
    EXCEL,
    NO_HEADER,
    Sheet,
    is_number,
    kind_of,
    read_frame,
    unknown_format,
)
from kpca.reading.text import STANDARD, Row, Text

TITLE_LINES = 12  # above the names of the columns, at most


class NewRows:
    """Rows of a file, one at a time, below the names of its columns.

    The names are those of the first line that has all names which a model takes, or of the first.
    """

    def __init__(self, path: str, options: Mapping[str, str], names: Sequence[str]) -> None:
        self.header: list[str] | None = None  # None if the first line is a row
        self.width = 0
        self.rows: Iterator[Row] = iter(())
        file = Path(path)
        kind = "" if path == STANDARD else kind_of(file)
        if path != STANDARD and file.is_file() and (problem := unknown_format(file)):
            raise ValueError(problem)
        if kind in COLUMNAR or kind == ".npz" or options.get("transpose") == "true":
            self._take_frame(read_frame(file, path, options))
            return
        lines: Text | Sheet = Text(path, options["encoding"])
        if kind == EXCEL:
            lines = Sheet(file, options["sheet"])
        self._take_lines(iter(lines), options, names)
        self.points_are_decimal = lines.points_are_decimal

    def _take_frame(self, frame: Any) -> None:
        self.header = [plain(str(name)) for name in frame.columns]
        self.width = len(self.header)
        cells = frame.astype(object).where(frame.notna(), "")
        rows = cells.itertuples(index=False, name=None)
        self.rows = ((f"row {n}", list(row)) for n, row in enumerate(rows, start=1))
        self.points_are_decimal = frame.attrs.get("points_are_decimal", True)

    def _take_lines(
        self, rows: Iterator[Row], options: Mapping[str, str], names: Sequence[str]
    ) -> None:
        head = list(islice(rows, TITLE_LINES))
        if not head:
            raise ValueError("the file is empty")
        self.width = len(head[0][1])
        wanted = {*names} - {""}
        titles = (
            n for n, (_, cells) in enumerate(head) if wanted <= {*map(plain, map(str, cells))}
        )
        first = next(titles, 0) if wanted else 0
        is_headless = options.get("header") == NO_HEADER or (
            not wanted and all(is_number(cell) or not cell_text(cell) for cell in head[0][1])
        )
        if is_headless and wanted:
            self.header = [*names]
        elif not is_headless:
            self.header = [plain(str(cell)) for cell in head[first][1]]
            self.width = len(self.header)
            head = head[first + 1 :]
        skipped = f"line {options.get('skip')}"
        self.rows = (
            row for row in chain(head, rows) if row[0] != skipped or any(map(is_number, row[1]))
        )

    def blocks(self, size: int) -> Iterator[list[Row]]:
        """Yield so many rows at a time, each with as many cells as there are columns.

        Raises
        ------
        ValueError
            For a row with more or fewer cells.
        """
        while block := list(islice(self.rows, size)):
            for line, cells in block:
                if len(cells) != self.width:
                    raise ValueError(f"{line} has {len(cells)} cells, and must have {self.width}")
            yield block


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
