"""Match the columns of a file with those of a model, and yield rows as the model takes them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kpca.command.model import Model
from kpca.command.tables import NewRows
from kpca.reading.cells import cell_number, cell_text, plain
from kpca.reading.columns import ColumnReader, meant
from kpca.reading.errors import shortlist
from kpca.reading.text import Row
from kpca.types import Array

CARRIED = ("id", "label", "group", "target")  # notes of a model file that name columns
CELLS = 2**20  # that are held at once


@dataclass
class Match:
    """Columns of a file, matched with those of a model, and its rows."""

    model: Model
    file: NewRows
    order: list[int | None]  # where each column of the model stands
    kept: list[int]  # where what is carried along stands
    whole: list[int]  # where all stands that is not left out
    ignored: list[str] = field(default_factory=list)  # names that the model does not have
    left_out: int = 0  # rows so far with cells that the model does not fill in

    def batches(self) -> Iterator[tuple[list[list[Any]], Any]]:
        """Yield the cells of some rows and what the model takes for them, with bounded memory.

        Batches are whole tiles of the products with the training points, so that scores are those
        of all rows at once, bit by bit. The first one settles the notation of all.

        Raises
        ------
        ValueError
            For cells that the model does not take, naming row and column.
        """
        reader = self.model.reader
        width = len(self.file.header or self.order)
        size = next(rows for rows in (4096, 1024, 256) if rows * width <= CELLS or rows == 256)
        for block in self.file.blocks(size):
            if self.model.notes.get("missing") == "drop":
                rows, block = block, [row for row in block if not self._lacks(row)]
                self.left_out += len(rows) - len(block)
            cells = {
                column.name: [row[where] for _, row in block]
                for column, where in zip(reader.columns, self.order, strict=True)
                if where is not None
            }
            if not reader.is_settled:
                points = self.file.points_are_decimal
                reader = reader.settled(cells, points_are_decimal=points)
            yield [row for _, row in block], self._arranged(reader, cells, [p for p, _ in block])

    def _arranged(
        self, reader: ColumnReader, cells: dict[str, list[Any]], places: list[str]
    ) -> Any:
        """Return rows as the model was fitted to them: a frame, where pandas is, or an array."""
        features = dict[str, Array]()
        for column in reader.columns:
            features |= column.read(cells.get(column.name, places), places, reader.missing)
        if not self.model.has_names:
            return np.column_stack([*features.values()])
        try:
            import pandas as pd
        except ImportError:
            # As a frame has them: the same rounding.
            return np.asfortranarray(np.column_stack([*features.values()]))
        return pd.DataFrame(features)

    def _lacks(self, row: Row) -> bool:
        """Whether a cell is missing that the model does not fill in."""
        _, cells = row
        reader = self.model.reader
        return any(
            where is not None
            and not column.may_be_missing
            and not cell_text(cells[where], reader.missing)
            for column, where in zip(reader.columns, self.order, strict=True)
        )


def match(model: Model, file: NewRows, keep: Sequence[str], ignore: Sequence[str]) -> Match:
    """Find the columns of a model in a file, by name, or in order where the model knows none.

    Raises
    ------
    ValueError
        For all that lacks and all that is too much, by name.
    """
    columns, header = model.columns, file.header
    if header is None:
        if keep or ignore:
            raise ValueError("there is no header, so that --keep and --ignore name nothing")
        if file.width != len(columns):
            raise ValueError(f"{file.width} columns, and the model takes {len(columns)}")
        everything = list(range(len(columns)))
        return Match(model, file, [*everything], [], everything)
    names = [plain(column.name) for column in columns] if model.has_names else []
    remembered = {model.notes[role] for role in CARRIED if role in model.notes}
    carried = {*keep, *(remembered & {*header} - {*ignore, *names})}
    others = [name for name in header if name not in {*carried, *ignore}]
    ignored = [name for name in others if name not in names] if names else []
    problems = [f"{name!r} stands twice" for name in header if header.count(name) > 1][:1]
    for name in (name for name in (*keep, *ignore) if name not in header):
        problems.append(f"no column {name!r}{meant(name, header)}, as --keep or --ignore has it")
    if problems := problems + list(_differences(model, header, others)):
        raise ValueError("; ".join(problems))
    places = {name: where for where, name in enumerate(header)}
    kept = sorted(places[name] for name in carried)
    order = [places.get(name) for name in (names or others)]
    whole = [where for where, name in enumerate(header) if name not in {*ignore, *ignored}]
    return Match(model, file, order, kept, whole, ignored)


def _differences(model: Model, header: list[str], others: list[str]) -> Iterator[str]:
    columns = model.columns
    if not model.has_names:
        if len(others) != len(columns):
            difference = f"{len(others)} columns ({shortlist([*map(repr, others)])})"
            remedy = "leave out by --ignore, or carry along by --keep"
            yield f"{difference}, and the model takes {len(columns)} in order: {remedy}"
        return
    names = {plain(column.name): column.used for column in columns}
    strange = [name for name in others if name not in names]
    lacking = [name for name, used in names.items() if used and name not in header]
    if lacking and all(cell_number(name) is not None for name in header):
        yield "line 1 holds numbers only, and the model finds columns by name"
    elif lacking:
        listed = [repr(name) + meant(name, strange) for name in lacking]
        yield f"the file lacks {shortlist(listed)}"
