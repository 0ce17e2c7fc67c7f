"""The `Table` that every reader returns: roles of columns, numbers and labels."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kpca.reading.cells import (
    category_text,
    cell_number,
    cell_text,
    decimal_marks,
    numbers_of,
    plain,
    texts_of,
)
from kpca.reading.columns import CATEGORY, DATE, ORDER, Column, present, row_places
from kpca.reading.errors import input_error, nearest, shortlist
from kpca.reading.notation import (
    COMMA,
    POINT,
    are_dates,
    common_rest,
    date_features,
    day_is_first,
    read_dates,
    readings,
    unit,
)
from kpca.types import Floats, Ints

if TYPE_CHECKING:
    import pandas as pd

ALL = "all"  # value of `categorical` that means all columns of text
ROLES = ("label", "group", "target", "id", "time")
LISTS = ("features", "drop", "categorical", "log")
# Pairs of roles that one column may have at once.
_TOGETHER = (["features", "categorical"], ["features", "log"], ["group", "id"])
_MOST_CATEGORIES = 20  # largest number of distinct cells in a column that becomes categories
_FEWEST_ROWS = 10  # Values of fewer rows than this may be in order by chance.


class Table:
    """Content of a file, and its problems.

    The index of `numeric`, `names` and of each series is the number of the row, counted from 1.

    Parameters
    ----------
    frame : DataFrame
        Cells of all columns. The index has the place of each row.
    spec : mapping of str to object
        Options of the dataset in the configuration.
    """

    # Columns of the features and of the target. An empty cell is NaN, text is 0, and a category is
    # its code.
    numeric: "pd.DataFrame"
    features: list[str]  # columns that are variables
    log: list[str]  # features whose logarithm is taken

    def __init__(self, frame: "pd.DataFrame", spec: Mapping[str, Any]) -> None:
        import pandas as pd

        self.spec = spec
        self.warnings = list[str]()  # sentences for the user
        frame = frame.rename(columns=lambda name: plain(str(name)))
        if len(frame.columns) and not frame.columns[0]:
            self.warnings.append(_index_left_out(frame.iloc[:, 0]))
            frame = frame.iloc[:, 1:]
        header = [*frame.columns]
        roles = {
            role: _same_number(plain(str(spec[role])), header)
            for role in ROLES
            if spec.get(role) is not None
        }
        # `features`, `drop`, `categorical` or `log` → columns
        self.listed = {key: _rejoined(spec.get(key) or (), header) for key in LISTS}
        self.all_text_is_categorical = self.listed["categorical"] == [ALL] and ALL not in header
        if self.all_text_is_categorical:
            self.listed["categorical"] = []
        self.orders = dict[str, list[str]]()  # column → words in their order
        for order in spec.get("ordered") or ():  # for example "column/low/high"
            name, *values = map(plain, str(order).split("/"))
            self.orders[name] = values
        self.problems = [  # all problems except those of cells
            *frame.attrs.get("problems", ()),
            *_header_problems(header),
            *_role_problems(header, roles, self.listed, self.orders),
        ]
        self.places = row_places(frame)
        # Columns with a unique name.
        self.frame = frame.loc[:, (frame.columns != "") & ~frame.columns.duplicated(keep=False)]
        # `label`, `group`, `target`, `id` or `time` → column
        self.roles = {role: column for role, column in roles.items() if column in self.frame}
        self.lacks_a_role = len(self.roles) < len(roles)
        # Words for missing cells, in addition to those of every table.
        self.missing = [cell_text(word) for word in spec.get("na") or ()]
        names = {
            role: texts_of(self.frame[column], self.missing)
            for role, column in self.roles.items()
            if role != "target"
        }
        # Text of each row, perhaps empty, with one column per role.
        self.names = pd.DataFrame(names, pd.RangeIndex(1, len(frame) + 1), dtype=object)
        # The decimal mark (or "") of each column, and an ambiguous cell of each unclear column.
        self.decimal, self.unsettled = _decimal_marks(self.frame, spec, self.missing)
        self.columns = dict[str, Column]()  # feature, target or time → how it is read
        self.texts: dict[str, pd.Series[Any]] = {}  # column of numbers → its cells with text
        self.categories = dict[str, list[str]]()  # feature → names of categories, by code
        self.unnamed = list[str]()  # categorical columns that the spec does not name
        self.amounts = dict[str, str]()  # column of numbers in another notation → example

    def place(self, number: int) -> str:
        """Return the name of a row for messages: its line in a text file, or its number from 1."""
        return self.places[number - 1]

    def take(self, rows: "pd.Series[bool]", why: str) -> None:
        """Keep the rows where `rows` is true, with their numbers, and add `why` to the warnings."""
        self.numeric = self.numeric[rows]
        self.names = self.names[rows]
        texts = {column: cells[rows[cells.index]] for column, cells in self.texts.items()}
        self.texts = {column: cells for column, cells in texts.items() if len(cells)}
        self.warnings.append(why)


def frame_table(frame: "pd.DataFrame", subject: str, spec: Mapping[str, Any]) -> Table:
    """Convert the cells of a file or frame, whose index has the place of each row, to a `Table`.

    The spec gives columns their roles. Every other column is a feature, unless it only names or
    numbers the rows, which gives a warning. Text with few values becomes categories. The table
    lists problems of the header and of roles. If no feature is left, these problems are raised at
    once. If points are not known to be decimal, the cells or the spec determine the decimal mark.
    """
    import pandas as pd

    table = Table(frame, spec)
    left_out = {*table.roles.values(), *table.listed["drop"]}
    candidates = [name for name in table.listed["features"] if name in table.frame]
    if not candidates:
        candidates = [name for name in table.decimal if name not in left_out]
    candidates += [table.roles[role] for role in ("target", "time") if role in table.roles]
    values = dict[str, Floats]()
    for name in dict.fromkeys(candidates):
        values |= _features_of(table, name)
    table.numeric = pd.DataFrame(values, table.names.index)
    table.features = [name for name in values if name != table.roles.get("target")]
    numbers = {*table.features} - {*table.categories}
    table.log = [name for name in table.listed["log"] if name in numbers]
    table.problems += _problems_of_roles(table)
    if not table.features:
        none = "no column is left as a feature; there must be at least one"
        raise input_error(subject, [*table.problems, "; ".join([none, *table.warnings])])
    table.problems += [
        f"column {column!r} is named by `log`, but is no number among the features"
        for column in table.listed["log"]
        if column in table.frame and column not in table.log
    ]
    table.warnings += _ways_of_reading(table)
    # If a role has no column, a column of text may be the missing label. Therefore text is not
    # reported as a problem.
    if table.lacks_a_role:
        table.texts.clear()
    return table


def _decimal_marks(
    frame: "pd.DataFrame", spec: Mapping[str, Any], missing: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the mark in the spec for all columns, or else the result of `decimal_marks`."""
    mark = spec.get("decimal") or {COMMA: POINT, POINT: COMMA}.get(spec.get("thousands", ""))
    if mark:
        return dict.fromkeys(map(str, frame), mark), {}
    points_are_decimal = frame.attrs.get("points_are_decimal", True)
    return decimal_marks(frame, missing, points_are_decimal=points_are_decimal)


