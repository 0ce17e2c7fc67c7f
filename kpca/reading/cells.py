"""Read cells of files and data frames as text or as numbers in a notation."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from kpca.reading.notation import COMMA, POINT, Evidence, evidence, number
from kpca.types import Floats

# Words for missing cells of every table, in lower case.
MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "nat", "null", "?"})
_WHOLE = re.compile(r"([-+]?\d+)\.0+")
_FRACTION = re.compile(r"[-+]?\d+\.\d+")
# Texts that `float` accepts, but that are codes or truth values in a table.
_NO_NUMBERS = re.compile("_|True|False")

Words = Collection[str]  # words for missing cells in one table, in addition to `MISSING`


def plain(text: str) -> str:
    """Return a text in one Unicode form, without invisible characters and outer blanks."""
    return unicodedata.normalize("NFC", text).replace("\u200b", "").replace("\ufeff", "").strip()


def cell_text(cell: Any, missing: Words = ()) -> str:
    """Return the text of a cell, with integers in their shortest form; "" if it is missing.

    >>> cell_text(1.0), cell_text("1.0"), cell_text(" None "), cell_text(None), cell_text("n/a")
    ('1', '1', 'None', '', '')
    """
    if cell is None:
        return ""
    if isinstance(cell, bytes):
        cell = cell.decode(errors="replace")
    text = plain(str(cell)).removesuffix(" 00:00:00")  # A date without a time ends in this.
    if whole := _WHOLE.fullmatch(text):
        text = whole[1]
    return "" if text.casefold() in MISSING or text in missing else text


def category_text(cell: Any, mark: str = POINT, missing: Words = ()) -> str:
    """Return the name of a category, which is the same for a number in every notation.

    >>> category_text("1,50", ","), category_text("1.50"), category_text("1,50"), category_text("a")
    ('1.5', '1.5', '1,50', 'a')
    """
    text = cell_text(cell, missing)
    if not text or not isinstance(cell, str):
        return text
    if mark != COMMA:
        return text.rstrip("0") if _FRACTION.fullmatch(text) else text
    value = number(plain(cell), mark)
    return text if value is None else cell_text(value)


def texts_of(cells: Iterable[Any], missing: Words = ()) -> list[str]:
    """Return the text of each cell, as `cell_text` does."""
    return [cell_text(cell, missing) for cell in cells]


def cell_number(cell: Any, mark: str = POINT, unit: str = "", missing: Words = ()) -> float | None:
    """Return the number of a cell, NaN if it is missing, or None if it is text.

    >>> cell_number("1,5", ","), cell_number("5 km", unit="km"), cell_number("1_5")
    (1.5, 5.0, None)
    """
    if not cell_text(cell, missing):
        return float("nan")
    text = plain(cell) if isinstance(cell, str) else cell_text(cell)
    if unit:
        text = text.removesuffix(unit).rstrip()
    if not isinstance(cell, str) or mark != COMMA or POINT not in text:
        with suppress(ValueError):
            return None if _NO_NUMBERS.search(text) else float(text)
    return number(text, mark or POINT)


def numbers_of(
    cells: Sequence[Any], mark: str = POINT, unit: str = "", missing: Words = ()
) -> tuple[Floats, list[int]]:
    """Return the numbers of cells, NaN for text and missing cells, and the positions of text.

    Parameters
    ----------
    cells : sequence, or array of numbers
        Numbers, text in a notation, or missing cells.
    mark : str, default="."
        The decimal mark.
    unit : str, default=""
        Text after the numbers.
    missing : collection of str, default=()
        Words for missing cells, in addition to `MISSING`.
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
    columns: Any, missing: Words = (), *, points_are_decimal: bool, of_file: str = ""
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the decimal mark of each column, or "", and one ambiguous cell per unclear column.

    The cells of a column determine its mark. If they do not show a mark, the column has the mark of
    the other numeric columns of the file, provided that all of them have the same mark.

    Parameters
    ----------
    columns : mapping of str to sequence, or DataFrame
        The cells of each column.
    missing : collection of str, default=()
        Words for missing cells, in addition to `MISSING`.
    points_are_decimal : bool
        Whether a point is decimal if the cells of the file do not show it. This is true for files
        with commas between cells, and for files that a program wrote.
    of_file : str, default=""
        The mark of the columns whose cells do not show one; by default, that of the other columns.

    Examples
    --------
    >>> columns = {"size": ["1,234"], "x": ["0.5"]}
    >>> decimal_marks(columns, points_are_decimal=False)
    ({'size': '.', 'x': '.'}, {})
    """
    of_columns = {name: column_evidence(cells, missing) for name, cells in columns.items()}
    settled = {shows.marks for shows in of_columns.values() if shows.numeric} & {POINT, COMMA}
    fallback = of_file or (settled.pop() if len(settled) == 1 else "")
    marks = dict[str, str]()
    unsettled = dict[str, str]()
    for column, shows in of_columns.items():
        mark = shows.marks or fallback
        # If a column has both marks, choose one. Cells that need the other mark are then text.
        if len(mark) > 1:
            mark = of_file or (POINT if points_are_decimal else COMMA)
        if not mark and shows.open_cell:
            if points_are_decimal and COMMA not in shows.open_cell:
                mark = POINT
            else:
                unsettled[column] = shows.open_cell
        marks[column] = mark
    return marks, unsettled


def column_evidence(cells: Iterable[Any], missing: Words = ()) -> Evidence:
    """Return what the cells of a column show about its decimal mark."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    if _at_once(texts) is None:
        return evidence(plain(cell) for cell in texts if cell_text(cell, missing))
    # All cells are numbers here, with no mark other than a point. In most cases, the first cell
    # with a point shows that the point is decimal.
    with_points = [cell for cell in texts if POINT in cell]
    for cell in with_points:
        cell_evidence = evidence([cell])
        if cell_evidence.marks:
            return cell_evidence
    return evidence(with_points[:1])


def _at_once(cells: Any, mark: str = POINT) -> Floats | None:
    """Return the numbers of a column that has only numbers, converted at once; otherwise None."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "iuf":
        return cells.astype(np.float64)
    with suppress(TypeError, ValueError):
        texts = "".join(map(str, cells))
        if not _NO_NUMBERS.search(texts) and not (mark == COMMA and POINT in texts):
            return np.array([float(cell) for cell in cells])
    return None
