"""What every reader of a file returns: numbers, labels, and the place of each row."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from pipeline.datasets.dataset import Dataset, FloatArray, IntArray

DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")
_MISSING = {"", "na", "n/a", "nan", "null", "?"}
MISSING_CELL = r"(?i)^\s*(na|n/a|nan|null|\?)?\s*$"
"""Text of a missing cell, as a regular expression."""


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Which column serves as what."""

    features: tuple[str, ...]
    label: str | None = None
    group: str | None = None
    target: str | None = None
    id: str | None = None

    @property
    def numeric(self) -> tuple[str, ...]:
        """Columns that must hold numbers: the features, then the target."""
        return self.features if self.target is None else (*self.features, self.target)


@dataclass(eq=False, kw_only=True)
class Table:
    """A file as it was read, problems included.

    Parameters
    ----------
    roles : Roles
        Which column serves as what.
    numeric : array of shape (n, len(roles.numeric))
        NaN if a cell is empty; of a category its code. A kernel matrix has shape (n, n), or
        (n, n + 1) with a target.
    label, group, ids : list of n str, or None
        Empty text where a cell is empty.
    categories : dict of str to list of str
        Feature → names of its categories, by code.
    log : tuple of str
        Features whose logarithm is taken.
    texts : dict of str to list of (row, text)
        Cells of numeric columns that hold text.
    problems : list of str
        Whatever else was wrong with the file.
    warnings : list of str
        What a person should know of the file.
    numbers : int array of shape (n,), or None
        Number of each row in the file, from 1, where some were left out.
    places : list of str, or None
        Where each row stands in the file, such as "line 2"; else rows are counted from 1.
    fill_missing : bool
        Medians will stand in place of missing numbers.
    precomputed : bool
        The features are a kernel matrix.
    source : str
        Checksum of the file.
    """

    roles: Roles
    numeric: FloatArray
    label: list[str] | None = None
    group: list[str] | None = None
    ids: list[str] | None = None
    categories: dict[str, list[str]] = field(default_factory=dict)
    log: tuple[str, ...] = ()
    texts: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    numbers: IntArray | None = None
    places: list[str] | None = None
    fill_missing: bool = False
    precomputed: bool = False
    source: str = ""

    def place(self, row: int) -> str:
        """Name a row as a person finds it: its line in the text file, or its number from 1."""
        return f"row {row + 1}" if self.places is None else self.places[row]

    def column(self, name: str) -> FloatArray:
        """Return a feature or the target."""
        values: FloatArray = self.numeric[:, self.roles.numeric.index(name)]
        return values

    def take(self, rows: IntArray) -> Self:
        """Return some of the rows, which keep their names and places."""
        new = {row: place for place, row in enumerate(rows.tolist())}
        return replace(
            self,
            numeric=self.numeric[rows],
            texts={
                column: [(new[row], text) for row, text in cells if row in new]
                for column, cells in self.texts.items()
            },
            label=_some(self.label, new),
            group=_some(self.group, new),
            ids=_some(self.ids, new),
            numbers=self._numbers()[rows],
            places=[self.place(row) for row in new],
        )

    def dataset(self, name: str) -> Dataset:
        """Convert a table without problems; its rows have no splits yet."""
        features = len(self.roles.features)
        codes, names = (None, ()) if self.label is None else encode(self.label)
        return Dataset(
            name=name,
            X=np.ascontiguousarray(self.numeric[:, :features]),
            y=codes,
            target=None if self.roles.target is None else self.numeric[:, features].copy(),
            groups=None if self.group is None else encode(self.group)[0],
            ids=None if self.ids is None else np.array(self.ids, dtype=str),
            file_rows=self._numbers(),
            feature_names=() if self.precomputed else self.roles.features,
            class_names=names,
            categories=self.categories,
            log=self.log,
            fill_missing=self.fill_missing,
            precomputed=self.precomputed,
            source=self.source,
            warnings=tuple(self.warnings),
        )

    def _numbers(self) -> IntArray:
        return np.arange(1, len(self.numeric) + 1) if self.numbers is None else self.numbers


def _some(values: list[str] | None, rows: Iterable[int]) -> list[str] | None:
    return None if values is None else [values[row] for row in rows]


def encode(values: Sequence[str]) -> tuple[IntArray, tuple[str, ...]]:
    """Return each distinct value a number, in numerical order where all are numbers.

    Examples
    --------
    >>> encode(["10", "9", "10"])
    (array([1, 0, 1]), ('9', '10'))
    """
    distinct = set(values)
    names = sorted(distinct)  # "1" and "1.0" are two names, and their order must not be chance
    if all_numbers(distinct):
        names.sort(key=float)
    code = {name: number for number, name in enumerate(names)}
    return np.array([code[value] for value in values], dtype=np.int64), tuple(names)


def number(text: str) -> float | None:
    """Read one cell: NaN if it is empty or marked as missing, None if it is text.

    Examples
    --------
    >>> number("1.5"), number("NA"), number("1_5"), number("red")
    (1.5, nan, None, None)
    """
    try:
        # Python reads 1_5 as 15, which in a table is more likely a code than a number.
        return None if "_" in text else float(text)
    except ValueError:
        return float("nan") if is_missing(text) else None


def label_text(cell: object) -> str:
    """Write a label as text: 1.0 as "1", whatever is marked as missing as ""."""
    if isinstance(cell, bytes):
        cell = cell.decode(errors="replace")
    if isinstance(cell, (float, np.floating)) and cell.is_integer():
        cell = int(cell)
    text = str(cell).strip()
    return "" if is_missing(text) else text


def is_missing(text: str) -> bool:
    """Whether a cell is empty or says that its value is missing."""
    return text.strip().casefold() in _MISSING


def all_numbers(values: Iterable[str]) -> bool:
    """Whether every value reads as a number."""
    return all(number(value) is not None for value in values)
