"""What every reader of a file returns: which column serves as what, numbers, and labels."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kpca.reading.cells import (
    category_text,
    cell_number,
    cell_text,
    column_evidence,
    numbers_of,
    plain,
    texts_of,
)
from kpca.reading.columns import CATEGORY, DATE, ORDER, Column, present
from kpca.reading.dates import are_dates, date_features, day_is_first, read_dates
from kpca.reading.errors import input_error, nearest, shortlist
from kpca.reading.notation import COMMA, POINT, common_rest, decimal_marks, readings, unit
from kpca.types import Floats, Ints

if TYPE_CHECKING:
    import pandas as pd

ALL = "all"  # columns of text, as `categorical`
_ROLES = ("label", "group", "target", "id", "time")
_LISTS = ("features", "drop", "categorical", "log")
# What one column may be at once.
_TOGETHER = (["features", "categorical"], ["features", "log"], ["group", "id"])
_MOST_CATEGORIES = 20
_FEWEST_ROWS = 10  # fewer may be in order by chance


@dataclass(eq=False, kw_only=True)
class Table:
    """A file as it was read, problems included.

    The index of `numeric` and of series is the number of each row in the file, from 1.
    """

    features: tuple[str, ...]  # columns that are variables
    roles: dict[str, str]  # `label`, `group`, `target`, `id` or `time` → column
    # Features, then the target: NaN if a cell is empty, 0 if it is text, of a category its code.
    numeric: "pd.DataFrame"
    names: dict[str, "pd.Series[Any]"]  # role but target → text of each row, perhaps empty
    columns: dict[str, Column]  # how features, target and time are read, by column of the file
    texts: dict[str, "pd.Series[Any]"] = field(default_factory=dict)  # column → cells with text
    categories: dict[str, list[str]] = field(default_factory=dict)  # feature → names, by code
    log: tuple[str, ...] = ()  # features whose logarithm is taken
    problems: list[str] = field(default_factory=list)  # whatever else is wrong
    warnings: list[str] = field(default_factory=list)  # what a person should know
    frame: "pd.DataFrame"  # all columns as they were read, by the place of each row
    spec: Mapping[str, Any]  # the dataset in the configuration

    def place(self, number: int) -> str:
        """Name a row as a person finds it: its line in the text file, or its number from 1."""
        return str(self.frame.index[number - 1])

    @property
    def missing(self) -> list[str]:
        """Words for missing cells in this table."""
        return words_for_missing(self.spec)

    def shown(self, name: str) -> Any:
        """Return a column as it was read, numbers of another notation than Python's as floats."""
        column, cells = self.columns.get(name, Column(name)), self.frame[name]
        if cells.dtype.kind in "iufM":
            return cells
        numbers, text = numbers_of(present(cells), column.decimal, column.unit, self.missing)
        cell_texts = texts_of(present(cells), self.missing)
        pairs = zip(cell_texts, numbers, strict=True)
        is_plain = all(_value(text) == value for text, value in pairs if text)
        if text or is_plain:
            return cells.where(np.array(cell_texts, dtype=object) != "")
        return numbers

    def take(self, rows: "pd.Series[bool]", why: str) -> Self:
        """Return the rows that are marked, with a warning; they keep their numbers and places."""
        names = {role: cells[rows] for role, cells in self.names.items()}
        texts = {column: cells[rows[cells.index]] for column, cells in self.texts.items()}
        texts = {column: cells for column, cells in texts.items() if len(cells)}
        numeric, warnings = self.numeric[rows], [*self.warnings, why]
        return replace(self, numeric=numeric, names=names, texts=texts, warnings=warnings)


def words_for_missing(spec: Mapping[str, Any]) -> list[str]:
    """Return what `na` names: words for missing cells, besides those of every table."""
    return [cell_text(word) for word in spec.get("na") or ()]