def _index_left_out(cells: "pd.Series[Any]") -> str:
    """Return the warning that a first column without a name is left out."""
    remedy = "name it to use it"
    if are_dates(texts_of(cells)):
        remedy += ", for example so that `time` orders the rows by its dates"
    unnamed = "column 1 has no name, as the index that pandas writes, and is left out"
    return f"{unnamed}; {remedy}"


def _read(table: Table, name: str) -> tuple[Column, Floats, "pd.Series[Any]"]:
    """Return how a column is read as numbers, the numbers, and the cells that are text."""
    import pandas as pd

    cells = present(table.frame[name])
    column = Column(name, decimal=table.decimal[name])
    numbers, text = numbers_of(cells, column.decimal, missing=table.missing)
    for suffix in sorted(map(str, table.spec.get("units") or ()), key=len, reverse=True):
        if text and not column.unit and str(cells[text[0]]).strip().endswith(suffix):
            column = replace(column, unit=suffix)
            numbers, text = numbers_of(cells, column.decimal, suffix, table.missing)
    texts = [cell_text(cells[position], table.missing) for position in text]
    return column, numbers, pd.Series(texts, [position + 1 for position in text], dtype=object)


def _features_of(table: Table, name: str) -> dict[str, Floats]:
    """Decide how a column is used, and return the features that it becomes, if any."""
    column, numbers, texts = _read(table, name)
    holds_text = len(texts) > 0
    is_target, is_time = (name == table.roles.get(role) for role in ("target", "time"))
    is_category = not is_target and (
        name in table.listed["categorical"]
        or name in table.orders
        or table.frame[name].dtype.name == "category"
        or (holds_text and table.all_text_is_categorical)
    )
    is_text = holds_text and not is_category and bool(np.isnan(numbers).all())
    is_date = is_text and not is_target and are_dates(texts)
    parts = tuple(table.spec.get("dates") or ())
    if is_date and (is_time or parts):
        column = replace(column, kind=DATE, day_first=_day_first(table, name, texts), parts=parts)
        return _date_features(table, column)
    if is_time:
        table.columns[name] = column
        return {}
    if is_text and (rest := common_rest(texts)):
        table.problems.append(
            f"column {name!r} holds numbers with {rest!r} behind them (such as {texts.iat[0]!r}): "
            f"`units: {rest}` reads the numbers (likeliest), `categorical: {name}` makes "
            f"categories of them, and `drop: {name}` leaves the column out"
        )
        return {}
    if not (is_category or is_target or name in table.listed["features"]):
        if is_date:
            table.warnings.append(_dates_left_out(table, name, str(texts.iat[0])))
            return {}
        if reason := only_names(numbers, texts):
            may_turn = is_text and name == table.frame.columns[0] and not table.roles
            table.warnings.append(_names_left_out(name, reason, may_turn=may_turn))
            return {}
    if not (is_category or is_target) and _hold_categories(numbers, texts):
        table.unnamed.append(name)
        is_category = True
    if is_category:
        return {name: _codes(table, column)}
    table.columns[name] = column
    if holds_text:
        numbers[texts.index - 1] = 0.0  # With NaN, text would also be reported as missing.
        table.texts[name] = texts
    else:
        _note_notation(table, name, numbers)
    return {name: numbers}


