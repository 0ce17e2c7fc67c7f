"""What every reader of a file returns: which column serves as what, numbers, and labels."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kpca.reading.errors import input_error, nearest, shortlist
from kpca.reading.text import amount, date_features, read_dates
from kpca.study.datasets.dataset import Dataset, FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd

# Text of a missing cell, as a regular expression.
MISSING_CELL = r"(?i)^\s*(na|n/a|nan|null|\?)?\s*$"
_DATE = re.compile(r"(\d{1,4})([-./])\d{1,2}\2\d{1,4}([ T].*)?")
DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")
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
    amounts: list[str] = field(default_factory=list)  # columns with signs of money or per cent
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

    def take(self, rows: "pd.Series[bool]", why: str) -> Self:
        """Return the rows that are marked, with a warning; they keep their numbers and places."""
        names = {role: cells[rows] for role, cells in self.names.items()}
        texts = {column: cells[rows[cells.index]] for column, cells in self.texts.items()}
        texts = {column: cells for column, cells in texts.items() if len(cells)}
        numeric, warnings = self.numeric[rows], [*self.warnings, why]
        return replace(self, numeric=numeric, names=names, texts=texts, warnings=warnings)

    def dataset(self, name: str) -> Dataset:
        """Convert a table without problems; its rows have no splits yet."""
        coded = {"label", "group"} & self.names.keys()
        codes = {role: encode(self.names[role]) for role in coded}
        y, class_names = codes.get("label", (None, ()))
        target = self.roles.get("target")
        found = Dataset(
            name=name,
            X=np.ascontiguousarray(self.numeric[[*self.features]]),
            y=y,
            target=None if target is None else self.numeric[target].to_numpy(),
            groups=codes["group"][0] if "group" in codes else None,
            ids=np.array([*self.names["id"]], dtype=str) if "id" in self.roles else None,
            file_rows=self.numeric.index.to_numpy(),
            feature_names=() if self.spec.get("kernel_matrix") else self.features,
            class_names=class_names,
            categories=self.categories,
            log=self.log,
            amounts=tuple(self.amounts),
            dates=self.dates,
            fill_missing=self.spec.get("missing") == "median",
            precomputed=bool(self.spec.get("kernel_matrix")),
            warnings=tuple(self.warnings),
        )
        if "time" not in self.roles:
            return found
        time = order_of([*self.names["time"]])
        return replace(found, time=time).take(np.argsort(time, kind="stable"))


def frame_table(
    frame: "pd.DataFrame",
    subject: str,
    spec: Mapping[str, Any],
    *,
    places: Sequence[str] | None = None,
    decimal_comma: bool = False,
) -> Table:
    """Convert a data frame whose column names are text, from the first line if rows have places.

    A spec names columns; every other one is a feature unless it names or numbers the rows, of which
    the table warns. Text with few values becomes categories. Problems of header and roles are
    listed in the table; without a feature they are raised at once.
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
    kept, values, found = {*listed["features"], *target}, dict[str, FloatArray](), list[str]()
    texts, categories = dict[str, "pd.Series[Any]"](), dict[str, list[str]]()
    amounts, dates, parts = dict[str, str](), dict[str, bool](), spec.get("dates") or ()
    made: list[str] = []
    for column in [*candidates, *target, *([time] if time else [])]:
        numbers, cells, sign = _numbers(frame[column], decimal_comma=decimal_comma)
        words, named = list(cells.values()), column in listed["categorical"]
        dated = bool(words) and len(words) == np.isfinite(numbers).sum() and are_dates(words)
        if dated and (column == time or (parts and column not in target and not named)):
            dates[column] = day_is_first(words)
        if column in dates and parts:
            cut = date_features(column, _labels(frame[column]), parts, day_first=dates[column])
            taken = "but a column has this name; rename it"
            problems += [f"`dates` makes a feature {n!r}, {taken}" for n in cut if n in sound]
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
                f"it is a time, `time: {column}` does"
            )
        elif named or (column not in target and _holds_categories(numbers, words)):
            found += [] if named else [column]
            values[column], categories[column] = _categories(frame[column])
        else:
            values[column] = numbers
            texts |= {column: pd.Series(cells)} if cells else {}
        if sign and not named and column in values:
            amounts[column] = sign
    features = tuple(column for column in values if column not in target)
    if parts and not made:
        problems.append("`dates` makes features of dates, but no column holds any; leave it out")
    problems += _time_problems(frame, roles)
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
        listing = shortlist([f"{name!r} ({cell!r})" for name, cell in amounts.items()])
        warnings.append(
            f"column {listing} holds signs of money or per cent. They and commas between "
            "thousands are left out: '$23,999' is 23999, and '12.3%' is 12.3"
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


def are_dates(texts: Iterable[str]) -> bool:
    """Whether every text reads as a date, such as 2024-05-01, 1.5.2024 or 5/1/24 12:00.

    >>> are_dates({"2024-05-01", "1.5.2024 12:00"}), are_dates({"1.5", "a"})
    (True, False)
    """
    return all(_DATE.fullmatch(text.strip()) for text in texts)


def day_is_first(texts: Iterable[str]) -> bool:
    """Whether dates begin with the day: with points between, or with a number above 12.

    >>> day_is_first(["1.5.2024"]), day_is_first(["5/1/24", "31/1/24"]), day_is_first(["5/1/24"])
    (True, True, False)
    """
    found = (_DATE.fullmatch(text.strip()) for text in texts)
    return any(m[2] == "." or 12 < int(m[1]) < 32 for m in found if m)


def order_of(texts: Sequence[str]) -> FloatArray:
    """Return what texts of a column of time are sorted by: numbers, or seconds of dates, or NaN.

    >>> order_of(["1985", "1984"]).tolist(), np.diff(order_of(["1.5.2024", "2.5.2024"])).tolist()
    ([1985.0, 1984.0], [86400.0])
    """
    if all_numbers(texts):
        return np.array([number(text) for text in texts], dtype=float)
    seconds = read_dates(texts, day_first=day_is_first(texts)).to_numpy(dtype="datetime64[s]")
    return np.where(np.isnat(seconds), np.nan, seconds.astype(float))


def _time_problems(frame: "pd.DataFrame", roles: Mapping[str, str]) -> Iterator[str]:
    if (column := roles.get("time")) is None:
        return
    texts = _labels(frame[column])
    unread = [text for text, at in zip(texts, order_of(texts), strict=True) if text and at != at]
    if unread:
        yield (
            f"time column {column!r} holds {shortlist([*map(repr, unread)], limit=3)}; a time is a "
            "number, or a date such as 2024-05-01: correct these cells"
        )


def _numbers(
    series: "pd.Series[Any]", *, decimal_comma: bool
) -> tuple[FloatArray, dict[int, str], str]:
    """Return the numbers of a column, its texts by row, and a cell with a sign that is left out."""
    if series.dtype.kind in "biuf":
        return series.to_numpy(dtype=np.float64, na_value=np.nan), {}, ""
    with suppress(TypeError, ValueError):  # of nothing but numbers, which is ten times as fast
        if "_" not in "".join(series):
            return series.to_numpy(dtype=object).astype(np.float64), {}, ""
    cells, sign = _labels(series), ""
    bare = [amount(cell, decimal_comma) for cell in cells]
    if bare != cells and all_numbers(bare):
        sign = next(cell for cell, plain in zip(cells, bare, strict=True) if cell != plain)
        cells = bare
    # With points beside commas, either may part thousands.
    if decimal_comma and not any("." in cell and number(cell) is not None for cell in cells):
        cells = [c.replace(",", ".") if DECIMAL_COMMA.fullmatch(c) else c for c in cells]
    values = [number(cell) for cell in cells]
    texts = {row: cells[row - 1] for row, value in enumerate(values, start=1) if value is None}
    # Finite, so that a cell that is reported as text is not reported as missing too.
    return np.array([0.0 if v is None else v for v in values]), texts, sign


def _categories(series: "pd.Series[Any]") -> tuple[FloatArray, list[str]]:
    """Return the codes of a column of categories, NaN if a cell is empty, and their names."""
    cells = np.array(_labels(series), dtype=object)
    values = np.full(len(cells), np.nan)
    values[cells != ""], names = encode(cells[cells != ""])
    return values, list(names)


def _labels(series: "pd.Series[Any]") -> list[str]:
    gone = zip(series, series.isna(), strict=True)
    return ["" if missing else label_text(cell) for cell, missing in gone]


def _holds_categories(values: FloatArray, texts: Sequence[str]) -> bool:
    """Whether a column holds text alone, with few values, and no dates or decimal commas."""
    whole, few = len(texts) == np.isfinite(values).sum(), 0 < len({*texts}) <= _MOST_CATEGORIES
    return whole and few and not are_dates(texts) and not all(map(DECIMAL_COMMA.fullmatch, texts))


def only_names(values: FloatArray, texts: Sequence[str]) -> str:
    """Return why a column only names or numbers its rows; nothing if it does not."""
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


def encode(values: Iterable[str]) -> tuple[IntArray, tuple[str, ...]]:
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
