"""A fitted step that reads each column of a table, so that new rows are read in the same way."""

import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from kpca.reading.cells import (
    Words,
    category_text,
    cell_number,
    cell_text,
    decimal_marks,
    numbers_of,
    plain,
    texts_of,
)
from kpca.reading.errors import closest, shortlist
from kpca.reading.notation import COMMA, POINT, date_features, day_is_first, readings
from kpca.types import Array

if TYPE_CHECKING:
    import pandas as pd

NUMBER = "number"
CATEGORY = "category"
ORDER = "order"
DATE = "date"
_EMPTY = "empty, and the model fills in no missing value here; fill it in, or leave the row out"


@dataclass(frozen=True)
class Column:
    """Content of a column, and how its cells are read."""

    name: str
    kind: str = NUMBER
    decimal: str = ""  # decimal mark; empty if no cell has shown one
    unit: str = ""  # text after each number
    values: tuple[Any, ...] = ()  # categories, or the words of an ordered column in their order
    parts: tuple[str, ...] = ()  # parts of dates that become features
    day_first: bool = False  # whether the day comes before the month in dates such as 1/2/2024
    may_be_missing: bool = False
    missing: Any = float("nan")  # value of a missing cell
    closed: bool = False  # whether a category that is not in `values` is an error
    positive: bool = False  # whether numbers must be positive, because their logarithm is taken
    used: bool = True

    @property
    def names(self) -> list[str]:
        """Names of the features that the column becomes."""
        return [f"{self.name}_{part}" for part in self.parts] or [self.name]

    def read(
        self, cells: Sequence[Any], places: Sequence[str], missing: Words = ()
    ) -> dict[str, Array]:
        """Return the features that the cells of the column become, by name.

        `places` are the names of the rows in messages.

        Raises
        ------
        ValueError
            If the column does not accept a cell; the message names the first such cell.
        """
        if not self.used:
            return {self.name: np.full(len(cells), np.nan)}
        if self.kind == NUMBER:
            values, text = numbers_of(cells, self.decimal, self.unit, missing)
            is_wrong = np.isinf(values)
            is_wrong[text] = True
            is_missing = np.isnan(values) & ~is_wrong
            values[is_missing] = self.missing
            is_wrong |= self.positive & (values <= 0)
            features = {self.name: values}
        else:
            texts = texts_of(cells, missing)
            is_missing = np.array([not text for text in texts], dtype=bool)
            if self.kind == DATE:
                features = date_features(self.name, texts, self.parts, day_first=self.day_first)
                is_wrong = np.isnan(next(iter(features.values()))) & ~is_missing
            else:
                values, is_wrong = self._coded(cells, missing)
                features = {self.name: values}
        is_refused = is_wrong if is_wrong.any() else is_missing & (not self.may_be_missing)
        if is_refused.any():
            first = int(is_refused.argmax())
            problem = _EMPTY if is_missing[first] else self._refusal(cells[first])
            raise ValueError(f"{places[first]}, column {self.name!r}: {problem}")
        return features

    def _coded(self, cells: Sequence[Any], missing: Words) -> tuple[Array, Array]:
        """Return the category of each cell as in the fit, and which cells are refused."""
        values = range(len(self.values)) if self.kind == ORDER else self.values
        codes = dict(zip(map(cell_text, self.values), values, strict=True))
        codes |= {"": self.missing} | dict(zip(map(str, self.values), values, strict=True))
        are_texts = any(isinstance(value, str) for value in values)
        texts = list[str]()
        for cell in cells:
            # The text of None could be the name of a category.
            text = str(cell) if isinstance(cell, str) or cell_text(cell) else ""
            if text not in codes:
                text = category_text(cell, self.decimal, missing)
            texts.append(text)
        unknown = dict.fromkeys(text for text in texts if text not in codes)
        is_closed = self.closed or not are_texts
        if unknown and not is_closed:
            listed = shortlist([repr(text) + meant(text, codes) for text in unknown], limit=8)
            warnings.warn(
                f"column {self.name!r} holds no category of the model in {listed}", stacklevel=2
            )
        is_wrong = np.array([is_closed and text in unknown for text in texts], dtype=bool)
        coded = np.array([codes.get(text, text) for text in texts], dtype=object)
        coded[is_wrong] = np.nan
        return coded.astype(object if are_texts else np.float64), is_wrong

    def _refusal(self, cell: Any) -> str:
        text = str(cell)
        if self.kind == DATE:
            return f"{text!r} is no date"
        if self.kind != NUMBER:
            return f"{text!r} is none of the categories {shortlist([*map(repr, self.values)])}"
        value = cell_number(text, self.decimal, self.unit)
        if self.positive and value is not None and value <= 0:
            return f"{text!r} is not positive, and the model takes its logarithm"
        other = POINT if self.decimal == COMMA else COMMA
        if self.decimal and value is None and cell_number(text, other, self.unit) is not None:
            name = "comma" if self.decimal == COMMA else "point"
            return (
                f"{text!r}: numbers of this column have a decimal {name}; write all with one mark, "
                "which --decimal , or --decimal . names"
            )
        return f"{text!r} is not a finite number"