def _day_first(table: Table, name: str, texts: "pd.Series[Any]") -> bool:
    """Return whether the day comes first, by the spec or else by the dates."""
    if "dayfirst" in table.spec:
        return table.spec["dayfirst"] in (True, "true")
    try:
        first = day_is_first(texts)
    except ValueError as error:
        table.problems.append(f"column {name!r} holds {error}; write all dates as 2024-05-01")
        return False
    if first is None:
        table.problems.append(
            f"column {name!r} holds dates (such as {texts.iat[0]!r}) in which the day or the "
            "month can come first: `dayfirst: true` or `dayfirst: false` says which"
        )
    return bool(first)


def _date_features(table: Table, column: Column) -> dict[str, Floats]:
    """Return the parts of the dates in a column, and list cells that are no dates as problems."""
    name = column.name
    table.columns[name] = column
    if not column.parts:
        return {}
    texts = texts_of(table.frame[name], table.missing)
    features = date_features(name, texts, column.parts, day_first=column.day_first)
    table.problems += [
        f"`dates` makes a feature {feature!r}, but a column has this name; rename it"
        for feature in features
        if feature in table.frame
    ]
    rows = zip(table.places, texts, next(iter(features.values())), strict=True)
    unread = [f"{place} {text!r}" for place, text, value in rows if text and value != value]
    if unread:
        table.problems.append(
            f"column {name!r} holds cells that are no date ({shortlist(unread)}); correct them"
        )
    return features


def _dates_left_out(table: Table, name: str, example: str) -> str:
    order = " Random splits ignore their order; "
    order += f"`time: {name}` tests on later rows than it trains on."
    return (
        f"column {name!r} holds dates (such as {example!r}), and is left out."
        f"{'' if 'time' in table.roles else order} `dates: month,weekday` makes features"
    )


def _names_left_out(name: str, reason: str, *, may_turn: bool) -> str:
    turned = "if it names variables, `transpose: true` turns the table; "
    return (
        f"column {name!r} {reason}, and is left out; {turned * may_turn}"
        "if it is a measurement, list the "
        f"columns to use in `features`; if it names the rows, `id: {name}` says so; if "
        f"it is a time, `time: {name}` does; else `drop: {name}` says that it is none"
    )


def _codes(table: Table, column: Column) -> Floats:
    """Return the codes of a column of categories, or of a column of ordered words."""
    name = column.name
    texts = [category_text(cell, column.decimal, table.missing) for cell in table.frame[name]]
    if name in table.orders:
        words = [category_text(word, column.decimal) or word for word in table.orders[name]]
        column = replace(column, kind=ORDER, values=tuple(words))
    else:
        column = replace(column, kind=CATEGORY, values=encode(filter(None, texts))[1])
        table.categories[name] = [*column.values]
    table.columns[name] = column
    table.warnings += _merged_spellings(name, table.frame[name], texts)
    if unknown := sorted({*texts} - {"", *column.values}):
        whole = "/".join([name, *column.values, *unknown])
        table.problems.append(
            f"column {name!r} holds {shortlist([*map(repr, unknown)])}, which `ordered` does "
            f"not have: `ordered: {whole}`, with all of them in their place"
        )
    codes = {value: float(code) for code, value in enumerate(column.values)} | {"": np.nan}
    return np.array([codes.get(text, 0.0) for text in texts])


