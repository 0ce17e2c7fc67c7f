"""What every reader of a file returns: which column serves as what, numbers, and labels."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kpca.reading.dates import are_dates, date_features, day_is_first, read_dates
from kpca.reading.errors import input_error, nearest, shortlist
from kpca.reading.notation import (
    COMMA,
    POINT,
    Evidence,
    decimal_marks,
    evidence,
    readings,
    unit,
)
from kpca.reading.notation import number as number_in
from kpca.types import Floats, Ints

if TYPE_CHECKING:
    import pandas as pd

# Text of a missing cell, as a regular expression.
MISSING_CELL = r"(?i)^\s*(na|n/a|nan|null|\?)?\s*$"
_MISSING = re.compile(MISSING_CELL)
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
    texts: dict[str, "pd.Series[Any]"] = field(default_factory=dict)  # column → cells with text
    categories: dict[str, list[str]] = field(default_factory=dict)  # feature → names, by code
    log: tuple[str, ...] = ()  # features whose logarithm is taken
    amounts: list[str] = field(default_factory=list)  # columns with cells that are no plain numbers
    decimal: dict[str, str] = field(default_factory=dict)  # column → decimal mark
    # Columns that order the rows, or become features → whether the day is first.
    dates: dict[str, bool] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)  # whatever else is wrong
    warnings: list[str] = field(default_factory=list)  # what a person should know
    places: Sequence[str] = ()  # of each row, such as "line 2"; if empty, its number tells
    frame: "pd.DataFrame"  # all columns as they were read
    spec: Mapping[str, Any]  # the dataset in the configuration

    def place(self, number: int) -> str:
        """Name a row as a person finds it: its line in the text file, or its number from 1."""
        return self.places[number - 1] if self.places else f"row {number}"

    def plain(self, column: str) -> "pd.Series[Any] | Floats":
        """Return a column of the file, as floats if its numbers have another notation."""
        numbers, texts, notation = _numbers(self.frame[column], self.decimal[column])
        return numbers if notation and not texts else self.frame[column]

    def take(self, rows: "pd.Series[bool]", why: str) -> Self:
        """Return the rows that are marked, with a warning; they keep their numbers and places."""
        names = {role: cells[rows] for role, cells in self.names.items()}
        texts = {column: cells[rows[cells.index]] for column, cells in self.texts.items()}
        texts = {column: cells for column, cells in texts.items() if len(cells)}
        numeric, warnings = self.numeric[rows], [*self.warnings, why]
        return replace(self, numeric=numeric, names=names, texts=texts, warnings=warnings)


def frame_table(
    frame: "pd.DataFrame",
    subject: str,
    spec: Mapping[str, Any],
    *,
    places: Sequence[str] | None = None,
    points_are_decimal: bool = True,
) -> Table:
    """Convert a data frame whose column names are text, from the first line if rows have places.

    A spec names columns; every other one is a feature unless it names or numbers the rows, of which
    the table warns. Text with few values becomes categories. Problems of header and roles are
    listed in the table; without a feature they are raised at once. Where points need not be
    decimal, the cells of the file show it, or the spec says it.
    """
    import pandas as pd

    header, warnings = list(frame.columns), list[str]()
    if places is not None and header and all_numbers(header):
        problem = "line 1 holds numbers only; a first line with the names of the columns is needed"
        raise input_error(subject, [problem])
    if header and not header[0]:
        header, frame = header[1:], frame.iloc[:, 1:]
        unnamed = "column 1 has no name, as the index that pandas writes, and is left out"
        warnings.append(f"{unnamed}; name it to use it")
    roles = {role: str(spec[role]) for role in _ROLES if spec.get(role) is not None}
    listed = {key: [str(column) for column in spec.get(key) or ()] for key in _LISTS}
    problems = [*_header_problems(header), *_role_problems(header, roles, listed)]
    times = Counter(header)
    sound = {column: None for column in header if column and times[column] == 1}
    unclear = not {*roles.values()} <= {*sound}  # a column may be text since it is the label
    roles = {role: column for role, column in roles.items() if column in sound}
    listed = {key: [c for c in columns if c in sound] for key, columns in listed.items()}
    left_out = {*roles.values(), *listed["drop"]}
    candidates = listed["features"] or [column for column in sound if column not in left_out]
    target, time = [roles["target"]] if "target" in roles else [], roles.get("time")
    kept, values, found = {*listed["features"], *target}, dict[str, Floats](), list[str]()
    texts, categories = dict[str, "pd.Series[Any]"](), dict[str, list[str]]()
    amounts, dates, parts = dict[str, str](), dict[str, bool](), spec.get("dates") or ()
    made: list[str] = []
    decimal, unsettled = _decimal_marks(frame[[*sound]], spec, points_are_decimal)
    for column in [*candidates, *target, *([time] if time else [])]:
        numbers, cells, sign = _numbers(frame[column], decimal[column])
        words, named = list(cells.values()), column in listed["categorical"]
        dated = bool(words) and len(words) == np.isfinite(numbers).sum() and are_dates(words)
        if dated and (column == time or (parts and column not in target and not named)):
            problems += _date_problems(column, words, spec)
            dates[column] = _day_first(words, spec) or False
        if column in dates and parts:
            cut = date_features(column, _labels(frame[column]), parts, day_first=dates[column])
            taken = "but a column has this name; rename it"
            problems += [f"`dates` makes a feature {n!r}, {taken}" for n in cut if n in sound]
            problems += _unread_dates(column, frame[column], next(iter(cut.values())), places)
            values |= cut
            made += cut
        elif column == time:
            pass
        elif dated and not named and column not in kept:
            order = " Random splits ignore their order; "
            order += f"`time: {column}` tests on later rows than it trains on."
            warnings.append(
                f"column {column!r} holds dates (such as {words[0]!r}), and is left out."
                f"{'' if time else order} `dates: month,weekday` makes features"
            )
        elif not named and column not in kept and (why := only_names(numbers, words)):
            warnings.append(
                f"column {column!r} {why}, and is left out; if it is a measurement, list the "
                f"columns to use in `features`; if it names the rows, `id: {column}` says so; if "
                f"it is a time, `time: {column}` does; else `drop: {column}` says that it is none"
            )
        elif named or (column not in target and _holds_categories(numbers, words)):
            found += [] if named else [column]
            values[column], categories[column] = _categories(frame[column])
        else:
            values[column] = numbers
            texts |= {column: pd.Series(cells)} if cells else {}
        if sign and not named and column in values:
            amounts[column] = f"{sign!r} is {number_in(sign, decimal[column] or POINT):.15g}"
        if column in values and column not in categories:
            problems += _notation_problems(column, frame[column], cells, unsettled.get(column, ""))
    features = tuple(column for column in values if column not in target)
    if parts and not made:
        problems.append("`dates` makes features of dates, but no column holds any; leave it out")
    problems += _time_problems(frame, roles, decimal, dates)
    log = [column for column in listed["log"] if column in features and column not in categories]
    problems += [
        f"column {column!r} is named by `log`, but is no number among the features"
        for column in listed["log"]
        if column not in log
    ]
    if not features:
        none = "no column is left as a feature; there must be at least one"
        raise input_error(subject, [*problems, "; ".join([none, *warnings])])
    if found:
        holds = "column {} holds" if len(found) == 1 else "columns {} hold"
        warnings.append(
            f"{holds.format(shortlist([*map(repr, found)]))} text with at most {_MOST_CATEGORIES} "
            "values, each of which becomes a column of 0 and 1, as `categorical: "
            f"{','.join(found)}` says; `drop` leaves columns out"
        )
    if amounts:
        listing = shortlist([f"{name!r} ({reading})" for name, reading in amounts.items()])
        warnings.append(
            f"column {listing} holds signs of money or per cent, groups of digits or decimal "
            "commas, and is read as plain numbers"
        )
    index = pd.RangeIndex(1, len(frame) + 1)
    return Table(
        features=features,
        roles=roles,
        numeric=pd.DataFrame(values, index),
        names={
            role: pd.Series(_labels(frame[column]), index, dtype=object)
            for role, column in roles.items()
            if role != "target"
        },
        texts={} if unclear else texts,
        categories=categories,
        log=tuple(log),
        amounts=[*amounts],
        decimal=decimal,
        dates=dates,
        problems=problems,
        warnings=warnings,
        places=places or (),
        frame=frame,
        spec=spec,
    )


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


def order_of(texts: Sequence[str], *, mark: str = POINT, day_first: bool = False) -> Floats:
    """Return what texts of a column of time are sorted by: numbers, or seconds of dates, or NaN.

    >>> order_of(["1985", "1984"]).tolist()
    [1985.0, 1984.0]
    >>> np.diff(order_of(["1.5.2024", "2.5.2024"], day_first=True)).tolist()
    [86400.0]
    """
    numbers = [_number(text, text, mark) for text in texts]
    if None not in numbers:
        return np.array(numbers, dtype=float)
    dates = read_dates(texts, day_first=day_first, zones=True)
    seconds = dates.to_numpy(dtype="datetime64[s]")
    return np.where(np.isnat(seconds), np.nan, seconds.astype(float))


def _time_problems(
    frame: "pd.DataFrame",
    roles: Mapping[str, str],
    decimal: Mapping[str, str],
    dates: Mapping[str, bool],
) -> Iterator[str]:
    if (column := roles.get("time")) is None:
        return
    texts = _labels(frame[column])
    times = order_of(texts, mark=decimal[column], day_first=dates.get(column, False))
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
    column: str, series: "pd.Series[Any]", values: Floats, places: Sequence[str] | None
) -> Iterator[str]:
    """Tell of cells that look like a date and are none, such as 2024-02-30."""
    texts = _labels(series)
    unread = [row for row, text in enumerate(texts) if text and values[row] != values[row]]
    if unread:
        listed = [f"{places[row] if places else f'row {row + 1}'} {texts[row]!r}" for row in unread]
        yield f"column {column!r} holds cells that are no date ({shortlist(listed)}); correct them"


def _decimal_marks(
    frame: "pd.DataFrame", spec: Mapping[str, Any], points_are_decimal: bool
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the decimal mark of each column, and a cell of each column that nothing settles."""
    mark = spec.get("decimal") or {COMMA: POINT, POINT: COMMA}.get(spec.get("thousands", ""))
    if mark is not None:
        return dict.fromkeys(frame.columns, mark), {}
    shown = {column: _evidence(frame[column]) for column in frame.columns}
    return decimal_marks(shown, points_are_decimal=points_are_decimal)


