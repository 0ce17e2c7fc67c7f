"""What every reader of a file returns: which column serves as what, numbers, and labels."""

import re
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
    decimal_marks,
    numbers_of,
    plain,
    texts_of,
)
from kpca.reading.columns import CATEGORY, DATE, ORDER, Column, present
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
    amounts: dict[str, str] = field(default_factory=dict)  # column of another notation → example
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
    warnings = list[str]()
    if len(frame.columns) and not frame.columns[0]:
        remedy = "name it to use it"
        if are_dates(texts_of(frame.iloc[:, 0])):
            remedy += ", for example so that `time` orders the rows by its dates"
        unnamed = "column 1 has no name, as the index that pandas writes, and is left out"
        warnings.append(f"{unnamed}; {remedy}")
        frame = frame.iloc[:, 1:]
    header = [*frame.columns]
    roles = {
        role: _same_number(plain(str(spec[role])), header)
        for role in _ROLES
        if spec.get(role) is not None
    }
    listed = {key: _rejoined(spec.get(key) or (), header) for key in _LISTS}
    if listed["categorical"] == [ALL] and ALL not in header:
        listed["categorical"] = []
    judge = _Judge(frame.loc[:, _are_sound(header)], spec, roles, listed)
    judge.problems += frame.attrs.get("problems", ())
    judge.problems += _header_problems(header)
    judge.problems += _role_problems(header, roles, listed)
    is_clear = {*roles.values()} <= {*judge.frame}  # else a column may be text as it is the label
    judge.take_all()
    target = roles.get("target")
    features = tuple(column for column in judge.values if column != target)
    if not features:
        none = "no column is left as a feature; there must be at least one"
        raise input_error(subject, [*judge.problems, "; ".join([none, *warnings, *judge.warnings])])
    log = tuple(c for c in listed["log"] if c in features and c not in judge.categories)
    judge.problems += [
        f"column {column!r} is named by `log`, but is no number among the features"
        for column in listed["log"]
        if column in judge.frame and column not in log
    ]
    index = pd.RangeIndex(1, len(frame) + 1)
    return Table(
        features=features,
        roles=judge.roles,
        numeric=pd.DataFrame(judge.values, index),
        names={
            role: pd.Series(judge.texts_of(column), index, dtype=object)
            for role, column in judge.roles.items()
            if role != "target"
        },
        columns=judge.columns,
        texts={c: pd.Series(cells) for c, cells in judge.texts.items() if is_clear},
        categories=judge.categories,
        amounts=judge.amounts,
        log=log,
        problems=judge.problems,
        warnings=[*warnings, *judge.warnings, *judge.readings()],
        frame=judge.frame,
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
    ) -> None:
        self.frame, self.spec, self.listed = frame, spec, listed
        self.roles = {role: column for role, column in roles.items() if column in frame}
        self.orders = dict(map(_order, spec.get("ordered") or ()))
        self.missing = words_for_missing(spec)
        self.columns, self.values = dict[str, Column](), dict[str, Floats]()
        self.texts, self.categories = dict[str, dict[int, str]](), dict[str, list[str]]()
        self.problems, self.warnings = list[str](), list[str]()
        self.by_text, self.amounts = list[str](), dict[str, str]()
        mark = spec.get("decimal") or {COMMA: POINT, POINT: COMMA}.get(spec.get("thousands", ""))
        self.decimal = {str(name): mark or "" for name in frame}
        self.unsettled = dict[str, str]()
        if mark is None:
            points = frame.attrs.get("points_are_decimal", True)
            columns = {name: frame[name] for name in self.decimal}
            marks = decimal_marks(columns, self.missing, points_are_decimal=points)
            self.decimal, self.unsettled = marks

    def texts_of(self, column: str) -> list[str]:
        """Return what each cell of a column says."""
        return texts_of(present(self.frame[column]), self.missing)

    def take_all(self) -> None:
        """Decide on all columns that may be features, and on target and time."""
        self.problems += [
            f"there is no column {name!r}, which `ordered` names; {nearest(name, [*self.frame])}"
            for name in self.orders
            if name not in self.frame
        ]
        left_out = {*self.roles.values(), *self.listed["drop"]}
        others = [column for column in self.decimal if column not in left_out]
        candidates = [c for c in self.listed["features"] if c in self.frame] or others
        for role in ("target", "time"):
            candidates += [self.roles[role]] if role in self.roles else []
        for column in dict.fromkeys(candidates):
            self.take(column)
        kinds = [column.kind for column in self.columns.values()]
        if self.spec.get("dates") and DATE not in kinds:
            self.problems.append(
                "`dates` makes features of dates, but no column holds any; leave it out"
            )
        if "time" in self.roles:
            self._check_times(self.roles["time"])

    def take(self, name: str) -> None:
        """Decide what a column is, and read it."""
        cells = present(self.frame[name])
        column = Column(name, decimal=self.decimal[name])
        numbers, text = numbers_of(cells, column.decimal, missing=self.missing)
        if text and (suffix := self._unit(cells[text[0]])):
            column = replace(column, unit=suffix)
            numbers, text = numbers_of(cells, column.decimal, suffix, self.missing)
        texts = {position + 1: cell_text(cells[position], self.missing) for position in text}
        example = next(iter(texts.values()), "")
        is_target = name == self.roles.get("target")
        is_named = not is_target and self._is_named(name, bool(text))
        is_text = bool(text) and not is_named and bool(np.isnan(numbers).all())
        is_date = is_text and not is_target and are_dates(texts.values())
        parts = tuple(self.spec.get("dates") or ())
        is_time = name == self.roles.get("time")
        if is_date and (is_time or parts):
            first = self._day_first(name, [*texts.values()])
            self._take_dates(replace(column, kind=DATE, day_first=first, parts=parts))
        elif is_time:
            self.columns[name] = column
        elif is_text and (rest := common_rest(texts.values())):
            self.problems.append(
                f"column {name!r} holds numbers with {rest!r} behind them (such as {example!r}): "
                f"`units: {rest}` reads the numbers (likeliest), `categorical: {name}` makes "
                f"categories of them, and `drop: {name}` leaves the column out"
            )
        elif is_named or is_target or name in self.listed["features"]:
            self._take_values(column, numbers, texts, is_named=is_named)
        elif is_date:
            self._leave_out_dates(name, example)
        elif why := only_names(numbers, [*texts.values()]):
            self._leave_out_names(name, why, may_turn=is_text)
        else:
            self._take_values(column, numbers, texts, is_named=False)

    def _unit(self, cell: Any) -> str:
        """Return the unit that `units` names and that stands behind a number."""
        units = map(str, self.spec.get("units") or ())
        return next((suffix for suffix in units if str(cell).strip().endswith(suffix)), "")

    def _is_named(self, name: str, holds_text: bool) -> bool:
        """Whether the spec or the frame says that a column holds categories."""
        is_all = self.spec.get("categorical") == [ALL] and ALL not in self.frame
        return (
            name in self.listed["categorical"]
            or name in self.orders
            or self.frame[name].dtype.name == "category"
            or (holds_text and is_all)
        )

    def _day_first(self, name: str, texts: Sequence[str]) -> bool:
        """Return whether the day comes first, as the spec or else the dates say."""
        if "dayfirst" in self.spec:
            return self.spec["dayfirst"] in (True, "true")
        try:
            first = day_is_first(texts)
        except ValueError as error:
            self.problems.append(f"column {name!r} holds {error}; write all dates as 2024-05-01")
            return False
        if first is None:
            self.problems.append(
                f"column {name!r} holds dates (such as {texts[0]!r}) in which the day or the "
                "month can come first: `dayfirst: true` or `dayfirst: false` says which"
            )
        return bool(first)

    def _take_dates(self, column: Column) -> None:
        """Read a column of dates; parts of them are features."""
        self.columns[column.name] = column
        if not column.parts:
            return
        texts = self.texts_of(column.name)
        features = date_features(column.name, texts, column.parts, day_first=column.day_first)
        self.problems += [
            f"`dates` makes a feature {name!r}, but a column has this name; rename it"
            for name in features
            if name in self.frame
        ]
        values = next(iter(features.values()))
        rows = zip(self.frame.index, texts, values, strict=True)
        unread = [f"{line} {text!r}" for line, text, value in rows if text and value != value]
        if unread:
            self.problems.append(
                f"column {column.name!r} holds cells that are no date ({shortlist(unread)}); "
                "correct them"
            )
        self.values |= features

    def _leave_out_dates(self, name: str, example: str) -> None:
        order = " Random splits ignore their order; "
        order += f"`time: {name}` tests on later rows than it trains on."
        self.warnings.append(
            f"column {name!r} holds dates (such as {example!r}), and is left out."
            f"{'' if 'time' in self.roles else order} `dates: month,weekday` makes features"
        )

    def _leave_out_names(self, name: str, why: str, *, may_turn: bool) -> None:
        turned = "if it names variables, `transpose: true` turns the table; "
        is_first = name == self.frame.columns[0] and not self.roles
        self.warnings.append(
            f"column {name!r} {why}, and is left out; "
            + turned * (may_turn and is_first)
            + "if it is a measurement, list the "
            f"columns to use in `features`; if it names the rows, `id: {name}` says so; if "
            f"it is a time, `time: {name}` does; else `drop: {name}` says that it is none"
        )

    def _take_values(
        self, column: Column, numbers: Floats, texts: dict[int, str], *, is_named: bool
    ) -> None:
        """Read a column as numbers, or as categories if it is named as such or looks like it."""
        name = column.name
        is_target = name == self.roles.get("target")
        if is_named or (not is_target and _hold_categories(numbers, texts)):
            if not is_named:
                self.by_text.append(name)
            self._code(column)
            return
        numbers[[row - 1 for row in texts]] = 0.0  # not reported as missing, too
        self.columns[name] = column
        self.values[name] = numbers
        if texts:
            self.texts[name] = texts
        else:
            self._note_notation(name)

    def _code(self, column: Column) -> None:
        """Read a column as numbers of its values, which are categories or words in an order."""
        name = column.name
        cells = present(self.frame[name])
        texts = [category_text(cell, column.decimal, self.missing) for cell in cells]
        if name in self.orders:
            self.columns[name] = Column(name, ORDER, values=tuple(self.orders[name]))
        else:
            _, names = encode(filter(None, texts))
            self.columns[name] = Column(name, CATEGORY, column.decimal, values=names)
            self.categories[name] = [*names]
        values = self.columns[name].values
        if unknown := sorted({*texts} - {"", *values}):
            whole = "/".join([name, *values, *unknown])
            self.problems.append(
                f"column {name!r} holds {shortlist([*map(repr, unknown)])}, which `ordered` does "
                f"not have: `ordered: {whole}`, with all of them in their place"
            )
        codes = {value: float(code) for code, value in enumerate(values)} | {"": np.nan}
        self.values[name] = np.array([codes.get(text, 0.0) for text in texts])

    def _note_notation(self, name: str) -> None:
        """Note what is special about numbers: an open mark, several units, or another notation."""
        if open_cell := self.unsettled.get(name, ""):
            mark = COMMA if COMMA in open_cell else POINT
            self.problems.append(
                f"column {name!r} holds {open_cell!r}, which can be {readings(open_cell)}, and no "
                f"cell of the file tells: `decimal: {mark}` or `thousands: {mark}` says which"
            )
        pairs = zip(present(self.frame[name]), self.values[name], strict=True)
        amounts = [(cell, value) for cell, value in pairs if value == value]
        examples = (f"{cell!r} is {value:.15g}" for cell, value in amounts if _value(cell) != value)
        if not (example := next(examples, "")):
            return
        self.amounts[name] = example
        by_unit = dict[str, str]()
        for cell, _ in amounts:
            by_unit.setdefault(unit(str(cell)), str(cell))
        if len(by_unit) > 1 and ("%" in by_unit or len({*by_unit} - {""}) > 1):
            self.problems.append(
                f"column {name!r} holds numbers in two units "
                f"({', '.join(map(repr, by_unit.values()))}); write them in one, or leave the "
                f"column out by `drop: {name}`"
            )

    def _check_times(self, name: str) -> None:
        texts = self.texts_of(name)
        times = order_of(texts, self.columns[name])
        unread = [repr(text) for text, at in zip(texts, times, strict=True) if text and at != at]
        if unread:
            self.problems.append(
                f"time column {name!r} holds {shortlist(unread, limit=3)}; a time is a "
                "number, or a date such as 2024-05-01: correct these cells"
            )
        elif len(texts) > 1 and np.nanmin(times, initial=np.inf) == np.nanmax(
            times, initial=-np.inf
        ):
            self.problems.append(
                f"time column {name!r} holds {texts[0]!r} in every row, so that no row is later "
                "than another one; leave out `time`"
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


def _hold_categories(numbers: Floats, texts: Mapping[int, str]) -> bool:
    """Whether cells have few values, of which most are text, and no dates."""
    distinct = {*texts.values()}
    present_numbers = numbers[~np.isnan(numbers)]
    other = len(np.unique(present_numbers))
    is_few = other < len(distinct) <= _MOST_CATEGORIES - other
    return is_few and 2 * len(texts) > len(present_numbers) and not are_dates(distinct)


def _same_number(name: str, header: Sequence[str]) -> str:
    """Return the column that YAML has read as another spelling of a number, such as 1_2 as 12."""
    same = [column for column in header if _value(column) == _value(name) is not None]
    return same[0] if name not in header and len(same) == 1 else name


def _value(cell: Any) -> float | None:
    """Return what Python reads as a number."""
    with suppress(TypeError, ValueError):
        return float(cell)
    return None


def _rejoined(names: Iterable[Any], header: Sequence[str]) -> list[str]:
    """Return names as the header has them, also those that were cut at a comma of their own."""
    by_text = {name.replace(", ", ","): name for name in header if name}
    longest = sorted(map(re.escape, by_text), key=len, reverse=True)
    text = ",".join(plain(str(name)) for name in names).replace(", ", ",")
    parts = re.findall(f"({'|'.join([*longest, '[^,]+'])})(?:,|$)", text)
    return [by_text.get(part) or _same_number(part, header) for part in parts]


def _order(text: str) -> tuple[str, list[str]]:
    """Return a column and the words of its order, of column/low/high."""
    name, *values = map(plain, str(text).split("/"))
    return name, values


def _are_sound(header: Sequence[str]) -> list[bool]:
    """Return which columns have a name of their own."""
    return [bool(column) and header.count(column) == 1 for column in header]


def _header_problems(header: Sequence[str]) -> Iterator[str]:
    for neighbour, column in zip(["", *header], header, strict=False):
        if not column:
            yield f"the column to the right of {neighbour!r} has no name; name it, or remove it"
    for column, times in Counter(filter(None, header)).items():
        if times > 1:
            yield f"column {column!r} stands {times} times; give each a name of its own"


def _role_problems(
    header: Sequence[str], roles: Mapping[str, str], listed: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    keys_of = dict[str, list[str]]()
    named = [*roles.items(), *((key, column) for key in _LISTS for column in listed[key])]
    for key, column in named:
        keys_of.setdefault(column, []).append(key)
        if column not in header:
            names = [*dict.fromkeys(filter(None, header))]
            yield f"there is no column {column!r}, which `{key}` names; {nearest(column, names)}"
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
