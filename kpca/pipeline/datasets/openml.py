"""Datasets of OpenML, in its ARFF format."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca.pipeline.datasets.openml_cache import Cached, download, verified
from kpca.pipeline.datasets.rows import Rows
from kpca.pipeline.datasets.table import Table, TextCells, assign_roles, labels, read_number
from kpca.pipeline.datasets.user_file import checksum, usable
from kpca.pipeline.errors import input_error

_IDENTIFIERS = ("ignore_attribute", "row_id_attribute")


def read_openml(
    name: str,
    spec: Mapping[str, Any],
    *,
    folds: int = 1,
    n_components: int | None = None,
    service: str | None = None,
) -> Rows:
    """Load a dataset of OpenML, from the cache where it is there.

    Columns that OpenML marks as identifiers are left out. Without `label` and `target` in the
    spec, OpenML's default target is the label.

    Parameters
    ----------
    name : str
        The key in the configuration.
    spec : mapping
        `openml` (its id) and where wanted `version`, `sha256` (both checked), `cache` (a
        folder), and the keys of the user's own files.
    folds, n_components : int
        What the rows must suffice for.
    service : str, optional
        Address of a description, with ``{}`` for the id; by default where scikit-learn's
        ``fetch_openml`` looks.

    Raises
    ------
    InputError
        When the download fails, differs from what was asked for, or cannot be used.
    """
    cached = Cached.of(spec)
    subject = f"dataset {name!r}, OpenML {spec['openml']}"
    if not cached.complete:
        download(cached, subject, service or _default_service())
    description = verified(cached, subject, spec)
    table = _table(cached.data, subject, _with_label(spec, description), _identifiers(description))
    table.source = f"sha256:{checksum(cached.data)}"
    return usable(subject, table, spec, folds=folds, n_components=n_components)


def _with_label(spec: Mapping[str, Any], description: Mapping[str, Any]) -> Mapping[str, Any]:
    default = description.get("default_target_attribute")
    return {"label": default, **spec} if default and not {"label", "target"} & {*spec} else spec


def _identifiers(description: Mapping[str, Any]) -> set[str]:
    """Columns that number the rows or otherwise give their labels away."""
    values = [description.get(key) or [] for key in _IDENTIFIERS]
    return {name for value in values for name in ([value] if isinstance(value, str) else value)}


def _table(path: Path, subject: str, spec: Mapping[str, Any], left_out: set[str]) -> Table:
    from scipy.io import arff

    try:
        records, meta = arff.loadarff(io.StringIO(path.read_text(encoding="utf-8")))
    except (arff.ArffError, NotImplementedError, ValueError, StopIteration) as error:
        problem = (
            f"cannot be read as dense ARFF with numbers and categories ({error}); convert it to "
            "CSV and give its `path`"
        )
        raise input_error(subject, [problem]) from error
    left_out -= {str(spec.get(role)) for role in ("label", "group", "target")}
    columns = [column for column in meta.names() if column not in left_out]
    roles = assign_roles(subject, spec, columns)
    texts: TextCells = {}
    return Table(
        roles=roles,
        numeric=np.column_stack([_numbers(records[c], c, texts) for c in roles.numeric]),
        label=None if roles.label is None else labels(records[roles.label].tolist()),
        group=None if roles.group is None else labels(records[roles.group].tolist()),
        texts=texts,
    )


def _numbers(values: NDArray[Any], column: str, texts: TextCells) -> NDArray[np.float64]:
    """Read a column; categories that are written as numbers count as numbers."""
    if values.dtype.kind == "f":
        return values
    cells = enumerate(labels(values.tolist()))
    return np.array([read_number(texts, column, row, cell) for row, cell in cells])


def _default_service() -> str:
    from sklearn.datasets import _openml

    return str(_openml._DATA_INFO)