class ColumnReader(TransformerMixin, BaseEstimator):
    """Read the cells of a table in the notation of the table for which the reader was made.

    Cells are text, numbers or dates, as in a file or a data frame. Columns are found by name, and
    other columns are ignored. If new cells show another decimal mark, this mark is used for them.

    Parameters
    ----------
    columns : sequence of Column
        How each column is read.
    missing : sequence of str, default=()
        Words for missing cells, in addition to those of every table.
    is_settled : bool, default=False
        Whether known decimal marks are kept even if new cells show other marks.
    """

    def __init__(
        self, columns: Sequence[Column], missing: Sequence[str] = (), is_settled: bool = False
    ) -> None:
        self.columns = columns
        self.missing = missing
        self.is_settled = is_settled

    def fit(self, X: Any, y: Any = None) -> Self:
        """Store the names of the columns."""
        self.feature_names_in_ = np.array([column.name for column in self.columns], dtype=object)
        self.n_features_in_ = len(self.columns)
        return self

    def transform(self, X: "pd.DataFrame") -> "pd.DataFrame":
        """Return the rows of a frame as numbers, and as text for categories.

        Raises
        ------
        ValueError
            If a column is missing or stands twice, or if a cell cannot be read or can be read in
            two ways.
        """
        return self.settled(X).read(X)

    def read(self, X: "pd.DataFrame") -> "pd.DataFrame":
        """Return the rows of a frame as `transform` does, in the notation of this reader."""
        import pandas as pd

        cells = self._cells(X)
        places = row_places(X)
        features = dict[str, Array]()
        for column in self.columns:
            features |= column.read(cells.get(column.name, places), places, self.missing)
        return pd.DataFrame(features, index=X.index)

    def _cells(self, X: "pd.DataFrame") -> dict[str, Any]:
        """Return the cells of the columns that are used, by name."""
        names = {plain(str(name)): name for name in X.columns}
        used = {column.name: plain(column.name) for column in self.columns if column.used}
        counts = Counter(plain(str(name)) for name in X.columns)
        if twice := [name for name, plain_name in used.items() if counts[plain_name] > 1]:
            listed = shortlist([*map(repr, twice)])
            raise ValueError(f"the table has {listed} more than once; keep one column of each name")
        if lacking := [name for name, plain_name in used.items() if plain_name not in names]:
            raise ValueError(f"the table lacks {shortlist([*map(repr, lacking)])}")
        return {name: present(X[names[plain_name]]) for name, plain_name in used.items()}

    def settled(self, X: "pd.DataFrame") -> "ColumnReader":
        """Return a reader with the notation that the cells of X show, or else with that of `self`.

        Raises
        ------
        ValueError
            If a column is missing or stands twice, or if a number can be read in two ways.
        """
        cells = self._cells(X)
        if self.is_settled:
            open_columns = {c.name for c in self.columns if c.kind == NUMBER and not c.decimal}
            cells = {name: cells[name] for name in open_columns & {*cells}}
        marks, unsettled = decimal_marks(
            cells,
            self.missing,
            points_are_decimal=X.attrs.get("points_are_decimal", True),
            of_file=X.attrs.get("decimal", ""),
        )
        columns = list[Column]()
        for column in self.columns:
            name = column.name
            if column.kind == NUMBER and name in unsettled and not column.decimal:
                raise ValueError(
                    f"column {name!r}: {unsettled[name]!r} can be {readings(unsettled[name])}: "
                    "--decimal , or --decimal . says which"
                )
            if column.kind in (NUMBER, CATEGORY, ORDER):
                column = replace(column, decimal=marks.get(name) or column.decimal)
            elif column.kind == DATE and name in cells:
                with suppress(ValueError):
                    first = day_is_first(texts_of(cells[name], self.missing))
                    column = replace(column, day_first=column.day_first if first is None else first)
            columns.append(column)
        return ColumnReader(columns, self.missing, is_settled=True).fit(None)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names of the columns of `transform`."""
        return np.array([name for column in self.columns for name in column.names], dtype=object)


def row_places(frame: "pd.DataFrame") -> list[str]:
    """Return the name of each row for messages: its number from 1, or its label if it has one."""
    if frame.index.dtype.kind == "i":
        return [f"row {number + 1}" for number in range(len(frame))]
    return [str(label) for label in frame.index]


def present(series: "pd.Series[Any]") -> Any:
    """Return the cells of a column: numbers as an array, and others as a list."""
    return series.to_numpy() if series.dtype.kind in "iuf" else [*series]


def meant(name: str, others: Iterable[str]) -> str:
    """Return a question in brackets that proposes the nearest of `others` to `name`, or ""."""
    close = closest(name, others)
    return f" (did you mean {close!r}?)" if close else ""