def _merged_spellings(name: str, cells: Iterable[Any], categories: Iterable[str]) -> list[str]:
    """Return a warning if two spellings of a number, such as codes 250.1 and 250.10, are merged."""
    first_spelling = dict[str, str]()
    for cell, category in zip(cells, categories, strict=True):
        if not isinstance(cell, str) or cell_number(category) is None:
            continue
        spelling = plain(cell)
        first = first_spelling.setdefault(category, spelling)
        if spelling != first:
            return [
                f"column {name!r} holds {first!r} and {spelling!r}, which are one number and "
                "count as one category; write a letter before codes that differ"
            ]
    return []


def _note_notation(table: Table, name: str, numbers: Floats) -> None:
    """Store problems of numbers (unclear decimal mark, two units), and examples of notation."""
    if open_cell := table.unsettled.get(name, ""):
        mark = COMMA if COMMA in open_cell else POINT
        table.problems.append(
            f"column {name!r} holds {open_cell!r}, which can be {readings(open_cell)}, and no "
            f"cell of the file tells: `decimal: {mark}` or `thousands: {mark}` says which"
        )
    units = dict[str, str]()  # unit → the first cell that has it
    for cell, value in zip(table.frame[name], numbers, strict=True):
        if value != value:
            continue
        units.setdefault(unit(str(cell)), str(cell))
        if _value(cell) != value:
            table.amounts.setdefault(name, f"{cell!r} is {value:.15g}")
    if name in table.amounts and len(units) > 1 and ("%" in units or len({*units} - {""}) > 1):
        table.problems.append(
            f"column {name!r} holds numbers in two units "
            f"({', '.join(map(repr, units.values()))}); write them in one, or leave the "
            f"column out by `drop: {name}`"
        )


def _problems_of_roles(table: Table) -> Iterator[str]:
    """Yield problems of dates and times."""
    kinds = [column.kind for column in table.columns.values()]
    if table.spec.get("dates") and DATE not in kinds:
        yield "`dates` makes features of dates, but no column holds any; leave it out"
    if "time" not in table.roles:
        return
    name = table.roles["time"]
    texts = [*table.names["time"]]
    times, _ = order_of(texts, table.columns[name])
    unread = [repr(text) for text, time in zip(texts, times, strict=True) if text and time != time]
    if unread:
        yield (
            f"time column {name!r} holds {shortlist(unread, limit=3)}; a time is a "
            "number, or a date such as 2024-05-01: correct these cells"
        )
    elif len(texts) > 1 and len(np.unique(times[~np.isnan(times)])) == 1:
        first = next(text for text in texts if text)
        yield (
            f"time column {name!r} holds {first!r} in every row, so that no row is later "
            "than another one; leave out `time`"
        )


def _ways_of_reading(table: Table) -> Iterator[str]:
    """Yield warnings on columns that could also be read in another way."""
    if table.unnamed:
        first = table.unnamed[0]
        names = table.categories[first]
        holds = "column {} holds" if len(table.unnamed) == 1 else "columns {} hold"
        order = f", and words in an order are given as `ordered: {'/'.join([first, *names])}`"
        yield (
            f"{holds.format(shortlist([*map(repr, table.unnamed)]))} text with at most "
            f"{_MOST_CATEGORIES} values, each of which becomes a column of 0 and 1, as "
            f"`categorical: {','.join(table.unnamed)}` says; `drop` leaves columns out"
            + order
            * (len(names) > 2)
        )
    if table.amounts:
        listing = shortlist([f"{name!r} ({example})" for name, example in table.amounts.items()])
        yield (
            f"column {listing} holds signs of money or per cent, units, groups of digits or "
            "decimal commas, and is read as plain numbers"
        )


def _hold_categories(numbers: Floats, texts: Collection[str]) -> bool:
    """Return whether cells have few distinct values, and most cells are texts other than dates."""
    distinct = {*texts}
    present_numbers = numbers[~np.isnan(numbers)]
    other = len(np.unique(present_numbers))
    is_few = other < len(distinct) <= _MOST_CATEGORIES - other
    return is_few and 2 * len(texts) > len(present_numbers) and not are_dates(distinct)


