"""Match the columns of a file with those of a model, and yield rows as the model takes them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import chain, islice
from typing import Any

import numpy as np

from kpca.command.columns import REFUSED, Column, shortlist
from kpca.command.model import Model
from kpca.command.tables import TableRows, dated
from kpca.reading.text import MISSING, Row, number
from kpca.types import Array

CARRIED = ("id", "label", "group", "target")  # notes of a model file that name columns
CELLS = 2**20  # that are held at once


@dataclass
class Match:
    """Columns of a file, matched with those of a model, and its rows."""

    model: Model
    header: list[str] | None  # None if the first line is a row
    order: list[int | None]  # where each column of the model stands
    kept: list[int]  # where what is carried along stands
    whole: list[int]  # where all stands that is not left out
    rows: Iterator[Row]
    decimal_comma: bool
    ignored: list[str] = field(default_factory=list)  # names that the model does not have
    marks: dict[str, set[str]] = field(default_factory=dict)  # decimal marks, by column
    left_out: int = 0  # rows so far with cells that the model does not fill in
    unknown: dict[str, set[str]] = field(default_factory=dict)  # categories, by column

    def batches(self) -> Iterator[tuple[list[list[Any]], Any]]:
        """Yield the cells of some rows and what the model takes for them, with bounded memory.

        Batches are whole tiles of the products with the training points, so that scores are those
        of all rows at once, bit by bit.

        Raises
        ------
        ValueError
            For cells that the model does not take, naming row and column.
        """
        columns = self.model.columns
        width = len(self.header or columns)
        size = next(rows for rows in (4096, 1024, 256) if rows * width <= CELLS or rows == 256)
        while block := list(islice(self.rows, size)):
            for place, cells in block:
                if len(cells) != width:
                    raise ValueError(f"{place} has {len(cells)} cells, and must have {width}")
            pairs = list(zip(columns, self.order, strict=True))
            if self.model.notes.get("missing") == "drop":
                rows, block = block, [row for row in block if not _lacks(row, pairs)]
                self.left_out += len(rows) - len(block)
            values = [self._values(column, where, block) for column, where in pairs]
            yield [cells for _, cells in block], arranged(columns, values)

    def _values(self, column: Column, where: int | None, block: list[Row]) -> Array:
        if where is None:  # the model drops it
            return np.full(len(block), np.nan)
        cells = [row[where] for _, row in block]
        if not self.decimal_comma and (quick := column.numbers(cells)) is not None:
            return quick
        values = []
        for cell, (place, _) in zip(cells, block, strict=True):
            try:
                values.append(column.value(cell, self.decimal_comma))
                if not column.knows(values[-1]):
                    self.unknown.setdefault(column.name, set()).add(str(cell))
                if self.decimal_comma and not column.is_text:
                    marks = self.marks.setdefault(column.name or str(where), set())
                    marks |= {",", "."} & set(cell)
                    if len(marks) > 1:
                        raise ValueError(
                            f"{cell!r}: numbers of this column have commas and points, take one"
                        )
            except ValueError as error:
                name = repr(self.header[where]) if self.header else where + 1
                raise ValueError(f"{place}, column {name}: {error}") from error
        return np.array(values, dtype=object if column.is_text else np.float64)


def match(model: Model, file: TableRows, keep: Sequence[str], ignore: Sequence[str]) -> Match:
    """Find the columns of a model in a file, by name, or in order where the model knows none.

    Raises
    ------
    ValueError
        For all that lacks and all that is too much, by name.
    """
    columns, dates = model.columns, model.dates
    rows = dated(iter(file), dates) if dates else iter(file)
    place, header = next(rows, ("", None))
    if header is None:
        raise ValueError("the file is empty")
    if not (file.headed or dates) and _is_row(header, columns, file.decimal_comma):
        if keep or ignore:
            raise ValueError("there is no header, so that --keep and --ignore name nothing")
        everything, rows = list(range(len(header))), chain([(place, header)], rows)
        if len(header) != len(columns):
            raise ValueError(f"{len(header)} columns, and the model takes {len(columns)}")
        return Match(model, None, [*everything], [], everything, rows, file.decimal_comma)
    names = [column.name for column in columns]
    header = [name if name in names else name.strip() for name in header]
    remembered = {model.notes[role] for role in CARRIED if role in model.notes}
    carried = {*keep, *(remembered & {*header} - {*ignore, *names})}
    others = [name for name in header if name not in {*carried, *ignore}]
    ignored = [name for name in others if name not in names] if names[0] else []
    problems = [f"{name!r} stands twice" for name in header if header.count(name) > 1][:1]
    for name in (name for name in (*keep, *ignore) if name not in header):
        problems.append(f"no column {name!r}{meant(name, header)}, as --keep or --ignore has it")
    if problems := problems + list(_differences(columns, header, others)):
        raise ValueError("; ".join(problems))
    places = {name: where for where, name in enumerate(header)}
    kept = sorted(places[name] for name in carried)
    order = [places.get(name) for name in (names if names[0] else others)]
    whole = [where for where, name in enumerate(header) if name not in {*ignore, *ignored}]
    return Match(model, header, order, kept, whole, rows, file.decimal_comma, ignored)


def _lacks(row: Row, pairs: Sequence[tuple[Column, int | None]]) -> bool:
    """Whether a cell is missing that the model does not fill in."""
    _, cells = row
    needed = (w for column, w in pairs if w is not None and column.missing is REFUSED)
    return any(str(cells[where]).strip().casefold() in MISSING for where in needed)


def _is_row(cells: list[Any], columns: list[Column], decimal_comma: bool) -> bool:
    """Whether the first line is a row: the model knows no names, and numbers stand for numbers."""
    there = [
        number(cell, decimal_comma) is not None or cell.strip().casefold() in MISSING
        for cell, column in zip(cells, columns, strict=False)
        if column.categories is None
    ]
    return not columns[0].name and bool(there) and all(there)


def _differences(columns: list[Column], header: list[str], others: list[str]) -> Iterator[str]:
    if not columns[0].name:
        if len(others) != len(columns):
            found = f"{len(others)} columns ({shortlist(map(repr, others))})"
            remedy = "leave out by --ignore, or carry along by --keep"
            yield f"{found}, and the model takes {len(columns)} in order: {remedy}"
        return
    names = {column.name: column.used for column in columns}
    strange = [name for name in others if name not in names]
    lacking = [name for name, used in names.items() if used and name not in header]
    if lacking and all(number(name) is not None for name in header):
        yield "line 1 holds numbers only, and the model finds columns by name"
    elif lacking:
        yield f"the file lacks {shortlist(repr(name) + meant(name, strange) for name in lacking)}"


def arranged(columns: Sequence[Column], values: list[Array]) -> Any:
    """Return rows as the model was fitted to them: a data frame, where pandas is, or an array."""
    if not columns[0].name:
        return np.column_stack(values)
    try:
        import pandas as pd
    except ImportError:
        return np.asfortranarray(np.column_stack(values))  # as a frame has them: the same rounding
    return pd.DataFrame({column.name: found for column, found in zip(columns, values, strict=True)})


def meant(name: str, others: Iterable[str]) -> str:
    """Return the nearest of other names as a question in brackets, or nothing."""
    folded = {other.casefold(): other for other in others}
    close = get_close_matches(name.casefold(), folded, n=1)
    return f" (did you mean {folded[close[0]]!r}?)" if close else ""
