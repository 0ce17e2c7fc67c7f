"""Problems that make a table unusable, and warnings about a usable one.

They concern cells and labels. Each one is a line of text that says what is wrong, in which column,
and what to do.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from kpca.reading.cells import cell_number
from kpca.reading.errors import shortlist
from kpca.reading.notation import COMMA, POINT, are_dates
from kpca.reading.table import ROLES, Table, all_numbers

_CODES = [10.0**digits - 1 for digits in range(1, 7)]  # 9, 99, … may mark missing cells
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_LARGEST = 1e150  # Larger numbers have squares that overflow.
_MOST_COLUMNS = 10
_MOST_MISSING_WORDS = 5  # largest number of texts per column that may all mark missing cells
_MOST_NUMERIC_CLASSES = 20
_FEW_CLASSES = 10  # number of digits, a common label; more numeric classes may be a measurement


def cell_problems(table: Table) -> list[str]:
    """List what is wrong with the names and the cells of a table."""
    checks = (_name_problems, _text_problems, _number_problems, _log_problems, _empty_problems)
    return [*table.problems, *(problem for check in checks for problem in check(table))]


def _name_problems(table: Table) -> Iterator[str]:
    """Yield a problem for names with control characters, which figures and pages cannot show."""
    columns = {"column": [*table.numeric, *table.roles.values()]}
    for where, names in {**columns, **_values(table, ROLES)}.items():
        if odd := sorted({repr(name) for name in names if _CONTROL.search(name)}):
            yield (
                f"{where}: {shortlist(odd)} holds a control character or half of "
                "one; spell it with letters and signs only"
            )


def _values(table: Table, roles: Iterable[str]) -> dict[str, Iterable[str]]:
    """Return column in words → its texts, for columns with these roles or with categories."""
    of_roles: dict[str, Iterable[str]] = {
        f"{role} column {table.roles[role]!r}": table.names[role]
        for role in roles
        if role in table.names
    }
    return of_roles | {f"column {name!r}": values for name, values in table.categories.items()}


def _text_problems(table: Table) -> Iterator[str]:
    for column, cells in list(table.texts.items())[:_MOST_COLUMNS]:
        rows = zip(cells.index.tolist(), cells, strict=True)
        listed = [f"{table.place(row)} {text!r}" for row, text in rows]
        problem = f"column {column!r} holds text ({shortlist(listed, limit=3)})"
        yield f"{problem}; {_remedy_of_text(table, column)}"
    if len(table.texts) > _MOST_COLUMNS:
        more = len(table.texts) - _MOST_COLUMNS
        yield f"{more} more columns hold text; `categorical: all` makes categories of all"


def _remedy_of_text(table: Table, column: str) -> str:
    """Return what can be done about the texts in a column, the likeliest remedy first."""
    cells = table.texts[column]
    rows = len(table.numeric)
    values = sorted({*cells})
    other = POINT if table.columns[column].decimal == COMMA else COMMA
    missing = f"{_marks_missing(table, values)} if these cells are missing"
    if any(cell_number(cell, other) is not None for cell in cells):
        return "other numbers of this column have the other decimal mark: write all with one"
    if are_dates(cells):
        return (
            "these are dates: `dates: month,weekday` makes features of them, `time` orders the "
            "rows by them, and `drop` leaves them out"
        )
    if column == table.roles.get("target"):
        return f"a target must be numeric: {missing}, or give classes as `label`"
    if len(cells) < rows / 2:
        few = f"{missing} (likeliest), " if len(values) <= _MOST_MISSING_WORDS else ""
        return (
            f"a feature must be numeric: {few}`categorical: {column}` if its values are "
            f"categories, or `drop: {column}`, or correct these cells"
        )
    group = f"`group: {column}` keeps the {rows / len(values):.0f} rows of each value together"
    return (
        f"it has {len(values)} values: {group} (likeliest), `categorical: {column}` makes a column "
        f"of 0 and 1 of each, `drop: {column}` leaves it out"
    )


def _marks_missing(table: Table, words: Sequence[str]) -> str:
    """Return the option by which words mark missing cells; a list if a word has a comma."""
    every = [*table.missing, *words]
    joined = ",".join(every)
    if joined.count(",") >= len(every):
        joined = json.dumps(every, ensure_ascii=False)
    return f"`na: {joined}`"


def _number_problems(table: Table) -> Iterator[str]:
    X = table.numeric
    is_infinite = X.abs().to_numpy() > _LARGEST
    is_wrong = is_infinite.copy()
    if table.spec.get("missing") != "median":
        is_wrong |= X.isna().to_numpy() & (X.columns != table.roles.get("target"))
    wrong = np.argwhere(is_wrong)
    if not len(wrong):
        return
    cells = [""] * len(wrong)  # The message lists only the first ones.
    for number, (row, column) in enumerate(wrong[:6].tolist()):
        why = "missing" if np.isnan(X.iloc[row, column]) else "infinite, or too large"
        cells[number] = f"{table.place(X.index[row])}, column {X.columns[column]!r} ({why})"
    of_text = ""
    if X[[*table.categories]].isna().to_numpy().any():
        of_text = "`missing: median` keeps a text such as NA as a category of its own; "
    infinite = sorted({repr(value) for value in X.to_numpy()[is_infinite].tolist()})
    remedy = (
        f"{of_text}fill them in, or say `missing: drop` (leave out rows with missing cells), "
        "`missing: median` (medians of the training rows) or `drop` with the columns"
    )
    if table.spec.get("missing") or len(infinite) > _MOST_MISSING_WORDS:
        remedy = "correct them, or say `drop` with the columns"
    if 0 < len(infinite) <= _MOST_MISSING_WORDS:
        remedy = f"{_marks_missing(table, infinite)} counts infinite cells as missing; {remedy}"
    yield (
        f"{len(cells)} cell{'s hold' if len(cells) > 1 else ' holds'} no finite number: "
        f"{shortlist(cells)}; {remedy}"
    )


def _log_problems(table: Table) -> Iterator[str]:
    not_positive = {column: table.numeric.index[table.numeric[column] <= 0] for column in table.log}
    positive = [column for column, rows in not_positive.items() if rows.empty]
    remedy = f"say `log: {','.join(positive)}`" if positive else "leave out `log`"
    for column, rows in not_positive.items():
        if column not in table.texts and len(rows):
            yield (
                f"column {column!r} holds numbers that are not positive "
                f"({shortlist([*map(table.place, rows)], limit=3)}) and have no logarithm; {remedy}"
            )


def _empty_problems(table: Table) -> Iterator[str]:
    for role, column in table.roles.items():
        gone = table.names[role] == "" if role in table.names else table.numeric[column].isna()
        places = [table.place(row) for row in gone.index[gone]]
        if places and role != "id":
            yield (
                f"{role} column {column!r} is empty in {len(places)} of {len(gone)} rows "
                f"({shortlist(places, limit=3)}). A {role} cannot be filled in: `missing: median` "
                "leaves these rows out and fills in features, `missing: drop` leaves out every row "
                "with a missing cell"
            )


def label_problems(table: Table) -> list[str]:
    """List a problem if the label has one class only, or seems to be a measurement."""
    labels = [*table.names.get("label", ())]
    column = table.roles.get("label")
    distinct = {*labels} - {""}
    if len(distinct) == 1:
        return [
            f"label column {column!r} holds one class only, {distinct.pop()!r}; give rows of at "
            "least two, or leave out `label` to go without a classifier"
        ]
    if len(distinct) > _MOST_NUMERIC_CLASSES and is_measurement(labels):
        return [
            f"label column {column!r} holds {len(distinct)} distinct numbers in {len(labels)} "
            f"rows, which reads as a measurement; give it as `target: {column}` in place of `label`"
        ]
    return []


def is_measurement(texts: Iterable[str]) -> bool:
    """Return whether texts are measurements, to be predicted as numbers and not as classes.

    Texts are measurements if all are numbers and one of two conditions holds: some numbers have
    fractions, or there are more than 20 distinct numbers, each in fewer than ten rows on average.

    >>> is_measurement(["1", "2"] * 30), is_measurement(["1.5", "2"]), is_measurement(["a", "2"])
    (False, True, False)
    """
    values = [text for text in texts if text]
    distinct = {*values}
    if not all_numbers(distinct):
        return False
    fractional = any(not (cell_number(value) or 0.0).is_integer() for value in distinct)
    return fractional or len(distinct) > max(_MOST_NUMERIC_CLASSES, len(values) / 10)


def table_warnings(table: Table) -> Iterator[str]:
    """Yield warnings about a table without problems, one sentence each."""
    yield from table.warnings
    for check in (_codes_for_missing, _filled, _constant, _several_rows, _spellings, _odd_classes):
        yield from check(table)


def _constant(table: Table) -> Iterator[str]:
    X = table.numeric[table.features]
    # A column with only missing cells is filled with zeros, and so is constant.
    constant = X.columns[(X.min() == X.max()) | X.isna().all()]
    if len(constant) and not table.spec.get("kernel_matrix"):
        yield (
            f"column {shortlist([*map(repr, constant)])} is constant: it has no effect, and is "
            "kept; `drop` leaves it out"
        )


def _several_rows(table: Table) -> Iterator[str]:
    """Warn of rows of one subject that a split may put on both sides."""
    names = table.names
    roles = table.roles
    if "id" not in names or "time" in names:
        return
    again = names["id"][names["id"].duplicated(keep=False)]
    if "group" in names:  # Rows of a subject that are in one group stay together.
        groups = names["group"].groupby(names["id"]).transform("nunique")
        again = again[groups[again.index] > 1]
    listed = [
        f"{name!r} ({shortlist([*map(table.place, same.index)], limit=3)})"
        for name, same in again.groupby(again, sort=False)
    ]
    if listed:
        yield (
            f"id column {roles['id']!r} names several rows alike: {shortlist(listed, limit=3)}; "
            "rows of one subject belong together: name the column as `group`"
            f"{'' if 'group' in names else ' too'}"
        )


def _odd_classes(table: Table) -> Iterator[str]:
    """Warn of classes that may be marks of missing cells, or measurements."""
    column = table.roles.get("label")
    classes = sorted({*table.names.get("label", ())})
    marks = [name for name in classes if not any(map(str.isalnum, name))]
    if 0 < len(marks) < len(classes):
        yield (
            f"label column {column!r} holds {shortlist([*map(repr, marks)])}, which counts as a "
            f"class; if it marks missing cells, {_marks_missing(table, marks)} says so"
        )
    if len(classes) > _FEW_CLASSES and all_numbers(classes):
        yield (
            f"label column {column!r} holds {len(classes)} distinct numbers, each a class of its "
            f"own; if it is a measurement, give it as `target: {column}` in place of `label`"
        )


def _codes_for_missing(table: Table) -> Iterator[str]:
    """Warn of repeated numbers such as -99 and 999 that are far from all others of a column."""
    for column in table.features:
        values = table.numeric[column].dropna()
        is_code = values.abs().isin(_CODES)
        codes = values[is_code]
        others = values[~is_code]
        low = others.min()
        high = others.max()
        far = codes[np.maximum(low - codes, codes - high) > max(high - low, 1)]
        if len(far) > 1 and column not in table.categories:
            names = [f"{code:g}" for code in sorted({*far})]
            yield (
                f"column {column!r} holds {shortlist(names)} in {len(far)} of {len(values)} rows, "
                f"far from the others ({low:g} to {high:g}); if it marks missing cells, "
                f"{_marks_missing(table, names)}"
            )


def _filled(table: Table) -> Iterator[str]:
    """Warn of columns in which most cells are missing and filled in."""
    shares = table.numeric[table.features].isna().mean()
    mostly_missing = shares[shares.between(0.5, 1, inclusive="neither")]
    if table.spec.get("missing") == "median" and len(mostly_missing):
        listed = [f"{name!r} ({share:.0%})" for name, share in mostly_missing.items()]
        yield (
            f"column {shortlist(listed)} is mostly missing, and filled in by `missing: median`; "
            "`drop` leaves it out"
        )


def _spellings(table: Table) -> Iterator[str]:
    for where, names in _values(table, ("label", "group")).items():
        alike: dict[str, list[str]] = {}
        for name in sorted({*names}):
            alike.setdefault(" ".join(name.casefold().split()), []).append(repr(name))
        listed = [" and ".join(spelt) for spelt in alike.values() if spelt[1:]]
        if listed:
            yield (
                f"{where} holds values that differ only by case or space, {shortlist(listed)}, "
                "which count as different; spell them alike if they are one"
            )