def frame_table(frame: "pd.DataFrame", subject: str, spec: Mapping[str, Any]) -> Table:
    """Convert the cells of a file or frame, by the place of each row.

    A spec names columns; every other one is a feature unless it names or numbers the rows, of which
    the table warns. Text with few values becomes categories. Problems of header and roles are
    listed in the table; without a feature they are raised at once. Where points need not be
    decimal, the cells of the file show it, or the spec says it.
    """
    import pandas as pd

    frame = frame.rename(columns=lambda name: plain(str(name)))
    if frame.index.dtype.kind == "i":
        frame = frame.set_axis([f"row {number + 1}" for number in range(len(frame))])
    header, attrs, warnings = list(frame.columns), frame.attrs, list[str]()
    if header and not header[0]:
        are_days = are_dates(texts_of(frame.iloc[:, 0]))
        header, frame = header[1:], frame.iloc[:, 1:]
        remedy = "name it to use it"
        if are_days:
            remedy += ", for example so that `time` orders the rows by its dates"
        unnamed = "column 1 has no name, as the index that pandas writes, and is left out"
        warnings.append(f"{unnamed}; {remedy}")
    named = {role: str(spec[role]) for role in _ROLES if spec.get(role) is not None}
    roles = {role: _same_number(plain(name), header) for role, name in named.items()}
    listed = {key: _rejoined(spec.get(key) or (), header) for key in _LISTS}
    is_all = listed["categorical"] == [ALL] and ALL not in header
    if is_all:
        listed["categorical"] = []
    orders = dict(map(_order, spec.get("ordered") or ()))
    problems = [*attrs.get("problems", ()), *_header_problems(header)]
    problems += _role_problems(header, roles, listed)
    times = Counter(header)
    sound = {column: None for column in times if column and times[column] == 1}
    frame = frame.loc[:, [column in sound for column in frame.columns]]
    unclear = not {*roles.values()} <= {*sound}  # a column may be text since it is the label
    roles = {role: column for role, column in roles.items() if column in sound}
    listed = {key: [c for c in columns if c in sound] for key, columns in listed.items()}
    problems += [
        f"there is no column {name!r}, which `ordered` names; {nearest(name, [*sound])}"
        for name in orders
        if name not in sound
    ]
    frame.attrs = attrs
    judge = _Judge(frame, spec, roles, listed, orders)
    judge.is_all = is_all
    left_out = {*roles.values(), *listed["drop"]}
    candidates = listed["features"] or [column for column in sound if column not in left_out]
    for role in ("target", "time"):
        if role in roles:
            candidates = [*candidates, roles[role]]
    for column in candidates:
        judge.take(column)
    problems += judge.problems
    warnings += judge.warnings
    target = roles.get("target")
    features = tuple(column for column in judge.values if column != target)
    if spec.get("dates") and not any(column.kind == DATE for column in judge.columns.values()):
        problems.append("`dates` makes features of dates, but no column holds any; leave it out")
    problems += _time_problems(frame, roles, judge)
    log = [c for c in listed["log"] if c in features and c not in judge.categories]
    problems += [
        f"column {column!r} is named by `log`, but is no number among the features"
        for column in listed["log"]
        if column not in log
    ]
    if not features:
        none = "no column is left as a feature; there must be at least one"
        raise input_error(subject, [*problems, "; ".join([none, *warnings])])
    warnings += judge.readings()
    index = pd.RangeIndex(1, len(frame) + 1)
    return Table(
        features=features,
        roles=roles,
        numeric=pd.DataFrame(judge.values, index),
        names={
            role: pd.Series(judge.texts_of(column), index, dtype=object)
            for role, column in roles.items()
            if role != "target"
        },
        columns=judge.columns,
        texts={} if unclear else {c: pd.Series(cells) for c, cells in judge.texts.items()},
        categories=judge.categories,
        log=tuple(log),
        problems=problems,
        warnings=warnings,
        frame=frame,
        spec=spec,
    )


