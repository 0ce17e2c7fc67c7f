"""What every reader of a file returns: numbers, labels, and the place of each row."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipeline.datasets.dataset import FloatArray, IntArray
from pipeline.datasets.rows import Rows
from pipeline.errors import input_error, nearest, shortlist

TextCells = dict[str, list[tuple[int, str]]]
_MISSING = {"", "na", "n/a", "nan", "null", "?"}
_ROLES = ("label", "group", "target")


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Which column serves as what."""

    features: tuple[str, ...]
    label: str | None = None
    group: str | None = None
    target: str | None = None

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
        NaN where a cell is empty. A kernel matrix has shape (n, n), or (n, n + 1) with a target.
    label, group : list of n str, or None
        Empty text where a cell is empty.
    texts : dict of str to list of (row, text)
        Cells of numeric columns that hold text.
    problems : list of str
        Whatever else was wrong with the file.
    lines : list of int, or None
        Line of each row in a text file, from 1.
    precomputed : bool
        The features are a kernel matrix.
    source : str
        Checksum of the file.
    """

    roles: Roles
    numeric: FloatArray
    label: list[str] | None = None
    group: list[str] | None = None
    texts: TextCells = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    lines: list[int] | None = None
    precomputed: bool = False
    source: str = ""

    def place(self, row: int) -> str:
        """Name a row as a person finds it: its line in the text file, or its number from 1."""
        return f"row {row + 1}" if self.lines is None else f"line {self.lines[row]}"

    def rows(self) -> Rows:
        """Convert a table without problems."""
        features = len(self.roles.features)
        codes, names = (None, ()) if self.label is None else encode(self.label)
        return Rows(
            X=np.ascontiguousarray(self.numeric[:, :features]),
            y=codes,
            target=None if self.roles.target is None else self.numeric[:, features].copy(),
            groups=None if self.group is None else encode(self.group)[0],
            feature_names=() if self.precomputed else self.roles.features,
            class_names=names,
            precomputed=self.precomputed,
            source=self.source,
        )


def assign_roles(subject: str, spec: Mapping[str, Any], header: Sequence[str]) -> Roles:
    """Find the columns that a spec names; every other one is a feature unless it says which.

    Raises
    ------
    InputError
        On nameless and duplicate columns, on columns that are not there, on one column with two
        roles, and when no feature is left.
    """
    named = {role: str(spec[role]) for role in _ROLES if spec.get(role) is not None}
    chosen = [str(column) for column in spec.get("features") or ()]
    features = chosen or [column for column in header if column not in named.values()]
    problems = [
        *_nameless(header),
        *_duplicates(header),
        *_absent(header, named, chosen),
        *_shared(named, chosen),
    ]
    if not features:
        problems.append("no column is left as a feature; there must be at least one")
    if problems:
        raise input_error(subject, problems)
    return Roles(features=tuple(features), **named)


def encode(values: Sequence[str]) -> tuple[IntArray, tuple[str, ...]]:
    """Give each distinct value a number, in numerical order where all are numbers.

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
    """Read one cell: NaN where it is empty or marked as missing, None where it is text.

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


def read_number(texts: TextCells, column: str, row: int, cell: str) -> float:
    """Read one cell, and record it in `texts` when it holds text."""
    value = number(cell)
    if value is not None:
        return value
    texts.setdefault(column, []).append((row, cell))
    # Finite, so that a cell that is reported as text is not reported as missing too.
    return 0.0


def labels(cells: Iterable[object]) -> list[str]:
    """Write labels as text: 1.0 as "1", whatever is marked as missing as ""."""
    return [_label(cell) for cell in cells]


def is_missing(text: str) -> bool:
    """Whether a cell is empty or says that its value is missing."""
    return text.strip().casefold() in _MISSING


def all_numbers(values: Iterable[str]) -> bool:
    """Whether every value reads as a number."""
    return all(number(value) is not None for value in values)


def _label(cell: object) -> str:
    if isinstance(cell, bytes):
        cell = cell.decode()
    if isinstance(cell, (float, np.floating)) and cell.is_integer():
        cell = int(cell)
    text = str(cell).strip()
    return "" if is_missing(text) else text


def _nameless(header: Sequence[str]) -> list[str]:
    """Find columns such as the index that pandas writes, which would pass for a feature."""
    return [
        f"column {number} has no name; name it, or remove it if it only numbers the rows"
        for number, column in enumerate(header, start=1)
        if not column
    ]


def _duplicates(header: Sequence[str]) -> list[str]:
    twice = [column for column in dict.fromkeys(header) if column and header.count(column) > 1]
    return [
        f"column {column!r} stands {header.count(column)} times; give each a name of its own"
        for column in twice
    ]


def _absent(header: Sequence[str], named: Mapping[str, str], chosen: Sequence[str]) -> list[str]:
    wanted = [*named.items(), *(("features", column) for column in chosen)]
    return [
        f"there is no column {column!r}, which `{role}` names; {nearest(column, header)}"
        for role, column in wanted
        if column not in header
    ]


def _shared(named: Mapping[str, str], chosen: Sequence[str]) -> list[str]:
    roles: dict[str, list[str]] = {}
    for role, column in [*named.items(), *(("features", column) for column in chosen)]:
        roles.setdefault(column, []).append(role)
    return [
        f"column {column!r} is named by {shortlist([f'`{role}`' for role in several])}; "
        "give it one role"
        for column, several in roles.items()
        if len(several) > 1
    ]
