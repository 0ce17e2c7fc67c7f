"""Compare two folders of results, cell by cell: ``python -m pipeline.compare A B``.

Every table (``*.csv``) of one folder is held against its namesake in the other. A row is named
by the fewest leading columns that tell the rows of both tables apart, so that rows may come in
any order and have no partner. Times differ between any two runs: ``logs``, ``benchmarks`` and
``scaling`` are left out. The exit code is 1 where something changed or is missing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

TOLERANCE = 1e-6
LEFT_OUT = ("logs", "benchmarks", "scaling")
PROVENANCE = "provenance.csv"
SHOWN = 3


@dataclass(frozen=True)
class Change:
    """What differs in one column: how many cells, by how much, and where most.

    Attributes
    ----------
    column : str
        Name of the column.
    cells : int
        Cells that differ by more than the tolerance.
    largest : float
        Largest difference; NaN where the column holds text, or a number on one side only.
    examples : tuple of str
        Rows with both values, the largest difference first.
    """

    column: str
    cells: int
    largest: float
    examples: tuple[str, ...]


@dataclass(frozen=True)
class TableComparison:
    """Two tables of one name: cells by verdict, rows and columns without a partner."""

    name: str
    same: int = 0
    within: int = 0
    changes: tuple[Change, ...] = ()
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    columns_a: tuple[str, ...] = ()
    columns_b: tuple[str, ...] = ()

    @property
    def changed(self) -> int:
        """Cells that differ by more than the tolerance."""
        return sum(change.cells for change in self.changes)

    @property
    def equal(self) -> bool:
        """Whether every cell has a partner within the tolerance."""
        without = (self.only_a, self.only_b, self.columns_a, self.columns_b)
        return not (self.changes or any(without))


@dataclass(frozen=True)
class Comparison:
    """Two folders: their tables, files without a partner, and what the runs differed in."""

    tables: list[TableComparison] = field(default_factory=list)
    only_a: list[str] = field(default_factory=list)
    only_b: list[str] = field(default_factory=list)
    provenance: list[str] = field(default_factory=list)

    @property
    def equal(self) -> bool:
        """Whether nothing changed and nothing is missing."""
        return not (self.only_a or self.only_b) and all(table.equal for table in self.tables)


def compare_folders(a: Path, b: Path, tolerance: float = TOLERANCE) -> Comparison:
    """Compare every table of two folders of results.

    Parameters
    ----------
    a, b : Path
        Folders that a run wrote.
    tolerance : float
        Two numbers are equal within it where |a − b| ≤ tolerance · max(1, |a|, |b|).

    Raises
    ------
    FileNotFoundError
        If one of them is no folder, or holds no table.
    """
    tables_a, tables_b = _tables(a), _tables(b)
    both = sorted(set(tables_a) & set(tables_b))
    return Comparison(
        [compare_tables(name, _read(a / name), _read(b / name), tolerance) for name in both],
        sorted(set(tables_a) - set(tables_b)),
        sorted(set(tables_b) - set(tables_a)),
        list(_provenance(a / PROVENANCE, b / PROVENANCE)),
    )


def compare_tables(
    name: str, a: pd.DataFrame, b: pd.DataFrame, tolerance: float = TOLERANCE
) -> TableComparison:
    """Compare two tables whose rows are named by their leading columns.

    Examples
    --------
    >>> a = pd.DataFrame({"kernel": ["rbf", "poly"], "score": [0.5, 0.25]})
    >>> b = pd.DataFrame({"kernel": ["poly", "cosine"], "score": [0.75, 1.0]})
    >>> found = compare_tables("scores.csv", a, b)
    >>> found.changes[0].examples, found.only_a, found.only_b
    (('poly: 0.25 -> 0.75',), ('rbf',), ('cosine',))
    """
    shared = [column for column in a.columns if column in set(b.columns)]
    keys = key_columns(a[shared], b[shared])
    a_rows, b_rows = _named(a, keys), _named(b, keys)
    partners = a_rows.index.intersection(b_rows.index, sort=False)
    left, right = a_rows.loc[partners], b_rows.loc[partners]
    same = within = 0
    changes = []
    for column in shared:
        difference = _differences(left[column], right[column])
        bound = tolerance * _scale(left[column], right[column])
        off = ~(difference <= bound)
        same += int((difference == 0).sum())
        within += int((~off & (difference > 0)).sum())
        if off.any():
            changes.append(_change(column, left[column], right[column], difference, off))
    return TableComparison(
        name,
        same,
        within,
        tuple(changes),
        tuple(map(str, a_rows.index.difference(b_rows.index, sort=False))),
        tuple(map(str, b_rows.index.difference(a_rows.index, sort=False))),
        tuple(column for column in a.columns if column not in set(shared)),
        tuple(column for column in b.columns if column not in set(shared)),
    )


def key_columns(a: pd.DataFrame, b: pd.DataFrame) -> list[str]:
    """Return the fewest leading columns that tell the rows of both tables apart.

    Of these, measured numbers (fractions) that are not needed are left out, since they may
    differ in their last digits.

    >>> cells = pd.DataFrame({"cell": ["a", "a", "b"], "gamma": [.5, .5, 2], "C": [1, 10, 1]})
    >>> key_columns(cells, cells)
    ['cell', 'C']
    """
    keys: list[str] = []
    for column in a.columns:
        keys.append(column)
        if _tells_apart(a, keys) and _tells_apart(b, keys):
            break
    for column in [key for key in keys if _is_measured(a[key]) or _is_measured(b[key])]:
        fewer = [key for key in keys if key != column]
        if fewer and _tells_apart(a, fewer) and _tells_apart(b, fewer):
            keys = fewer
    return keys


def report(found: Comparison, a: Path, b: Path) -> str:
    """Return a comparison as text, the answer last."""
    lines = [f"A = {a}", f"B = {b}", *found.provenance]
    for table in found.tables:
        counts = f"{table.same} cells same, {table.within} within tolerance"
        lines.append(f"{table.name}: {counts}, {table.changed} changed")
        lines += [f"  {line}" for line in _details(table)]
    lines += [f"only in A: {name}" for name in found.only_a]
    lines += [f"only in B: {name}" for name in found.only_b]
    differing = sum(not table.equal for table in found.tables)
    missing = len(found.only_a) + len(found.only_b)
    answer = f"{differing} of {len(found.tables)} tables differ, {missing} have no partner"
    return "\n".join([*lines, "the same" if found.equal else answer])


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare two folders named on the command line; return 1 where something changed."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.compare", description=__doc__)
    parser.add_argument("a", type=Path, help="folder of results")
    parser.add_argument("b", type=Path, help="another one")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help="default: %(default)g")
    given = parser.parse_args(arguments)
    try:
        found = compare_folders(given.a, given.b, given.tolerance)
    except FileNotFoundError as error:
        parser.error(str(error))
    print(report(found, given.a, given.b))
    return 0 if found.equal else 1


def _tables(folder: Path) -> list[str]:
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is no folder: name one that a run wrote")
    paths = [path.relative_to(folder) for path in folder.rglob("*.csv")]
    kept = [path for path in paths if path.parts[0] not in LEFT_OUT and path.name != PROVENANCE]
    if not kept:
        raise FileNotFoundError(f"{folder} holds no table (*.csv): name a folder of results")
    return [path.as_posix() for path in kept]


def _read(path: Path) -> pd.DataFrame:
    try:
        return pd.read_csv(path)
    except pd.errors.EmptyDataError:
        return pd.DataFrame()


def _tells_apart(table: pd.DataFrame, columns: list[str]) -> bool:
    return not table.duplicated(columns).any()


def _is_measured(column: pd.Series) -> bool:
    if not pd.api.types.is_float_dtype(column):
        return False
    return bool((column.dropna() % 1 != 0).any())


def _named(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Index a table by the text of its keys; equal rows are counted."""
    if not keys:
        return table
    names = table[keys].map(_word).agg(" ".join, axis=1)
    again = names.groupby(names).cumcount()
    return table.set_axis(names.where(again == 0, names + " #" + (again + 1).astype(str)))


