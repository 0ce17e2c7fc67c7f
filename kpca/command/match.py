"""Match the columns of a file with those of a model, and yield rows as the model takes them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kpca.command.model import Model
from kpca.command.tables import NewRows
from kpca.reading.cells import cell_number, cell_text, plain
from kpca.reading.columns import meant
from kpca.reading.errors import nearest, shortlist
from kpca.types import Array

CARRIED = ("id", "label", "group", "target")  # notes of a model file that name columns
WIDE = 256  # columns

Cells = list[list[Any]]


@dataclass
class Match:
    """Columns of a file, matched with those of a model, and its rows."""

    model: Model
    file: NewRows
    order: list[int | None]  # where each column of the model stands
    carried: list[int]  # where what is carried along stands
    whole: list[int]  # where all stands that is not left out
    ignored: list[str]  # names that the model does not have
    left_out: int = 0  # rows so far with cells that the model does not fill in

    def batches(self) -> Iterator[tuple[Cells, Any]]:
        """Yield the cells of some rows and what the model takes for them, with bounded memory.

        Batches are whole tiles of the products with the training points, so that scores are those
        of all rows at once, bit by bit. The first one settles the notation of all.

        Raises
        ------
        ValueError
            For cells that the model does not take, naming row and column.
        """
        reader = self.model.reader
        pairs = [*zip(reader.columns, self.order, strict=True)]
        positions = {column.name: where for column, where in pairs if where is not None}
        needed = {column.name for column in reader.columns if not column.may_be_missing}
        for block in self.file.blocks(4096 if len(self.file.header) <= WIDE else 256):
            rows = block
            if self.model.notes.get("missing") == "drop":
                rows = [
                    (line, cells)
                    for line, cells in block
                    if all(
                        cell_text(cells[where], reader.missing)
                        for name, where in positions.items()
                        if name in needed
                    )
                ]
            self.left_out += len(block) - len(rows)
            column_cells = {
                name: [cells[where] for _, cells in rows] for name, where in positions.items()
            }
            points = self.file.points_are_decimal
            reader = reader.settled(column_cells, points_are_decimal=points)
            features = reader.read(column_cells, [line for line, _ in rows])
            yield [cells for _, cells in rows], _arranged(features, as_frame=self.model.has_names)


def _arranged(features: dict[str, Array], *, as_frame: bool) -> Any:
    """Return rows as the model was fitted to them: a frame, where pandas is, or an array."""
    if not as_frame:
        return np.column_stack([*features.values()])
    try:
        import pandas as pd
    except ImportError:
        # As a frame has them: the same rounding.
        return np.asfortranarray(np.column_stack([*features.values()]))
    return pd.DataFrame(features)


def match(model: Model, file: NewRows, keep: Sequence[str], ignore: Sequence[str]) -> Match:
    """Find the columns of a model in a file, by name, or in order where the model knows none.

    Raises
    ------
    ValueError
        For all that lacks and all that is too much, by name.
    """
    header = file.header
    names = [plain(column.name) for column in model.reader.columns] if model.has_names else []
    remembered = {model.notes[role] for role in CARRIED if role in model.notes}
    carried = {*keep, *(remembered & {*header} - {*ignore, *names})}
    others = [name for name in header if name not in {*carried, *ignore}]
    ignored = [name for name in others if name not in names] if names else []
    problems = [f"{name!r} stands twice" for name in header if header.count(name) > 1][:1]
    problems += [
        f"no column {name!r}, as --keep or --ignore has it; {nearest(name, header)}"
        for name in (*keep, *ignore)
        if name not in header
    ]
    problems += _differences(model, header, others)
    if problems:
        raise ValueError("; ".join(problems))
    places = {name: where for where, name in enumerate(header)}
    return Match(
        model,
        file,
        order=[places.get(name) for name in (names or others)],
        carried=sorted(places[name] for name in carried),
        whole=[where for where, name in enumerate(header) if name not in {*ignore, *ignored}],
        ignored=ignored,
    )


def _differences(model: Model, header: list[str], others: list[str]) -> Iterator[str]:
    columns = model.reader.columns
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