def _evidence(series: "pd.Series[Any]") -> Evidence:
    """Return what a column shows of its decimal mark; columns of plain numbers take no time."""
    if series.dtype.kind in "biufM":
        return Evidence()
    if _plain_numbers(series) is None:
        texts = (cell for cell in series if isinstance(cell, str))
        return evidence(text for cell in texts if (text := label_text(cell)))
    first = Evidence()
    for cell in series:
        if POINT in cell:
            shown = evidence([cell])
            if shown.marks:
                return shown
            first = first if first.open_cell else shown
    return first


def _plain_numbers(series: "pd.Series[Any]") -> Floats | None:
    """Return the numbers of text that float reads, at once; None for any other column."""
    with suppress(TypeError, ValueError):
        if "_" not in "".join(series):
            return series.to_numpy(dtype=object).astype(np.float64)
    return None


def _notation_problems(
    column: str, series: "pd.Series[Any]", texts: Mapping[int, str], open_cell: str
) -> Iterator[str]:
    """Whether the decimal mark of a column is known, and its numbers have one unit."""
    if open_cell:
        mark = COMMA if COMMA in open_cell else POINT
        yield (
            f"column {column!r} holds {open_cell!r}, which can be {readings(open_cell)}, and no "
            f"cell of the file tells: `decimal: {mark}` or `thousands: {mark}` says which"
        )
    if texts or series.dtype.kind in "biufM":
        return
    cells: dict[str, str] = {}
    for cell in series:
        if isinstance(cell, str) and label_text(cell):
            cells.setdefault(unit(cell), cell)
    several = "%" in cells or len({*cells} - {""}) > 1
    if several and len(cells) > 1:
        yield (
            f"column {column!r} holds numbers in two units "
            f"({', '.join(map(repr, cells.values()))}); write them in one, or leave the column out "
            f"by `drop: {column}`"
        )


