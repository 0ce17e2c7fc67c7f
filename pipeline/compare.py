"""Compare two folders of results, cell by cell: ``python -m pipeline.compare A B``.

Every table (``*.csv``) of one folder is held against its namesake in the other. A row is named
by the fewest leading columns that tell the rows of both tables apart, so that rows may come in
any order and have no partner. Times differ between any two runs: ``timings``, ``logs``,
``benchmarks`` and ``scaling`` are left out, and so are folders below with results of another run.
The exit code is 1 where something changed or is missing.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from pipeline.errors import shortlist

TOLERANCE = 1e-6
LEFT_OUT = ("timings", "logs", "benchmarks", "scaling")
PROVENANCE = "provenance.csv"
SHOWN = 3


@dataclass(frozen=True)
class TableComparison:
    """Two tables of one name: how many cells are equal, within the tolerance, beyond it.

    ``lines`` says in words what differs: each column with its largest differences, then rows and
    columns without a partner. It is empty where every cell has a partner within the tolerance.
    """

    same: int
    within: int
    changed: int
    lines: list[str]


def compare_folders(a: Path, b: Path, tolerance: float = TOLERANCE) -> tuple[bool, str]:
    """Compare every table of two folders that a run wrote.

    Two numbers are equal within the tolerance where |a − b| ≤ tolerance · max(1, |a|, |b|).
    Returned is whether nothing changed and nothing is missing, and the differences in words.

    Raises
    ------
    FileNotFoundError
        If one of them is no folder, or holds no table.
    """
    tables_a, tables_b = _tables(a), _tables(b)
    lines = [f"A = {a}", f"B = {b}", *_provenance(a / PROVENANCE, b / PROVENANCE)]
    differing, both = 0, sorted(tables_a & tables_b)
    for name in both:
        found = compare_tables(_read(a / name), _read(b / name), tolerance)
        counts = f"{found.same} cells same, {found.within} within tolerance"
        lines.append(f"{name}: {counts}, {found.changed} changed")
        lines += [f"  {line}" for line in found.lines]
        differing += bool(found.lines)
    lines += [f"only in A: {name}" for name in sorted(tables_a - tables_b)]
    lines += [f"only in B: {name}" for name in sorted(tables_b - tables_a)]
    missing = len(tables_a ^ tables_b)
    equal = not (differing or missing)
    answer = f"{differing} of {len(both)} tables differ, {missing} have no partner"
    return equal, "\n".join([*lines, "the same" if equal else answer])


def compare_tables(
    a: pd.DataFrame, b: pd.DataFrame, tolerance: float = TOLERANCE
) -> TableComparison:
    r"""Compare two tables whose rows are named by their leading columns.

    Examples
    --------
    >>> a = pd.DataFrame({"kernel": ["rbf", "poly"], "score": [0.5, 0.25]})
    >>> b = pd.DataFrame({"kernel": ["poly", "cosine"], "score": [0.75, 1.0]})
    >>> print(*compare_tables(a, b).lines, sep="\n")
    score: 1 changed, by 0.5 at most
      poly: 0.25 -> 0.75
    1 rows only in A: rbf
    1 rows only in B: cosine
    """
    shared = [column for column in a.columns if column in b.columns]
    keys = key_columns(a[shared], b[shared])
    a_rows, b_rows = _named(a, keys), _named(b, keys)
    partners = a_rows.index.intersection(b_rows.index, sort=False)
    left, right = a_rows.loc[partners], b_rows.loc[partners]
    same = within = changed = 0
    lines: list[str] = []
    for column in shared:
        difference, scale = _differences(left[column], right[column])
        off = ~(difference <= tolerance * scale)
        same += int((difference == 0).sum())
        within += int((~off & (difference > 0)).sum())
        changed += int(off.sum())
        lines += _changes(left[column], right[column], difference, off)
    for side, one, other in (("A", a_rows, b_rows), ("B", b_rows, a_rows)):
        if rows := list(map(str, one.index.difference(other.index, sort=False))):
            lines.append(f"{len(rows)} rows only in {side}: {shortlist(rows, limit=SHOWN)}")
    for side, table in (("A", a), ("B", b)):
        if columns := [column for column in table.columns if column not in shared]:
            lines.append(f"columns only in {side}: {', '.join(columns)}")
    return TableComparison(same, within, changed, lines)


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare two folders named on the command line; return 1 where something changed."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.compare", description=__doc__)
    parser.add_argument("a", type=Path, help="folder of results")
    parser.add_argument("b", type=Path, help="another one")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help="default: %(default)g")
    given = parser.parse_args(arguments)
    try:
        equal, report = compare_folders(given.a, given.b, given.tolerance)
    except FileNotFoundError as error:
        parser.error(str(error))
    print(report)
    return 0 if equal else 1


def _tables(folder: Path) -> set[str]:
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is no folder: name one that a run wrote")
    others = {path.parent for path in folder.rglob(PROVENANCE)} - {folder}
    found = [path for path in folder.rglob("*.csv") if others.isdisjoint(path.parents)]
    paths = [path.relative_to(folder) for path in found]
    kept = [path for path in paths if path.parts[0] not in LEFT_OUT and path.name != PROVENANCE]
    if not kept:
        raise FileNotFoundError(f"{folder} holds no table (*.csv): name a folder of results")
    return {path.as_posix() for path in kept}


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
    names = table[keys].map(_text, digits=6, missing="-").agg(" ".join, axis=1)
    again = names.groupby(names).cumcount()
    return table.set_axis(names.where(again == 0, names + " #" + (again + 1).astype(str)))


def _text(value: object, *, digits: int = 9, missing: str = "nan") -> str:
    if isinstance(value, float | np.floating):
        return missing if np.isnan(value) else f"{value:.{digits}g}"
    return str(value)


def _differences(a: pd.Series, b: pd.Series) -> tuple[np.ndarray, np.ndarray | float]:
    """Return |a − b| and max(1, |a|, |b|); of texts, or where one side is missing, 0 or ∞ and 1."""
    if not (pd.api.types.is_numeric_dtype(a) and pd.api.types.is_numeric_dtype(b)):
        return np.where((a == b) | (a.isna() & b.isna()), 0.0, np.inf), 1.0
    x, y = a.to_numpy(dtype=float), b.to_numpy(dtype=float)
    equal = (x == y) | (np.isnan(x) & np.isnan(y))
    with np.errstate(invalid="ignore"):
        difference = np.where(equal, 0.0, np.nan_to_num(np.abs(x - y), nan=np.inf, posinf=np.inf))
    larger = np.nan_to_num(np.fmax(np.abs(x), np.abs(y)), posinf=1.0)
    return difference, np.fmax(larger, 1.0)


def _changes(a: pd.Series, b: pd.Series, difference: np.ndarray, off: np.ndarray) -> Iterator[str]:
    """Yield how many cells of a column differ, and the rows that differ most."""
    if not off.any():
        return
    finite = difference[off & np.isfinite(difference)]
    by = f", by {finite.max():.3g} at most" if len(finite) else ""
    yield f"{a.name}: {off.sum()} changed{by}"
    most = np.argsort(np.where(off, -difference, 1.0), kind="stable")[: min(SHOWN, off.sum())]
    yield from (f"  {a.index[i]}: {_text(a.iloc[i])} -> {_text(b.iloc[i])}" for i in most)


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
