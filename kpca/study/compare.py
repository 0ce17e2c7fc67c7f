"""Compare two folders of results, cell by cell: ``python -m kpca.study.compare A B``.

Every table (``*.csv``) of one folder is compared with the table of the same name in the other.
Tables of run times, and subfolders with results of another run, are left out. The exit code is 1 if
a table changed or is missing. Changes of versions, code and parameters (``provenance.csv``) do not
count.
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd

from kpca.reading.errors import shortlist
from kpca.study.store import read_table

TOLERANCE = 1e-6
LEFT_OUT = ("timings", "logs", "benchmarks", "scaling")
PROVENANCE = "provenance.csv"
SHOWN = 3


def compare_folders(a: Path, b: Path, tolerance: float = TOLERANCE) -> tuple[bool, str]:
    """Return whether the tables of two folders are equal, and the differences in words.

    A folder without a table raises `FileNotFoundError`.
    """
    tables_a = _tables(a)
    tables_b = _tables(b)
    lines = [f"A = {a}", f"B = {b}"]
    differing = 0
    for name in sorted(tables_a & tables_b, key=lambda name: (name != PROVENANCE, name)):
        changes = compare_tables(read_table(a / name), read_table(b / name), tolerance)
        lines.append(f"{name}: {'changed' if changes else 'the same'}")
        lines += [f"  {line}" for line in changes]
        differing += bool(changes) and name != PROVENANCE
    lines += [f"only in A: {name}" for name in sorted(tables_a - tables_b)]
    lines += [f"only in B: {name}" for name in sorted(tables_b - tables_a)]
    missing = len((tables_a ^ tables_b) - {PROVENANCE})
    lines.append(f"tables that differ: {differing}; without a partner: {missing}")
    return not (differing or missing), "\n".join(lines)


def compare_tables(a: pd.DataFrame, b: pd.DataFrame, tolerance: float = TOLERANCE) -> list[str]:
    r"""Return lines that say how two tables differ; no lines if all cells are equal.

    Tables with the same number of rows are compared row by row. Otherwise, rows with the same text
    are compared with each other. Two numbers are equal if \|a − b\| ≤ tolerance · (1 + \|b\|).
    """
    shared = a.columns.intersection(b.columns, sort=False)
    a, b = (table.set_axis(_names(table[shared])) for table in (a, b))
    if len(a) == len(b):
        b = b.set_axis(a.index)
    lines = []
    for axis, of_a, of_b in (("columns", a.columns, b.columns), ("rows", a.index, b.index)):
        for side, one, other in (("A", of_a, of_b), ("B", of_b, of_a)):
            if labels := [*one.difference(other, sort=False)]:
                only = f"{len(labels)} {axis} only in {side}"
                lines.append(f"{only}: {shortlist(labels, limit=SHOWN)}")
    a, b = a.align(b, join="inner")
    for column in shared:
        if (off := ~_equal(a[column], b[column], tolerance)).any():
            lines.append(f"{column}: {off.sum()} of {len(off)} changed")
            changed = zip(a.index[off], a[column][off], b[column][off], strict=True)
            lines += [f"  {row}: {old} -> {new}" for row, old, new in islice(changed, SHOWN)]
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare two folders that are named on the command line; return 1 if they differ."""
    parser = argparse.ArgumentParser(prog="python -m kpca.study.compare", description=__doc__)
    parser.add_argument("a", type=Path, help="folder of results")
    parser.add_argument("b", type=Path, help="another one")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help="default: %(default)g")
    try:
        equal, report = compare_folders(**vars(parser.parse_args(arguments)))
    except FileNotFoundError as error:
        parser.error(str(error))
    print(report)
    return 0 if equal else 1


def _tables(folder: Path) -> set[str]:
    others = {path.parent for path in folder.rglob(PROVENANCE)} - {folder}
    files = [path for path in folder.rglob("*.csv") if others.isdisjoint(path.parents)]
    paths = (path.relative_to(folder) for path in files)
    names = {path.as_posix() for path in paths if path.parts[0] not in LEFT_OUT}
    if not names:
        raise FileNotFoundError(f"{folder} holds no table (*.csv): name a folder of results")
    return names


def _names(table: pd.DataFrame) -> pd.Series:
    """Return the text of each row as its name; repetitions of a text are numbered."""
    text = table.select_dtypes(exclude="number").fillna("-").astype(str)
    names = text.agg(" ".join, axis=1) if text.size else pd.Series("row", table.index)
    again = names.groupby(names).cumcount()
    return names.where(again == 0, names + " #" + (again + 1).astype(str))


def _equal(a: pd.Series, b: pd.Series, tolerance: float) -> np.ndarray:
    if pd.api.types.is_numeric_dtype(a) and pd.api.types.is_numeric_dtype(b):
        return np.isclose(a + 0.0, b + 0.0, rtol=tolerance, atol=tolerance, equal_nan=True)
    return np.asarray((a == b) | (a.isna() & b.isna()))


if __name__ == "__main__":
    sys.exit(main())
