"""The user's own files."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.formats import FORMATS, TEXT, kind_of
from pipeline.datasets.problems import LEAST_FOLDS, table_problems, table_warnings
from pipeline.datasets.table import Table
from pipeline.errors import input_error, is_file, missing_file, shortlist
from pipeline.fingerprint import sha256


def read_user_file(
    name: str, spec: Mapping[str, Any], *, folds: int = LEAST_FOLDS, n_components: int = 1
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
    if problems := _path_problems(path, spec):
        raise input_error(subject, problems)
    table = FORMATS[kind_of(path)](path, subject, spec)
    rows = usable(name, subject, table, spec, folds, n_components)
    return replace(rows, source=f"sha256:{sha256(path)}")


def usable(
    name: str, subject: str, table: Table, spec: Mapping[str, Any], folds: int, n_components: int
) -> Dataset:
    """Convert a table to a dataset without splits, or raise all its problems."""
    table = settle_missing(table, subject, spec.get("missing"))
    table = leave_out_small_classes(table, subject, spec.get("min_class_size"))
    if problems := table_problems(table, spec, folds, n_components):
        raise input_error(subject, problems)
    table.warnings = list(table_warnings(table))
    return table.dataset(name)


def _path_problems(path: Path, spec: Mapping[str, Any]) -> list[str]:
    if not is_file(path):
        return [missing_file(path)]
    if kind_of(path) not in FORMATS or (path.suffix == ".gz" and kind_of(path) not in TEXT):
        return [f"ends in {path.suffix!r}; convert it to one of {', '.join(FORMATS)}"]
    if not path.stat().st_size:
        return ["is empty; write a header and rows into it"]
    problems: list[str] = []
    if not spec.get("kernel_matrix"):
        return problems
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
    table.fill_missing = missing == "median"
    needed = [c for c in table.numeric if missing == "drop" or c == table.roles.get("target")]
    empty = table.numeric[needed].isna()
    for role, names in table.names.items():
        if role != "id":
            empty[table.roles[role]] = names == ""
    gone = empty.any(axis=1)
    if not gone.any():
        return table
    counts = empty.sum().sort_values(ascending=False, kind="stable")
    where = shortlist([f"{name!r} ({count})" for name, count in counts.items() if count])
    if gone.all():
        problem = (
            f"every row has a missing cell, in column {where}, so that `missing: {missing}` leaves "
            "none; `drop` leaves out such columns"
        )
        raise input_error(subject, [problem])
    kept = table.take(~gone)
    kept.warnings.append(
        f"{gone.sum()} of {len(gone)} rows have missing cells, in column {where}, and are left out"
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
    if "label" not in table.names:
        problem = f"`min_class_size: {fewest}` needs classes; name their column as `label`"
        raise input_error(subject, [problem])
    labels = table.names["label"]
    counts = labels[labels != ""].value_counts()
    small = counts[counts < fewest].sort_index()
    if (left := len(counts) - len(small)) < 2:
        problem = f"`min_class_size: {fewest}` leaves {left} of {len(counts)} classes; lower it"
        raise input_error(subject, [problem])
    if small.empty:
        return table
    kept = table.take(~labels.isin(small.index))
    named = shortlist([f"{name!r} ({count})" for name, count in small.items()])
    kept.warnings.append(
        f"{small.sum()} of {len(labels)} rows are of classes with fewer than {fewest} rows, "
        f"{named}, and are left out"
    )
    return kept
