"""What keeps a table from being used: cells, labels, sizes; one line each, with its remedy."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pipeline.datasets.dataset import Dataset, IntArray, alike
from pipeline.datasets.needs import LEAST_FOLDS, LEAST_ROWS, Sizes, fold_rows, groups_for, rows_for
from pipeline.datasets.splits import TEST_SHARE, allocate, held_out_counts
from pipeline.datasets.table import DECIMAL_COMMA, Table, all_numbers, encode, number
from pipeline.datasets.warnings import are_dates
from pipeline.errors import shortlist

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_MOST_COLUMNS = 10
_MOST_NUMERIC_CLASSES = 20


def cell_problems(table: Table) -> list[str]:
    """List text and missing values where numbers are needed, and missing labels and groups."""
    return [
        *table.problems,
        *_name_problems(table),
        *_text_problems(table),
        *_number_problems(table),
        *_log_problems(table),
        *_empty_problems(table, "label", table.label),
        *_empty_problems(table, "group", table.group),
    ]


def _name_problems(table: Table) -> Iterator[str]:
    """Names go into tables, figures and pages, which hold no control characters but line breaks."""
    roles = table.roles
    named = {
        "column": [*roles.numeric, *filter(None, (roles.label, roles.group, roles.id))],
        f"label column {roles.label!r}": table.label,
        f"group column {roles.group!r}": table.group,
        f"id column {roles.id!r}": table.ids,
        **{f"column {name!r}": names for name, names in table.categories.items()},
    }
    for where, names in named.items():
        odd = sorted({name for name in names or () if _CONTROL.search(name)})
        if odd:
            yield (
                f"{where}: {shortlist(list(map(repr, odd)))} holds a control character or half of "
                "one; spell it with letters and signs only"
            )


def label_problems(table: Table) -> list[str]:
    """Whether the label is one class only, or a measurement.

    A measurement is told by its values: numbers, more than 20, and either fractions or more
    than one for every ten rows.
    """
    distinct, rows = {value for value in table.label or () if value}, len(table.numeric)
    column = table.roles.label
    if len(distinct) == 1:
        return [
            f"label column {column!r} holds one class only, {distinct.pop()!r}; give rows of at "
            "least two, or leave out `label` to go without a classifier"
        ]
    if len(distinct) <= _MOST_NUMERIC_CLASSES or not all_numbers(distinct):
        return []
    fractional = any(not (number(value) or 0.0).is_integer() for value in distinct)
    if not fractional and len(distinct) <= rows / 10:
        return []
    return [
        f"label column {column!r} holds {len(distinct)} distinct numbers in {rows} rows, which "
        f"reads as a measurement; give it as `target: {column}` in place of `label`"
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


def size_problems(
    table: Table, spec: Mapping[str, Any], *, folds: int = 1, n_components: int | None = None
) -> list[str]:
    """List what the rows do not suffice for: inner folds, and the largest number of components.

    `max_rows` and `test_share` of the spec decide how many rows are left to train on.
    """
    if not len(table.numeric):
        return ["there are no rows, only names of columns; add rows"]
    names: tuple[str, ...] = ()
    counts = np.array([len(table.numeric)])
    if table.label is not None:
        codes, found = encode([value for value in table.label if value])
        counts, names = np.bincount(codes, minlength=1), found or ("",)
    problems = class_problems(counts, names, spec, folds)
    problems += _group_problems(table, folds, spec.get("test_share", TEST_SHARE))
    if n_components and not problems:
        problems += component_problems(train_rows(counts, spec), folds, n_components)
    return problems


def class_problems(
    counts: IntArray, names: tuple[str, ...], spec: Mapping[str, Any], folds: int
) -> list[str]:
    """Whether each class has rows enough for every inner fold to train and to validate on it.

    Without labels, `counts` holds the one number of all rows, and `names` is empty.
    """
    fewest = rows_for(folds, spec.get("test_share", TEST_SHARE))
    kept = _kept(counts, spec.get("max_rows"))
    if not names:
        total, need = int(kept.sum()), f"{folds} folds need at least {fewest}"
        if fewest < LEAST_ROWS:
            fewest, need = LEAST_ROWS, f"folds and tests need at least {LEAST_ROWS}"
        return [f"there are {total} rows, and {need}; add rows"] if total < fewest else []
    small = [
        f"{name!r} ({have})" if have == had else f"{name!r} ({have} of {had} under `max_rows`)"
        for name, had, have in zip(names, counts.tolist(), kept.tolist(), strict=True)
        if have < fewest
    ]
    lower = ", or lower evaluation.folds" if folds > LEAST_FOLDS else ""
    few = (
        f"class {shortlist(small)} has fewer than the {fewest} rows that {folds} folds need; add "
        f"rows, leave such classes out by `min_class_size: {fewest}`, or merge them{lower}"
    )
    return [few] if small else []


def component_problems(train: int, folds: int, n_components: int) -> list[str]:
    """Whether the smallest inner training fold of `train` rows has that many components.

    Centring takes one dimension, so r rows have at most r - 1.
    """
    smallest = fold_rows(train, folds)
    if n_components < smallest:
        return []
    return [
        f"evaluation.n_components asks for {n_components}, but {folds} folds leave {smallest} of "
        f"{train} training rows to fit, which have at most {smallest - 1} components; lower "
        "n_components or use more rows"
    ]


def train_rows(counts: IntArray, spec: Mapping[str, Any]) -> int:
    """Count the training rows that `max_rows` and `test_share` leave."""
    kept = _kept(counts, spec.get("max_rows"))
    return int((kept - held_out_counts(kept, spec.get("test_share", TEST_SHARE))).sum())


def sizes_of(dataset: Dataset, spec: Mapping[str, Any]) -> Sizes:
    """Count what decides on folds and components, in rows that were read."""
    counts = np.array([len(dataset.X)]) if dataset.y is None else np.bincount(dataset.y)
    kept = _kept(counts, spec.get("max_rows"))
    grouped = np.zeros(0, dtype=int) if dataset.groups is None else np.bincount(dataset.groups)
    return Sizes(
        rows_of_file=len(dataset.X),
        rows=int(kept.sum()),
        smallest=int(kept.min()),
        train=train_rows(counts, spec),
        groups=len(grouped),
        largest_group=int(grouped.max(initial=0)),
        test_share=spec.get("test_share", TEST_SHARE),
    )


def _text_problems(table: Table) -> Iterator[str]:
    for column, cells in list(table.texts.items())[:_MOST_COLUMNS]:
        listed = shortlist([f"{table.place(row)} {text!r}" for row, text in cells], limit=3)
        if all(DECIMAL_COMMA.fullmatch(text) for _, text in cells):
            remedy = "write the decimal comma as a point"
        elif column == table.roles.target:
            remedy = "a target must be numeric; give classes as `label`"
        elif are_dates([text for _, text in cells]):
            remedy = (
                "these are dates: put numbers in their place, such as year or month, or name the "
                "column under `drop` or `id`"
            )
        else:
            remedy = (
                "a feature must be numeric: correct these cells, or name the column under "
                "`categorical` (a column of 0 and 1 for each of its values), `drop`, `label`, "
                "`group` or `id`"
            )
        yield f"column {column!r} holds text ({listed}); {remedy}"
    if len(table.texts) > _MOST_COLUMNS:
        yield f"{len(table.texts) - _MOST_COLUMNS} more columns hold text"


def _number_problems(table: Table) -> Iterator[str]:
    wrong = np.isinf(table.numeric) if table.fill_missing else ~np.isfinite(table.numeric)
    rows, columns = np.nonzero(wrong)
    if len(rows) == 0:
        return
    cells = [
        f"{table.place(row)}, column {table.roles.numeric[column]!r} "
        f"({'missing' if np.isnan(table.numeric[row, column]) else 'infinite'})"
        for row, column in zip(rows[:6].tolist(), columns[:6].tolist(), strict=True)
    ]
    count = "1 cell holds" if len(rows) == 1 else f"{len(rows)} cells hold"
    more = [""] * (len(rows) - len(cells))
    yield (
        f"{count} no finite number: {shortlist(cells + more)}; fill them in, or say `missing: "
        "drop` (leave out rows with missing cells), `missing: median` (medians of the training "
        "rows) or `drop` with the columns"
    )


def _log_problems(table: Table) -> Iterator[str]:
    for column in table.log:
        rows = np.flatnonzero(table.column(column) <= 0)
        if len(rows) and column not in table.texts:
            listed = shortlist([table.place(row) for row in rows.tolist()], limit=3)
            yield (
                f"column {column!r} holds numbers that are not positive ({listed}) and have no "
                "logarithm; take it out of `log`"
            )


def _empty_problems(table: Table, role: str, values: list[str] | None) -> Iterator[str]:
    if empty := [table.place(row) for row, value in enumerate(values or ()) if not value]:
        column = f"{role} column {getattr(table.roles, role)!r}"
        yield (
            f"{column} is empty in {shortlist(empty)}; fill it in or remove these rows, as "
            "`missing: drop` does"
        )


def _kept(counts: IntArray, max_rows: int | None) -> IntArray:
    return allocate(counts, max_rows) if max_rows and max_rows < counts.sum() else counts


def _group_problems(table: Table, folds: int, share: float) -> Iterator[str]:
    """Whether there is a group for testing and one a fold, and three of each class.

    Three, so that a class can be tested, trained and validated on.
    """
    if table.group is None:
        return
    groups, column = len({group for group in table.group if group}), table.roles.group
    fewest = groups_for(folds, share)
    if groups < fewest:
        yield (
            f"group column {column!r} holds {groups} groups, which are never split; a test share "
            f"of {share} and {folds} folds need at least {fewest}"
        )
        return
    members: dict[str, set[str]] = {}
    for label, group in zip(table.label or (), table.group, strict=False):
        if label and group:
            members.setdefault(label, set()).add(group)
    confined = [f"{name!r} ({len(of)})" for name, of in sorted(members.items()) if len(of) < 3]
    if confined:
        yield (
            f"class {shortlist(confined)} lies in fewer than 3 groups of column {column!r}; one "
            "each is needed for testing, training and validation; merge classes, or leave small "
            "ones out by `min_class_size`"
        )
