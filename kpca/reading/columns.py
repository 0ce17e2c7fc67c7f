"""How each column of a table is read: a fitted step, so that new rows have the same notation."""

import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from kpca.reading.cells import (
    Words,
    category_text,
    cell_text,
    column_evidence,
    numbers_of,
    plain,
    texts_of,
)
from kpca.reading.errors import shortlist
from kpca.reading.notation import COMMA, date_features, day_is_first, decimal_marks, readings
from kpca.types import Array

if TYPE_CHECKING:
    import pandas as pd

NUMBER, CATEGORY, ORDER, DATE = "number", "category", "order", "date"


@dataclass(frozen=True)
class Column:
    """What a column holds, and how its cells are read."""

    name: str
    kind: str = NUMBER
    decimal: str = ""  # decimal mark; empty if no cell has shown one
    unit: str = ""  # what stands behind each number
    values: tuple[Any, ...] = ()  # categories, or words in their order
    parts: tuple[str, ...] = ()  # of dates that become features
    day_first: bool = False  # whether the day comes before the month in such a date
    may_be_missing: bool = False
    missing: Any = float("nan")  # what a missing cell becomes
    closed: bool = False  # whether another category is an error
    positive: bool = False  # whether its logarithm is taken
    used: bool = True

    @property
    def known(self) -> dict[str, Any]:
        """Values by what cells say."""
        codes = range(len(self.values)) if self.kind == ORDER else self.values
        by_text = dict(zip(map(cell_text, self.values), codes, strict=True))
        return by_text | dict(zip(map(str, self.values), codes, strict=True))

    @property
    def names(self) -> list[str]:
        """Names of what it becomes."""
        return [f"{self.name}_{part}" for part in self.parts] or [self.name]

    def read(
        self, cells: Sequence[Any], places: Sequence[str], missing: Words = ()
    ) -> dict[str, Array]:
        """Return what cells become, by name; places stand in messages.

        Raises
        ------
        ValueError
            For the first cell that the column does not take.
        """
        if not self.used:
            return {self.name: np.full(len(cells), np.nan)}
        if self.kind == DATE:
            texts = texts_of(cells, missing)
            features = date_features(self.name, texts, self.parts, day_first=self.day_first)
            values, is_gone = next(iter(features.values())), np.array([not text for text in texts])
            wrong = np.flatnonzero(np.isnan(values) & ~is_gone)
        elif self.kind == NUMBER:
            values, text = numbers_of(cells, self.decimal, self.unit, missing)
            infinite = np.isinf(values)
            is_gone = np.isnan(values)
            is_gone[text] = False
            wrong = np.array([*text, *np.flatnonzero(infinite)], dtype=int)
            values[is_gone] = self.missing
            features = {self.name: values}
            if self.positive and not len(wrong):
                wrong = np.flatnonzero(values <= 0)
        else:
            values, wrong = self._coded(cells, missing)
            is_gone = np.array([not text for text in texts_of(cells, missing)], dtype=bool)
            features = {self.name: values}
        if len(wrong):
            first = int(min(wrong))
            raise ValueError(
                f"{places[first]}, column {self.name!r}: {self._refusal(cells[first])}"
            )
        if is_gone.any() and not self.may_be_missing:
            position = places[int(is_gone.argmax())]
            why = "empty, and the model fills in no missing value here"
            raise ValueError(
                f"{position}, column {self.name!r}: {why}; fill it in, or leave the row out"
            )
        return features

    def _coded(self, cells: Sequence[Any], missing: Words) -> tuple[Array, Array]:
        """Return categories as the model knows them, and the places of what it refuses."""
        values, wrong, unknown = list[Any](), list[int](), dict[str, None]()
        codes = self.known
        is_text = any(isinstance(value, str) for value in codes.values())
        for position, cell in enumerate(cells):
            text = category_text(cell, self.decimal, missing)
            value = codes.get(str(cell), codes.get(text, self.missing))
            if text and text not in codes and str(cell) not in codes:
                value = text if is_text else np.nan
                unknown[text] = None
                if self.closed or not is_text:
                    wrong.append(position)
            values.append(value)
        if unknown and not wrong:
            listed = shortlist([repr(text) + meant(text, codes) for text in unknown], limit=8)
            warnings.warn(
                f"column {self.name!r} holds no category of the model in {listed}", stacklevel=2
            )
        return np.array(values, dtype=object if is_text else np.float64), np.array(wrong, int)

    def _refusal(self, cell: Any) -> str:
        text = str(cell)
        if self.kind == DATE:
            return f"{text!r} is no date"
        if self.kind != NUMBER:
            return f"{text!r} is none of the categories {shortlist([*map(repr, self.values)])}"
        values, refused = numbers_of([text], self.decimal, self.unit)
        if self.positive and values[0] <= 0:
            return f"{text!r} is not positive, and the model takes its logarithm"
        other = "." if self.decimal == COMMA else COMMA
        if self.decimal and len(refused) and not numbers_of([text], other, self.unit)[1]:
            name = "comma" if self.decimal == COMMA else "point"
            return (
                f"{text!r}: numbers of this column have a decimal {name}; write all with one mark, "
                "which --decimal , or --decimal . names"
            )
        return f"{text!r} is not a finite number"