def _numbers(series: "pd.Series[Any]", mark: str) -> tuple[Floats, dict[int, str], str]:
    """Return the numbers of a column, its texts by row, and a cell that is no plain number."""
    if series.dtype.kind in "biuf":
        return series.to_numpy(dtype=np.float64, na_value=np.nan), {}, ""
    plain = _plain_numbers(series)
    if plain is not None and (mark != COMMA or POINT not in "".join(series)):
        return plain, {}, ""
    cells = _labels(series)
    values = [_number(cell, text, mark) for cell, text in zip(series, cells, strict=True)]
    texts = {row: cells[row - 1] for row, value in enumerate(values, start=1) if value is None}
    sign = next((c for c, v in zip(cells, values, strict=True) if v == v and number(c) != v), "")
    # Finite, so that a cell that is reported as text is not reported as missing too.
    return np.array([0.0 if v is None else v for v in values]), texts, "" if texts else sign


def _number(cell: object, text: str, mark: str) -> float | None:
    """Return the number of a cell, NaN if it is missing, or None if it is text."""
    if not text:
        return float("nan")
    if not isinstance(cell, str) or mark != COMMA:
        value = number(text)
        if value is not None:
            return value
    return number_in(text, mark or POINT)


def _categories(series: "pd.Series[Any]") -> tuple[Floats, list[str]]:
    """Return the codes of a column of categories, NaN if a cell is empty, and their names."""
    cells = np.array(_labels(series), dtype=object)
    values = np.full(len(cells), np.nan)
    values[cells != ""], names = encode(cells[cells != ""])
    return values, list(names)