def _word(value: object) -> str:
    if isinstance(value, float | np.floating):
        return "-" if np.isnan(value) else f"{value:.6g}"
    return str(value)


def _differences(a: pd.Series, b: pd.Series) -> np.ndarray:
    """Return |a − b|; of texts, or where one side is missing, 0 or ∞."""
    if pd.api.types.is_numeric_dtype(a) and pd.api.types.is_numeric_dtype(b):
        x, y = a.to_numpy(dtype=float), b.to_numpy(dtype=float)
        equal = (x == y) | (np.isnan(x) & np.isnan(y))
        with np.errstate(invalid="ignore"):
            return np.where(equal, 0.0, np.nan_to_num(np.abs(x - y), nan=np.inf))
    equal = (a == b).to_numpy() | (a.isna() & b.isna()).to_numpy()
    return np.where(equal, 0.0, np.inf)


def _scale(a: pd.Series, b: pd.Series) -> np.ndarray | float:
    if pd.api.types.is_numeric_dtype(a) and pd.api.types.is_numeric_dtype(b):
        x, y = a.to_numpy(dtype=float), b.to_numpy(dtype=float)
        larger = np.nan_to_num(np.fmax(np.abs(x), np.abs(y)), posinf=1.0)
        return np.fmax(larger, 1.0)
    return 1.0


def _change(
    column: str, a: pd.Series, b: pd.Series, difference: np.ndarray, off: np.ndarray
) -> Change:
    most = np.argsort(np.where(off, -difference, 1.0), kind="stable")[: min(SHOWN, off.sum())]
    examples = (f"{a.index[i]}: {_value(a.iloc[i])} -> {_value(b.iloc[i])}" for i in most)
    finite = difference[off & np.isfinite(difference)]
    largest = float(finite.max()) if len(finite) else float("nan")
    return Change(column, int(off.sum()), largest, tuple(examples))


def _value(value: object) -> str:
    return f"{value:.9g}" if isinstance(value, float | np.floating) else str(value)


def _details(table: TableComparison) -> Iterator[str]:
    for change in table.changes:
        by = "" if np.isnan(change.largest) else f", by {change.largest:.3g} at most"
        yield f"{change.column}: {change.cells} changed{by}"
        yield from (f"  {example}" for example in change.examples)
    for side, rows in (("A", table.only_a), ("B", table.only_b)):
        if rows:
            more = ", …" if len(rows) > SHOWN else ""
            yield f"{len(rows)} rows only in {side}: {', '.join(rows[:SHOWN])}{more}"
    for side, columns in (("A", table.columns_a), ("B", table.columns_b)):
        if columns:
            yield f"columns only in {side}: {', '.join(columns)}"


def _provenance(a: Path, b: Path) -> Iterator[str]:
    """Yield in which versions, code and parameters two runs differ."""
    if not (a.is_file() and b.is_file()):
        yield f"versions, code and parameters unknown: no {PROVENANCE} on both sides"
        return
    sides = [_read(path).astype(str).set_index(["kind", "name"])["value"] for path in (a, b)]
    for kind, name in sides[0].index.union(sides[1].index):
        values = [side.get((kind, name), "none") for side in sides]
        if values[0] != values[1]:
            yield f"{kind} {name}: {values[0]} -> {values[1]}"


if __name__ == "__main__":
    sys.exit(main())
