"""The user's own files."""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pipeline.datasets.csv_header import TEXT, kind_of
from pipeline.datasets.dataset import Dataset
from pipeline.datasets.frames import SHEETS, read_frame
from pipeline.datasets.missing import leave_out_small_classes, settle_missing
from pipeline.datasets.npz_file import read_npz
from pipeline.datasets.problems import cell_problems, label_problems, row_problems, size_problems
from pipeline.datasets.table import Table
from pipeline.datasets.warnings import table_warnings
from pipeline.errors import input_error, is_file, missing_file

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