def _labels(series: "pd.Series[Any]") -> list[str]:
    gone = zip(series, series.isna(), strict=True)
    return ["" if missing else label_text(cell) for cell, missing in gone]


def _holds_categories(values: Floats, texts: Sequence[str]) -> bool:
    """Whether a column holds text alone, with few values, and no dates."""
    whole, few = len(texts) == np.isfinite(values).sum(), 0 < len({*texts}) <= _MOST_CATEGORIES
    return whole and few and not are_dates(texts)


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
    names = sorted({*values})  # "1" and "1.0" are two names, and their order must not be chance
    if all_numbers(names):
        names.sort(key=float)
    code = {name: number for number, name in enumerate(names)}
    return np.array([code[value] for value in values], dtype=np.int64), tuple(names)


def number(text: str) -> float | None:
    """Read one cell: NaN if it is empty or marked as missing, None if it is text."""
    try:
        # Python reads 1_5 as 15, which in a table is more likely a code than a number.
        return None if "_" in text else float(text)
    except ValueError:
        return float("nan") if _MISSING.match(text) else None


def label_text(cell: object) -> str:
    """Write a label as text: 1.0 as "1", whatever is marked as missing as ""."""
    if isinstance(cell, bytes):
        cell = cell.decode(errors="replace")
    if isinstance(cell, (float, np.floating)) and cell.is_integer():
        cell = int(cell)
    text = str(cell).strip()
    return "" if _MISSING.match(text) else text


def all_numbers(values: Iterable[str]) -> bool:
    """Whether every value reads as a number."""
    return all(number(value) is not None for value in values)
