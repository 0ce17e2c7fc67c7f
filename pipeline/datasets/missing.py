"""Rows with missing cells, left out, filled in later or a problem; and rows of small classes."""

from collections import Counter
from typing import Literal

import numpy as np

from pipeline.datasets.table import Table
from pipeline.errors import input_error, shortlist


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