class ColumnReader(TransformerMixin, BaseEstimator):
    """Read the cells of a table in the notation of the table for which it was made.

    Cells are text, numbers or dates, as a file or a data frame has them. Columns are found by
    name, and others are ignored. Where new cells show another decimal mark, they are read by it.

    Parameters
    ----------
    columns : sequence of Column
        How each column is read.
    missing : sequence of str, default=()
        Words for missing cells, besides those of every table.
    is_settled : bool, default=False
        Whether decimal marks stay, whatever new cells show.
    """

    def __init__(
        self, columns: Sequence[Column], missing: Sequence[str] = (), is_settled: bool = False
    ) -> None:
        self.columns = columns
        self.missing = missing
        self.is_settled = is_settled

    def fit(self, X: Any, y: Any = None) -> Self:
        """Note the names of the columns."""
        self.feature_names_in_ = np.array([column.name for column in self.columns], dtype=object)
        self.n_features_in_ = len(self.columns)
        return self

    def transform(self, X: "pd.DataFrame") -> "pd.DataFrame":
        """Return numbers, and categories as text, of the rows of a frame.

        Raises
        ------
        ValueError
            If a column is missing, or for a cell that has no reading or two.
        """
        import pandas as pd

        names = {plain(str(name)): name for name in X.columns}
        used = [column.name for column in self.columns if column.used]
        if lacking := [name for name in used if name not in names]:
            raise ValueError(f"the table lacks {shortlist([*map(repr, lacking)])}")
        cells: dict[str, Any] = {name: present(X[names[name]]) for name in used}
        points = X.attrs.get("points_are_decimal", True)
        places = [f"row {label}" if isinstance(label, int) else str(label) for label in X.index]
        settled = self if self.is_settled else self.settled(cells, points_are_decimal=points)
        features: dict[str, Any] = {}
        for column in settled.columns:
            features |= column.read(cells.get(column.name, places), places, self.missing)
        return pd.DataFrame(features, index=X.index)

    def settled(
        self, cells: Mapping[str, Sequence[Any]], *, points_are_decimal: bool = True
    ) -> "ColumnReader":
        """Return the reader with the notation that the cells of columns show, or else its own.

        Raises
        ------
        ValueError
            For a number that can be read in two ways.
        """
        evidence = {name: column_evidence(values, self.missing) for name, values in cells.items()}
        marks, unsettled = decimal_marks(evidence, points_are_decimal=points_are_decimal)
        columns = list[Column]()
        for column in self.columns:
            name = column.name
            if column.kind in (NUMBER, CATEGORY):
                if column.kind == NUMBER and name in unsettled and not column.decimal:
                    raise ValueError(
                        f"column {name!r}: {unsettled[name]!r} can be {readings(unsettled[name])}: "
                        "--decimal , or --decimal . says which"
                    )
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


def present(series: "pd.Series[Any]") -> Any:
    """Return the cells of a column, None where one is missing; numbers as they are."""
    if series.dtype.kind in "iuf":
        return series
    return [None if gone else cell for cell, gone in zip(series, series.isna(), strict=True)]


def meant(name: str, others: Any) -> str:
    """Return the nearest of other names as a question in brackets, or nothing."""
    folded = {other.casefold(): other for other in others}
    close = get_close_matches(name.casefold(), folded, n=1)
    return f" (did you mean {folded[close[0]]!r}?)" if close else ""
