"""Cells that keep a table from being used, each as one line with its place and its remedy."""

import re

import numpy as np

from pipeline.datasets.alike import alike
from pipeline.datasets.table import Table, all_numbers, number
from pipeline.errors import shortlist

_MOST_COLUMNS = 10
_MOST_NUMERIC_CLASSES = 20
_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")


def cell_problems(table: Table) -> list[str]:
    """List text and missing values where numbers are needed, and missing labels and groups."""
    return [
        *table.problems,
        *_text_problems(table),
        *_number_problems(table),
        *_empty_problems(table, "label", table.label),
        *_empty_problems(table, "group", table.group),
    ]


def label_problems(table: Table) -> list[str]:
    """Whether the label is one class only, or a measurement.

    A measurement is told by its values: numbers, more than 20, and either fractions or more
    than one for every ten rows.
    """
    distinct = {value for value in table.label or () if value}
    if len(distinct) == 1:
        return [_one_class(table, distinct.pop())]
    if len(distinct) <= _MOST_NUMERIC_CLASSES or not all_numbers(distinct):
        return []
    fractional = any(not (number(value) or 0.0).is_integer() for value in distinct)
    if not fractional and len(distinct) <= len(table.numeric) / 10:
        return []
    column = table.roles.label
    return [
        f"label column {column!r} holds {len(distinct)} distinct numbers in {len(table.numeric)} "
        f"rows, which reads as a measurement; give it as `target: {column}` in place of `label`"
    ]


def row_problems(table: Table) -> list[str]:
    """Whether two rows differ at all; cells without a number are named elsewhere."""
    features = table.roles.features
    X = table.numeric[:, : len(features)]
    if len(X) < 2 or not np.isfinite(X).all() or not alike(X, precomputed=table.precomputed):
        return []
    if table.precomputed:
        same = f"the kernel matrix says that all {len(X)} rows are one point (all distances are 0)"
    else:
        names = shortlist([repr(name) for name in features])
        same = f"all {len(X)} rows hold the same values in every feature ({names})"
    return [f"{same}, so that there is no component to find; give features in which rows differ"]


def _text_problems(table: Table) -> list[str]:
    columns = list(table.texts)
    problems = [_text_problem(table, column) for column in columns[:_MOST_COLUMNS]]
    if len(columns) > _MOST_COLUMNS:
        problems.append(f"{len(columns) - _MOST_COLUMNS} more columns hold text")
    return problems


def _text_problem(table: Table, column: str) -> str:
    cells = table.texts[column]
    listed = shortlist([f"{table.place(row)} {text!r}" for row, text in cells], limit=3)
    if all(_DECIMAL_COMMA.fullmatch(text) for _, text in cells):
        remedy = "write the decimal comma as a point"
    elif column == table.roles.target:
        remedy = "a target must be numeric; give classes as `label`"
    else:
        remedy = (
            "a feature must be numeric: encode it as numbers, name it as `label` or `group`, or "
            "list the columns to use in `features`"
        )
    return f"column {column!r} holds text ({listed}); {remedy}"


def _number_problems(table: Table) -> list[str]:
    rows, columns = np.nonzero(~np.isfinite(table.numeric))
    if len(rows) == 0:
        return []
    cells = [
        f"{table.place(row)}, column {table.roles.numeric[column]!r} "
        f"({'missing' if np.isnan(table.numeric[row, column]) else 'infinite'})"
        for row, column in zip(rows[:6].tolist(), columns[:6].tolist(), strict=True)
    ]
    count = "1 cell holds" if len(rows) == 1 else f"{len(rows)} cells hold"
    more = [""] * (len(rows) - len(cells))
    return [
        f"{count} no finite number: {shortlist(cells + more)}; fill them in, remove their rows, "
        "or list the columns to use in `features`"
    ]


def _empty_problems(table: Table, role: str, values: list[str] | None) -> list[str]:
    empty = [row for row, value in enumerate(values or ()) if not value]
    if not empty:
        return []
    listed = shortlist([table.place(row) for row in empty])
    column = getattr(table.roles, role)
    return [f"{role} column {column!r} is empty in {listed}; fill it in or remove these rows"]


def _one_class(table: Table, name: str) -> str:
    column = table.roles.label
    return (
        f"label column {column!r} holds one class only, {name!r}; give rows of at least two, or "
        "leave out `label` to go without a classifier"
    )