class _Judge:
    """Decides what each column of a frame is, and how it is read."""

    def __init__(
        self,
        frame: "pd.DataFrame",
        spec: Mapping[str, Any],
        roles: Mapping[str, str],
        listed: Mapping[str, Sequence[str]],
        orders: Mapping[str, Sequence[str]],
    ) -> None:
        self.frame, self.spec, self.roles = frame, spec, roles
        self.listed, self.orders = listed, orders
        self.missing = words_for_missing(spec)
        self.columns, self.values = dict[str, Column](), dict[str, Floats]()
        self.texts, self.categories = dict[str, dict[int, str]](), dict[str, list[str]]()
        self.problems, self.warnings = list[str](), list[str]()
        self.by_text, self.amounts = list[str](), dict[str, str]()
        self.is_all = False  # whether every column of text holds categories
        mark = spec.get("decimal") or {COMMA: POINT, POINT: COMMA}.get(spec.get("thousands", ""))
        self.decimal = {str(name): mark or "" for name in frame}
        self.unsettled = dict[str, str]()
        if mark is None:
            points = frame.attrs.get("points_are_decimal", True)
            evidence = {name: column_evidence(frame[name], self.missing) for name in self.decimal}
            self.decimal, self.unsettled = decimal_marks(evidence, points_are_decimal=points)

    def texts_of(self, column: str) -> list[str]:
        """Return what each cell of a column says."""
        return texts_of(present(self.frame[column]), self.missing)

    def take(self, name: str) -> None:
        """Decide what a column is, and read it."""
        series, is_target = self.frame[name], name == self.roles.get("target")
        cells = present(series)
        column = Column(name, decimal=self.decimal[name])
        numbers, text = numbers_of(cells, column.decimal, missing=self.missing)
        if text and (rest := self._unit(name, text)):
            column = replace(column, unit=rest)
            numbers, text = numbers_of(cells, column.decimal, rest, self.missing)
        texts_by_row = {position + 1: cell_text(cells[position], self.missing) for position in text}
        is_text = bool(texts_by_row) and bool(np.isnan(numbers).all())
        is_given = is_target or name in self.listed["features"]
        is_named = not is_target and (
            name in self.listed["categorical"]
            or series.dtype.name == "category"
            or (bool(texts_by_row) and self.is_all)
        )
        if self._is_dated(column, [*texts_by_row.values()], is_text and not is_named, is_target):
            return
        if is_text and not is_named and (rest := common_rest(texts_by_row.values())):
            self.problems.append(_rest_problem(name, next(iter(texts_by_row.values())), rest))
            return
        if not (is_named or is_given or name in self.orders):
            if is_text and are_dates(texts_by_row.values()):
                self._leave_out_dates(name, next(iter(texts_by_row.values())))
                return
            if why := only_names(numbers, [*texts_by_row.values()]):
                turned = "if it names variables, `transpose: true` turns the table; "
                self.warnings.append(
                    f"column {name!r} {why}, and is left out; "
                    + turned * (is_text and name == self.frame.columns[0] and not self.roles)
                    + "if it is a measurement, list the "
                    f"columns to use in `features`; if it names the rows, `id: {name}` says so; if "
                    f"it is a time, `time: {name}` does; else `drop: {name}` says that it is none"
                )
                return
        if name in self.orders:
            self._order(name)
        elif is_named or (not is_target and self._holds_categories(numbers, texts_by_row)):
            if not is_named:
                self.by_text.append(name)
            self._encode(name)
        else:
            numbers[text] = 0.0  # not reported as missing, too
            self.columns[name] = column
            self.values[name] = numbers
            if texts_by_row:
                self.texts[name] = texts_by_row
            else:
                self._note_notation(column, cells)

    def _unit(self, name: str, text: Sequence[int]) -> str:
        """Return the unit that `units` names and that stands behind a text of the column."""
        cell = str(self.frame[name].iloc[text[0]]).strip()
        return next((u for u in map(str, self.spec.get("units") or ()) if cell.endswith(u)), "")

    def _is_dated(
        self, column: Column, words: Sequence[str], may_be: bool, is_target: bool
    ) -> bool:
        """Whether a column of dates, or of times, was read as such."""
        name, parts = column.name, tuple(self.spec.get("dates") or ())
        is_time = name == self.roles.get("time")
        is_date = may_be and are_dates(words) and not is_target
        if is_date and (is_time or parts):
            self.problems += _date_problems(name, words, self.spec)
            first = _day_first(words, self.spec) or False
            column = replace(column, kind=DATE, day_first=first, parts=parts)
            if parts and name not in self.values:
                texts = self.texts_of(name)
                features = date_features(name, texts, parts, day_first=first)
                taken = "but a column has this name; rename it"
                self.problems += [
                    f"`dates` makes a feature {n!r}, {taken}" for n in features if n in self.frame
                ]
                values = next(iter(features.values()))
                self.problems += _unread_dates(name, texts, values, self.frame.index)
                self.values |= features
        if (is_date and parts) or is_time:
            self.columns[name] = column
            return True
        return False

    def _leave_out_dates(self, name: str, example: str) -> None:
        order = " Random splits ignore their order; "
        order += f"`time: {name}` tests on later rows than it trains on."
        self.warnings.append(
            f"column {name!r} holds dates (such as {example!r}), and is left out."
            f"{'' if 'time' in self.roles else order} `dates: month,weekday` makes features"
        )

    def _holds_categories(self, numbers: Floats, words: Mapping[int, str]) -> bool:
        """Whether a column has few values, of which most are text, and no dates."""
        texts = {*words.values()}
        other = np.unique(numbers[~np.isnan(numbers)])
        is_few = len(other) < len(texts) <= _MOST_CATEGORIES - len(other)
        are_many = 2 * len(words) > (~np.isnan(numbers)).sum()
        return is_few and are_many and not are_dates(texts)

    def _encode(self, name: str) -> None:
        """Read a column as categories; codes are NaN if a cell is empty."""
        mark = self.decimal[name]
        cell_texts = [category_text(c, mark, self.missing) for c in present(self.frame[name])]
        texts = np.array(cell_texts, dtype=object)
        values = np.full(len(texts), np.nan)
        values[texts != ""], names = encode(texts[texts != ""])
        self.values[name], self.categories[name] = values, list(names)
        self.columns[name] = Column(name, CATEGORY, mark, values=names)

    def _order(self, name: str) -> None:
        """Read a column as numbers of words in their order."""
        words, texts = self.orders[name], self.texts_of(name)
        unknown = sorted({*texts} - {"", *words})
        if unknown:
            listed = shortlist([*map(repr, unknown)])
            whole = "/".join([name, *words, *unknown])
            self.problems.append(
                f"column {name!r} holds {listed}, which `ordered` does not have: "
                f"`ordered: {whole}`, with all of them in their place"
            )
        codes = {word: float(code) for code, word in enumerate(words)}
        values = np.array([codes.get(text, np.nan if not text else 0.0) for text in texts])
        self.values[name] = values
        self.columns[name] = Column(name, ORDER, values=(*words,))

    def _note_notation(self, column: Column, cells: Any) -> None:
        """Note what is special about numbers: an open mark, several units, or another notation."""
        name = column.name
        if open_cell := self.unsettled.get(name, ""):
            mark = COMMA if COMMA in open_cell else POINT
            self.problems.append(
                f"column {name!r} holds {open_cell!r}, which can be {readings(open_cell)}, and no "
                f"cell of the file tells: `decimal: {mark}` or `thousands: {mark}` says which"
            )
        pairs = zip(cells, self.values[name], strict=True)
        present_cells = [(cell, value) for cell, value in pairs if value == value]
        marked = [(cell, value) for cell, value in present_cells if _value(cell) != value]
        if not marked:
            return
        cell, value = marked[0]
        self.amounts[name] = f"{cell!r} is {value:.15g}"
        by_unit: dict[str, str] = {}
        for cell, _ in present_cells:
            by_unit.setdefault(unit(str(cell)), str(cell))
        if len(by_unit) > 1 and ("%" in by_unit or len({*by_unit} - {""}) > 1):
            self.problems.append(
                f"column {name!r} holds numbers in two units "
                f"({', '.join(map(repr, by_unit.values()))}); write them in one, or leave the "
                f"column out by `drop: {name}`"
            )

    def readings(self) -> Iterator[str]:
        """Yield how columns were read, where there is another way."""
        if self.by_text:
            holds = "column {} holds" if len(self.by_text) == 1 else "columns {} hold"
            first = self.by_text[0]
            order = "/".join([first, *self.categories[first]])
            is_long = len(self.categories[first]) > 2
            yield (
                f"{holds.format(shortlist([*map(repr, self.by_text)]))} text with at most "
                f"{_MOST_CATEGORIES} values, each of which becomes a column of 0 and 1, as "
                f"`categorical: {','.join(self.by_text)}` says; `drop` leaves columns out"
                + f", and words in an order are given as `ordered: {order}`"
                * is_long
            )
        if self.amounts:
            listing = shortlist([f"{name!r} ({read})" for name, read in self.amounts.items()])
            yield (
                f"column {listing} holds signs of money or per cent, units, groups of digits or "
                "decimal commas, and is read as plain numbers"
            )