def _same_number(name: str, header: Sequence[str]) -> str:
    """Return the column that `name` means if YAML respelled it, such as 1_2 as 12; else `name`."""
    same = [column for column in header if _value(column) == _value(name) is not None]
    return same[0] if name not in header and len(same) == 1 else name


def _value(cell: Any) -> float | None:
    """Return the number of a cell in Python's notation, or None."""
    with suppress(TypeError, ValueError):
        return float(cell)
    return None


def _rejoined(names: Iterable[Any], header: Sequence[str]) -> list[str]:
    """Return `names` as the header has them, and rejoin names that were split at their commas."""
    if all(plain(str(name)) in header for name in names):
        return [plain(str(name)) for name in names]
    by_text = {name.replace(", ", ","): name for name in header if name}
    longest = sorted(map(re.escape, by_text), key=len, reverse=True)
    text = ",".join(plain(str(name)) for name in names).replace(", ", ",")
    parts = re.findall(f"({'|'.join([*longest, '[^,]+'])})(?:,|$)", text)
    return [by_text.get(part) or _same_number(part, header) for part in parts]


def _header_problems(header: Sequence[str]) -> Iterator[str]:
    for neighbour, column in zip(["", *header], header, strict=False):
        if not column:
            yield f"the column to the right of {neighbour!r} has no name; name it, or remove it"
    for column, times in Counter(filter(None, header)).items():
        if times > 1:
            yield f"column {column!r} stands {times} times; give each a name of its own"


def _role_problems(
    header: Sequence[str],
    roles: Mapping[str, str],
    listed: Mapping[str, Sequence[str]],
    orders: Iterable[str],
) -> Iterator[str]:
    named = [*roles.items(), *((key, column) for key in LISTS for column in listed[key])]
    names = [*dict.fromkeys(filter(None, header))]
    for key, column in [*named, *(("ordered", column) for column in orders)]:
        if column not in header:
            yield f"there is no column {column!r}, which `{key}` names; {nearest(column, names)}"
    keys_of = dict[str, list[str]]()
    for key, column in named:
        keys_of.setdefault(column, []).append(key)
    for column, keys in keys_of.items():
        if len(keys) > 1 and keys not in _TOGETHER:
            together = shortlist([f"`{key}`" for key in keys])
            yield f"column {column!r} is named by {together}; give it one role"
        if keys in (["categorical"], ["log"]) and listed["features"]:
            yield f"column {column!r} is named by `{keys[0]}` alone; add it to `features`"


def order_of(texts: Sequence[str], column: Column) -> tuple[Floats, bool]:
    """Return sortable numbers for the texts of a time column, and whether the texts are dates.

    If all texts are numbers, these are returned. Otherwise the texts are read as dates, which
    become seconds since 1970, or NaN for a text that is no date.

    >>> order_of(["1985", "1984"], Column("year"))
    (array([1985., 1984.]), False)
    """
    numbers, text = numbers_of(texts, column.decimal)
    if not text:
        return numbers, False
    dates = read_dates(texts, day_first=column.day_first, zones=True)
    seconds = dates.to_numpy(dtype="datetime64[s]")
    return np.where(np.isnat(seconds), np.nan, seconds.astype(float)), True


def only_names(values: Floats, texts: Collection[str]) -> str:
    """Return why a column only names or numbers its rows; "" if it does not."""
    rows = len(values)
    if rows < _FEWEST_ROWS:
        return ""
    if len(texts):
        different = len(texts) == len(set(texts)) == rows
        listed = shortlist([repr(text) for text in texts], limit=2)
        return f"holds a different text in every row ({listed})" if different else ""
    if not np.isfinite(values).all() or (values % 1).any():
        return ""
    if (np.diff(np.sort(values)) == 1).all():
        return "looks like a row index"
    steps = np.diff(values)
    if (steps > 0).all():
        return "holds integers that rise from row to row"
    return "holds integers that fall from row to row" if (steps < 0).all() else ""


def encode(values: Iterable[str]) -> tuple[Ints, tuple[str, ...]]:
    """Return a code per value, and the distinct values in the order of their codes.

    The order is numerical if all values are numbers.
    """
    import pandas as pd

    values = list(values)
    names = sorted({*values})  # This fixes the order of equal numbers, such as "1.5" and "1.50".
    if all_numbers(names):
        names.sort(key=lambda name: cell_number(name) or 0.0)
    codes = pd.Categorical(values, names).codes
    return codes.astype(np.int64), tuple(names)


def all_numbers(values: Iterable[str]) -> bool:
    """Return whether every value is a number or missing."""
    return all(cell_number(value) is not None for value in values)
