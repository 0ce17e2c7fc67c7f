"""Cells in one form for every file and frame: text, or a number in a notation."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from kpca.reading.notation import COMMA, POINT, Evidence, evidence, number
from kpca.types import Floats

# all in lower case
MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "nat", "null", "?"})
_WHOLE = re.compile(r"([-+]?\d+)\.0+")
# What float reads, and is a code or a truth value in a table.
_NO_NUMBERS = re.compile("_|True|False")

Words = Collection[str]  # words for missing cells in one table, besides those of every table


def plain(text: str) -> str:
    """Return a text in one Unicode form, without marks that nobody sees."""
    return unicodedata.normalize("NFC", text).replace("\u200b", "").replace("\ufeff", "").strip()


def cell_text(cell: Any, missing: Words = ()) -> str:
    """Return what a cell says, an integer in its shortest form; "" if it is missing.

    >>> cell_text(1.0), cell_text("1.0"), cell_text(" None "), cell_text(None), cell_text("n/a")
    ('1', '1', 'None', '', '')
    """
    if cell is None:
        return ""
    if isinstance(cell, bytes):
        cell = cell.decode(errors="replace")
    text = plain(str(cell)).removesuffix(" 00:00:00")  # A date without a time ends so.
    if whole := _WHOLE.fullmatch(text):
        text = whole[1]
    return "" if text.casefold() in MISSING or text in missing else text


def category_text(cell: Any, mark: str = POINT, missing: Words = ()) -> str:
    """Return the name of a category, which is one for a number in any notation.

    >>> category_text("1,50", ","), category_text("1,50"), category_text("a")
    ('1.5', '1,50', 'a')
    """
    text = cell_text(cell, missing)
    value = number(text, mark) if mark == COMMA else None
    return text if value is None else cell_text(value)


def texts_of(cells: Iterable[Any], missing: Words = ()) -> list[str]:
    """Return what cells say, as `cell_text` does."""
    return [cell_text(cell, missing) for cell in cells]


def cell_number(cell: Any, mark: str = POINT, unit: str = "", missing: Words = ()) -> float | None:
    """Return the number of a cell, NaN if it is missing, or None if it is text.

    >>> cell_number("1,5", ","), cell_number("5 km", unit="km"), cell_number("1_5")
    (1.5, 5.0, None)
    """
    text = cell_text(cell, missing)
    if not text:
        return float("nan")
    if unit:
        text = text.removesuffix(unit).rstrip()
    if not isinstance(cell, str) or mark != COMMA or POINT not in text:
        with suppress(ValueError):
            return None if _NO_NUMBERS.search(text) else float(text)
    return number(text, mark or POINT)


def numbers_of(
    cells: Sequence[Any], mark: str = POINT, unit: str = "", missing: Words = ()
) -> tuple[Floats, list[int]]:
    """Return the numbers of cells, NaN if there is none, and the places of text, from 0.

    Parameters
    ----------
    cells : sequence, or array of numbers
        Numbers, text in a notation, or missing.
    mark : str, default="."
        The decimal mark.
    unit : str, default=""
        What stands behind the numbers.
    missing : collection of str, default=()
        Words for missing cells, besides `MISSING`.
    """
    values = _at_once(cells, mark)
    if values is not None:
        for word in missing:
            with suppress(ValueError):
                values[values == float(word)] = np.nan
        return values, []
    numbers = [cell_number(cell, mark, unit, missing) for cell in cells]
    text = [position for position, value in enumerate(numbers) if value is None]
    return np.array(numbers, dtype=float), text  # None becomes NaN.


def decimal_marks(
    columns: Any, missing: Words = (), *, points_are_decimal: bool
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the decimal mark of each column, perhaps none, and cells that nothing settles.

    A column is settled by its own cells, or else by the other columns of the file if all of these
    that are numbers have one mark.

    Parameters
    ----------
    columns : mapping of str to sequence, or DataFrame
        The cells of each column.
    missing : collection of str, default=()
        Words for missing cells, besides `MISSING`.
    points_are_decimal : bool
        Whether a point is decimal where the file shows nothing else: where commas separate the
        cells of a file, or a program wrote it.

    Examples
    --------
    >>> columns = {"size": ["1,234"], "x": ["0.5"]}
    >>> decimal_marks(columns, points_are_decimal=False)
    ({'size': '.', 'x': '.'}, {})
    """
    of_columns = {name: column_evidence(cells, missing) for name, cells in columns.items()}
    settled = {shows.marks for shows in of_columns.values() if shows.numeric} & {POINT, COMMA}
    of_file = settled.pop() if len(settled) == 1 else ""
    marks = dict[str, str]()
    unsettled = dict[str, str]()
    for column, shows in of_columns.items():
        mark = shows.marks or of_file
        if len(mark) > 1:  # two marks in one column, whose other cells are then no numbers
            mark = POINT if points_are_decimal else COMMA
        if not mark and shows.open_cell:
            if points_are_decimal and COMMA not in shows.open_cell:
                mark = POINT
            else:
                unsettled[column] = shows.open_cell
        marks[column] = mark
    return marks, unsettled


def column_evidence(cells: Iterable[Any], missing: Words = ()) -> Evidence:
    """Return what a column shows of its decimal mark."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    if _at_once(texts) is None:
        return evidence(text for cell in texts if (text := cell_text(cell, missing)))
    # Plain numbers show no other mark than a point, and most often in the first one that has it.
    with_points = [cell for cell in texts if POINT in cell]
    for cell in with_points:
        cell_evidence = evidence([cell])
        if cell_evidence.marks:
            return cell_evidence
    return evidence(with_points[:1])


def _at_once(cells: Any, mark: str = POINT) -> Floats | None:
    """Return the numbers of a column that has nothing else, at once; None for any other."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "iuf":
        return cells.astype(np.float64)
    with suppress(TypeError, ValueError):
        texts = "".join(map(str, cells))
        if not _NO_NUMBERS.search(texts) and not (mark == COMMA and POINT in texts):
            return np.array([float(cell) for cell in cells])
    return None