def _rest_problem(name: str, cell: str, rest: str) -> str:
    return (
        f"column {name!r} holds numbers with {rest!r} behind them (such as {cell!r}): "
        f"`units: {rest}` reads the numbers (likeliest), `categorical: {name}` makes categories of "
        f"them, and `drop: {name}` leaves the column out"
    )


def _same_number(name: str, header: Sequence[str]) -> str:
    """Return the column that YAML has read as another spelling of a number, such as 1_2 as 12."""
    if name in header:
        return name
    same = [column for column in header if _value(column) == _value(name) is not None]
    return same[0] if len(same) == 1 else name


def _value(cell: Any) -> float | None:
    """Return what Python reads as a number."""
    with suppress(TypeError, ValueError):
        return float(cell)
    return None


def _rejoined(names: Iterable[Any], header: Sequence[str]) -> list[str]:
    """Return names as the header has them, also those that were cut at a comma of their own."""
    rejoined, remaining = list[str](), [plain(str(name)) for name in names]
    while remaining:
        cuts = range(len(remaining), 1, -1)
        whole = [(n, mark.join(remaining[:n])) for n in cuts for mark in (", ", ",")]
        fits = [(n, name) for n, name in whole if name in header and remaining[0] not in header]
        n, name = fits[0] if fits else (1, _same_number(remaining[0], header))
        rejoined.append(name)
        remaining = remaining[n:]
    return rejoined


