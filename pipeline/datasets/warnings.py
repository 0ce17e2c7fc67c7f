"""What a person should know of rows that can be used: what, which column, what to do."""

import re
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from pipeline.datasets.dataset import Dataset, FloatArray
from pipeline.datasets.table import DECIMAL_COMMA, Table, all_numbers
from pipeline.errors import shortlist

_FEWEST_ROWS = 10  # fewer may be in order by chance
_FEW_CLASSES = 10  # as many as digits
_DATE = re.compile(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}([ T].*)?")


def table_warnings(table: Table) -> list[str]:
    """Return what is odd about a table without problems, a sentence each."""
    return [
        *table.warnings,
        *_constant_columns(table),
        *_repeated_names(table),
        *_spellings(table),
        *_numeric_label(table),
    ]


def split_warnings(dataset: Dataset) -> list[str]:
    """Return what is odd about a dataset with splits: copies of training rows among the tests.

    Copies are equal in every feature and in the label or target.
    """
    if dataset.precomputed:
        return []
    answer = next((each for each in (dataset.y, dataset.target) if each is not None), None)
    columns = dataset.X if answer is None else np.column_stack([dataset.X, answer])
    # Adding zero makes one zero of two.
    rows = np.array([row.tobytes() for row in columns + 0.0], dtype=object)
    _, code, times = np.unique(rows, return_inverse=True, return_counts=True)
    leaks = [int(np.isin(code[test], code[train]).sum()) for train, test in dataset.splits]
    if not any(leaks):
        return []
    repeated, tests = int((times[code] > 1).sum()), len(dataset.splits[0][1])
    also = {"classification": " and in the label", "regression": " and in the target"}
    return [
        f"{repeated} of {len(rows)} rows equal another one in every feature"
        f"{also.get(dataset.task, '')}; of the {tests} test rows of a replicate, "
        f"{np.mean(leaks):.3g} on average are among its training rows too. Copies make every score "
        "too good: remove them, or name the column that copies share as `group`. Rounded "
        "measurements that coincide can stay"
    ]


def are_dates(texts: Collection[str]) -> bool:
    """Whether every text reads as a date, such as 2024-05-01, 1.5.2024 or 5/1/24 12:00.

    Examples
    --------
    >>> are_dates({"2024-05-01", "1.5.2024 12:00"}), are_dates({"1.5", "a"})
    (True, False)
    """
    return all(_DATE.fullmatch(text.strip()) for text in texts)


def only_names(values: FloatArray, texts: Sequence[str]) -> str:
    """Return why a column only names or numbers its rows; nothing if it does not.

    Integers that ascend from row to row, or that are in some order one for each row, and
    text that is another one in each row.

    Examples
    --------
    >>> only_names(np.arange(20.0), []), only_names(np.ones(20), [])
    ('looks like a row index', '')
    """
    rows = len(values)
    if rows < _FEWEST_ROWS:
        return ""
    if texts:
        different = len(texts) == len(set(texts)) == rows
        commas = all(map(DECIMAL_COMMA.fullmatch, texts))
        listed = shortlist([repr(text) for text in texts], limit=2)
        return f"holds a different text in every row ({listed})" if different and not commas else ""
    if not np.isfinite(values).all() or (values % 1).any():
        return ""
    if (np.diff(np.sort(values)) == 1).all():
        return "looks like a row index"
    ascend = (np.diff(values) > 0).all()
    return "holds integers that ascend from row to row" if ascend else ""


def _constant_columns(table: Table) -> Iterator[str]:
    if table.precomputed:
        return
    X = table.numeric[:, : len(table.roles.features)]
    # A missing cell is none of the others, and a column of such alone becomes zeros.
    constant = np.fmin.reduce(X, axis=0) == np.fmax.reduce(X, axis=0)
    constant |= np.isnan(X).all(axis=0)
    names = [repr(table.roles.features[column]) for column in np.flatnonzero(constant)]
    if names:
        yield (
            f"column {shortlist(names)} is constant: it has no effect, and is kept; `drop` leaves "
            "it out"
        )


def _repeated_names(table: Table) -> Iterator[str]:
    places: dict[str, list[str]] = {}
    for row, name in enumerate(table.ids or ()):
        places.setdefault(name, []).append(table.place(row))
    listed = [
        f"{name!r} ({shortlist(found, limit=3)})" for name, found in places.items() if found[1:]
    ]
    if table.roles.id != table.roles.group and listed:
        yield (
            f"id column {table.roles.id!r} names several rows alike: {shortlist(listed, limit=3)}; "
            "rows of one subject belong together: name the column as `group` too"
        )


def _spellings(table: Table) -> Iterator[str]:
    columns = {} if table.label is None else {f"label column {table.roles.label!r}": table.label}
    for column, names in columns.items():
        yield from _spelled(column, names)
    for name, categories in table.categories.items():
        yield from _spelled(f"column {name!r}", categories)


def _spelled(column: str, names: Sequence[str]) -> Iterator[str]:
    alike: dict[str, list[str]] = {}
    for name in sorted(set(names)):
        alike.setdefault(" ".join(name.casefold().split()), []).append(repr(name))
    listed = [" and ".join(spelt) for spelt in alike.values() if spelt[1:]]
    if listed:
        yield (
            f"{column} holds values that differ only by case or space, {shortlist(listed)}, which "
            "count as different; spell them alike if they are one"
        )


def _numeric_label(table: Table) -> Iterator[str]:
    distinct, column = set(table.label or ()), table.roles.label
    if len(distinct) > _FEW_CLASSES and all_numbers(distinct):
        yield (
            f"label column {column!r} holds {len(distinct)} distinct numbers, each a class of its "
            f"own; if it is a measurement, give it as `target: {column}` in place of `label`"
        )
