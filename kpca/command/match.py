"""Match the columns of a file with those of a model, and yield rows as the model takes them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from kpca.command.model import Model
from kpca.command.tables import NewRows
from kpca.reading.cells import cell_number, cell_text, plain
from kpca.reading.columns import meant
from kpca.reading.errors import nearest, shortlist
from kpca.reading.text import Row
from kpca.types import Array

CARRIED = ("id", "label", "group", "target")  # notes of a model file that name columns
WIDE = 256  # columns

Cells = Mapping[str, Sequence[Any]]  # by the column of the file


@dataclass
class Match:
    """Columns of a file, matched with those of a model, and its rows."""

    model: Model
    file: NewRows
    sources: dict[str, str]  # column of the model → column of the file, if there is one
    carried: list[str]  # columns of the file that go along to the output
    ignored: list[str]  # columns of the file that the model does not have
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
        reader, header = self.model.reader, self.file.header
        rows = self._rows()
        while batch := list(islice(rows, 4096 if len(header) <= WIDE else 256)):
            places, lines = zip(*batch, strict=True)
            cells = dict(zip(header, zip(*lines, strict=True), strict=True))
            column_cells = {name: cells[source] for name, source in self.sources.items()}
            points = self.file.points_are_decimal
            reader = reader.settled(column_cells, points_are_decimal=points)
            features = reader.read(column_cells, places)
            yield cells, _arranged(features, as_frame=self.model.has_names)

    def _rows(self) -> Iterator[Row]:
        """Yield the rows, without those of which the fit left out the like."""
        reader, needed = self.model.reader, list[str]()
        if self.model.notes.get("missing") == "drop":
            needed = [column.name for column in reader.columns if not column.may_be_missing]
        header = self.file.header
        positions = [header.index(self.sources[name]) for name in needed if name in self.sources]
        for place, cells in self.file:
            if all(cell_text(cells[position], reader.missing) for position in positions):
                yield place, cells
            else:
                self.left_out += 1


def _arranged(features: dict[str, Array], *, as_frame: bool) -> Any:
    """Return rows as the model was fitted to them: a frame, where pandas is, or an array."""
    X = np.column_stack([*features.values()])
    if not as_frame:
        return X
    try:
        import pandas as pd
    except ImportError:
        return np.asfortranarray(X)  # as a frame has them: the same rounding
    return pd.DataFrame(features)


def match(model: Model, file: NewRows, keep: Sequence[str], ignore: Sequence[str]) -> Match:
    """Find the columns of a model in a file, by name, or in order where the model knows none.

    Raises
    ------
    ValueError
        For all that lacks and all that is too much, by name.
    """
    header, columns = file.header, model.reader.columns
    names = [plain(column.name) for column in columns] if model.has_names else []
    remembered = {model.notes[role] for role in CARRIED if role in model.notes}
    carried = {*keep, *(remembered & {*header} - {*ignore, *names})}
    others = [name for name in header if name not in {*carried, *ignore}]
    problems = [f"{name!r} stands twice" for name in header if header.count(name) > 1][:1]
    problems += [
        f"no column {name!r}, as --keep or --ignore has it; {nearest(name, header)}"
        for name in (*keep, *ignore)
        if name not in header
    ]
    if model.has_names:
        used = [plain(column.name) for column in columns if column.used]
        lacking = [name for name in used if name not in header]
        if lacking and all(cell_number(name) is not None for name in header):
            problems.append("line 1 holds numbers only, and the model finds columns by name")
        elif lacking:
            strange = [name for name in others if name not in names]
            listed = [repr(name) + meant(name, strange) for name in lacking]
            problems.append(f"the file lacks {shortlist(listed)}")
    elif len(others) != len(columns):
        difference = f"{len(others)} columns ({shortlist([*map(repr, others)])})"
        remedy = "leave out by --ignore, or carry along by --keep"
        problems.append(f"{difference}, and the model takes {len(columns)} in order: {remedy}")
    if problems:
        raise ValueError("; ".join(problems))
    names = names or others
    pairs = zip(columns, names, strict=True)
    return Match(
        model,
        file,
        sources={column.name: name for column, name in pairs if name in header},
        carried=[name for name in header if name in carried],
        ignored=[name for name in others if name not in names],
    )