def _order(text: str) -> tuple[str, list[str]]:
    """Return a column and the words of its order, of column/low/high."""
    name, *values = map(plain, str(text).split("/"))
    return name, values


def _header_problems(header: Sequence[str]) -> Iterator[str]:
    for left, column in zip(["", *header], header, strict=False):
        if not column:
            yield f"the column to the right of {left!r} has no name; name it, or remove it"
    for column, times in Counter(filter(None, header)).items():
        if times > 1:
            yield f"column {column!r} stands {times} times; give each a name of its own"


def _role_problems(
    header: Sequence[str], roles: Mapping[str, str], listed: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    there, keys_of = dict.fromkeys(filter(None, header)), dict[str, list[str]]()
    wanted = [*roles.items(), *((key, column) for key in _LISTS for column in listed[key])]
    for key, column in wanted:
        keys_of.setdefault(column, []).append(key)
        if column not in there:
            yield f"there is no column {column!r}, which `{key}` names; {nearest(column, [*there])}"
    for column, keys in keys_of.items():
        if len(keys) > 1 and keys not in _TOGETHER:
            together = shortlist([f"`{key}`" for key in keys])
            yield f"column {column!r} is named by {together}; give it one role"
        if keys in (["categorical"], ["log"]) and listed["features"]:
            yield f"column {column!r} is named by `{keys[0]}` alone; add it to `features`"


def order_of(texts: Sequence[str], column: Column) -> Floats:
    """Return what texts of a column of time are sorted by: numbers, or seconds of dates, or NaN.

    >>> order_of(["1985", "1984"], Column("year")).tolist()
    [1985.0, 1984.0]
    """
    numbers, text = numbers_of(texts, column.decimal)
    if not text:
        return numbers
    dates = read_dates(texts, day_first=column.day_first, zones=True)
    seconds = dates.to_numpy(dtype="datetime64[s]")
    return np.where(np.isnat(seconds), np.nan, seconds.astype(float))


def _time_problems(frame: "pd.DataFrame", roles: Mapping[str, str], judge: _Judge) -> Iterator[str]:
    if (column := roles.get("time")) is None:
        return
    texts = judge.texts_of(column)
    times = order_of(texts, judge.columns[column])
    unread = [text for text, at in zip(texts, times, strict=True) if text and at != at]
    if unread:
        yield (
            f"time column {column!r} holds {shortlist([*map(repr, unread)], limit=3)}; a time is a "
            "number, or a date such as 2024-05-01: correct these cells"
        )
    elif len(texts) > 1 and len({*times[~np.isnan(times)].tolist()}) == 1:
        yield (
            f"time column {column!r} holds {texts[0]!r} in every row, so that no row is later than "
            "another one; leave out `time`"
        )


def _day_first(texts: Sequence[str], spec: Mapping[str, Any]) -> bool | None:
    """Return whether the day comes first, as the spec or else the dates say; None if neither do."""
    if "dayfirst" in spec:
        return spec["dayfirst"] in (True, "true")
    with suppress(ValueError):
        return day_is_first(texts)
    return None


def _date_problems(column: str, texts: Sequence[str], spec: Mapping[str, Any]) -> Iterator[str]:
    """Whether a column has one form of dates, and either the cells or the spec say which."""
    if "dayfirst" in spec:
        return
    try:
        if day_is_first(texts) is None:
            yield (
                f"column {column!r} holds dates (such as {texts[0]!r}) in which the day or the "
                "month can come first: `dayfirst: true` or `dayfirst: false` says which"
            )
    except ValueError as error:
        yield f"column {column!r} holds {error}; write all dates as 2024-05-01"


def _unread_dates(
    column: str, texts: Sequence[str], values: Floats, places: Iterable[str]
) -> Iterator[str]:
    """Tell of cells that look like a date and are none, such as 2024-02-30."""
    rows = zip(places, texts, values, strict=True)
    listed = [f"{line} {text!r}" for line, text, value in rows if text and value != value]
    if listed:
        yield f"column {column!r} holds cells that are no date ({shortlist(listed)}); correct them"


def only_names(values: Floats, texts: Sequence[str]) -> str:
    """Return why a column only names or numbers its rows; nothing if it does not."""
    rows = len(values)
    if rows < _FEWEST_ROWS:
        return ""
    if texts:
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
    """Return each distinct value a number, in numerical order where all are numbers."""
    values = list(values)
    names = sorted({*values})  # "1.5" and "1.50" are two names: their order must not be chance
    if all_numbers(names):
        names.sort(key=lambda name: cell_number(name) or 0.0)
    code = {name: number for number, name in enumerate(names)}
    return np.array([code[value] for value in values], dtype=np.int64), tuple(names)


def all_numbers(values: Iterable[str]) -> bool:
    """Whether every value reads as a number."""
    return all(cell_number(value) is not None for value in values)
