"""The user's own files."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.frames import SHEETS, TEXT, kind_of, read_frame
from pipeline.datasets.npz_file import read_npz
from pipeline.datasets.problems import cell_problems, label_problems, row_problems, size_problems
from pipeline.datasets.table import Table
from pipeline.datasets.warnings import table_warnings
from pipeline.errors import input_error, is_file, missing_file, shortlist

FORMATS: dict[str, Callable[[Path, str, Mapping[str, Any]], Table]] = {
    **dict.fromkeys(SHEETS, read_frame),
    ".npz": read_npz,
}


def read_user_file(
    name: str, spec: Mapping[str, Any], *, folds: int = 1, n_components: int | None = None
) -> Dataset:
    """Read ``spec["path"]`` and make sure that it suffices for folds and components.

    The spec may have `label`, `group`, `target`, `id`, `features`, `drop`, `categorical`,
    `log`, `missing`, `min_class_size`, `encoding`, `sheet`, `kernel_matrix`, `max_rows`,
    `test_share`, `standardize`.

    Raises
    ------
    InputError
        With everything that is wrong with the file.
    """
    path = Path(spec["path"])
    subject = f"dataset {name!r}, file {path}"
    problems = _file_problems(path) or _kernel_problems(path, spec)
    if problems:
        raise input_error(subject, problems)
    table = FORMATS[kind_of(path)](path, subject, spec)
    with path.open("rb") as stream:
        table.source = f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"
    return usable(name, subject, table, spec, folds=folds, n_components=n_components)


def usable(
    name: str,
    subject: str,
    table: Table,
    spec: Mapping[str, Any],
    *,
    folds: int,
    n_components: int | None,
) -> Dataset:
    """Convert a table to a dataset without splits, or raise all its problems."""
    table = settle_missing(table, subject, spec.get("missing"))
    table = leave_out_small_classes(table, subject, spec.get("min_class_size"))
    problems = cell_problems(table)
    # A measurement as label has tiny classes too, which would only distract.
    problems += label_problems(table) or size_problems(
        table, spec, folds=folds, n_components=n_components
    )
    problems = problems or row_problems(table)
    if problems:
        raise input_error(subject, problems)
    table.warnings = table_warnings(table)
    return table.dataset(name)


def _file_problems(path: Path) -> list[str]:
    if not is_file(path):
        return [missing_file(path)]
    if kind_of(path) not in FORMATS or (path.suffix == ".gz" and kind_of(path) not in TEXT):
        return [f"ends in {path.suffix!r}; convert it to one of {', '.join(FORMATS)}"]
    return [] if path.stat().st_size else ["is empty; write a header and rows into it"]


def _kernel_problems(path: Path, spec: Mapping[str, Any]) -> list[str]:
    if not spec.get("kernel_matrix"):
        return []
    problems = []
    if path.suffix.lower() != ".npz":
        problems.append("a kernel matrix must be an NPZ with the array K; convert it")
    if spec.get("standardize"):
        problems.append("a kernel matrix has no columns to standardise; leave out `standardize`")
    if spec.get("missing"):
        problems.append("cells of a kernel matrix cannot be filled in; leave out `missing`")
    return problems


def settle_missing(table: Table, subject: str, missing: Literal["drop", "median"] | None) -> Table:
    """Return a table without the rows that cannot be used, where the spec allows to leave some out.

    Rows without a label, target or group are of no use under ``drop`` and ``median`` alike; under
    ``median`` features are left missing, to be filled in by what the training rows hold.

    Raises
    ------
    InputError
        When no row is left.
    """
    if missing is None:
        return table
    empty = {
        name: np.isnan(table.column(name))
        for name in table.roles.numeric
        if missing == "drop" or name == table.roles.target
    }
    for role, values in (("label", table.label), ("group", table.group)):
        if values is not None:
            column = str(getattr(table.roles, role))
            empty[column] = np.array([value == "" for value in values], dtype=bool)
    table.fill_missing = missing == "median"
    rows = len(table.numeric)
    gone = np.logical_or.reduce([np.zeros(rows, dtype=bool), *empty.values()])
    if not gone.any():
        return table
    counts = Counter({name: int(cells.sum()) for name, cells in empty.items() if cells.any()})
    where = shortlist([f"{name!r} ({count})" for name, count in counts.most_common()])
    if gone.all():
        problem = (
            f"every row has a missing cell, in column {where}, so that `missing: {missing}` leaves "
            "none; `drop` leaves out such columns"
        )
        raise input_error(subject, [problem])
    kept = table.take(np.flatnonzero(~gone))
    kept.warnings.append(
        f"{gone.sum()} of {rows} rows have missing cells, in column {where}, and are left out"
        + ("; `missing: median` fills in features" if missing == "drop" else "")
    )
    return kept


def leave_out_small_classes(table: Table, subject: str, fewest: int | None) -> Table:
    """Return a table without the classes that have fewer rows, and with a warning that names them.

    Raises
    ------
    InputError
        Without a label, and when fewer than two classes are left.
    """
    if fewest is None:
        return table
    counts = Counter(value for value in table.label or () if value)
    small = {name: count for name, count in counts.items() if count < fewest}
    if len(counts) - len(small) < 2:
        left = f"leaves {len(counts) - len(small)} of {len(counts)} classes; lower it"
        problem = left if table.label else "needs classes; name their column as `label`"
        raise input_error(subject, [f"`min_class_size: {fewest}` {problem}"])
    if not small:
        return table
    large = [row for row, value in enumerate(table.label or ()) if value not in small]
    kept = table.take(np.array(large))
    named = shortlist([f"{name!r} ({count})" for name, count in sorted(small.items())])
    kept.warnings.append(
        f"{sum(small.values())} of {len(table.numeric)} rows are of classes with fewer than "
        f"{fewest} rows, {named}, and are left out"
    )
    return kept
