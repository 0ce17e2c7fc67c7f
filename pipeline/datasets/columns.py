"""Which column of a data frame serves as what, and its cells as numbers."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pipeline.datasets.table import DECIMAL_COMMA, Roles, Table, encode, label_text, number
from pipeline.datasets.warnings import are_dates, only_names
from pipeline.errors import input_error, nearest, shortlist

if TYPE_CHECKING:
    import pandas as pd

_ROLES = ("label", "group", "target", "id")
_LISTS = ("features", "drop", "categorical", "log")
# What one column may be at once.
_TOGETHER = (["features", "categorical"], ["features", "log"], ["group", "id"])
_MOST_CATEGORIES = 20


class Cells(NamedTuple):
    """A column as numbers, the rows of its cells that are text, and names of its categories."""

    values: np.ndarray
    texts: list[tuple[int, str]]
    categories: list[str]


def frame_table(
    frame: "pd.DataFrame", subject: str, spec: Mapping[str, Any], *, decimal_comma: bool = False
) -> Table:
    """Convert a data frame whose column names are text.

    A spec names columns; every other one is a feature unless it says which. A column that only
    names or numbers the rows is none, unless the spec says so, and the table warns of it. A column
    of text with few values becomes one of categories. Problems with the header and the roles are
    listed in the table, next to those of the cells.

    Raises
    ------
    InputError
        When no feature is left, with all problems so far.
    """
    frame, index = without_index(frame)
    header = list(frame.columns)
    named = {role: str(spec[role]) for role in _ROLES if spec.get(role) is not None}
    listed = {key: [str(column) for column in spec.get(key) or ()] for key in _LISTS}
    problems = [*_header_problems(header), *_role_problems(header, named, listed)]
    sound = [column for column in header if column and header.count(column) == 1]
    unclear = not {*named.values()} <= {*sound}  # a column may be text since it is the label
    named = {role: column for role, column in named.items() if column in sound}
    listed = {key: [c for c in columns if c in sound] for key, columns in listed.items()}
    features = listed["features"] or [
        column for column in sound if column not in {*named.values(), *listed["drop"]}
    ]
    numeric = [*features, *([named["target"]] if "target" in named else [])]
    cells = {
        column: _categories(frame[column])
        if column in listed["categorical"]
        else _numbers(frame[column], decimal_comma)
        for column in numeric
    }
    warnings = {} if listed["features"] else dict(_left_out(features, cells))
    found = [c for c in features if c not in warnings and _holds_categories(cells[c])]
    cells |= {column: _categories(frame[column]) for column in found}
    roles = Roles(features=tuple(c for c in features if c not in warnings), **named)
    problems += [
        f"column {column!r} is named by `log`, but is no number among the features"
        for column in listed["log"]
        if column not in roles.features or cells[column].categories
    ]
    if not roles.features:
        none = "no column is left as a feature; there must be at least one"
        raise input_error(subject, [*problems, "; ".join([none, *warnings.values()])])
    kept = {column: cells[column] for column in roles.numeric}
    texts = {role: _labels(frame[column]) for role, column in named.items() if role != "target"}
    return Table(
        roles=roles,
        numeric=np.column_stack([column.values for column in kept.values()]),
        label=texts.get("label"),
        group=texts.get("group"),
        ids=texts.get("id"),
        categories={
            name: kept[name].categories
            for name in roles.features
            if name in {*listed["categorical"], *found}
        },
        log=tuple(n for n in listed["log"] if n in roles.features and not cells[n].categories),
        texts={n: column.texts for n, column in kept.items() if column.texts and not unclear},
        problems=problems,
        warnings=[*index, *warnings.values(), *_said_of_categories(found)],
    )


def without_index(frame: "pd.DataFrame") -> tuple["pd.DataFrame", list[str]]:
    """Leave out a first column without a name, such as the index that pandas writes."""
    if not len(frame.columns) or frame.columns[0]:
        return frame, []
    words = "column 1 has no name, as the index that pandas writes, and is left out"
    return frame.iloc[:, 1:], [f"{words}; name it to use it"]


def _holds_categories(column: Cells) -> bool:
    """Whether a column holds text alone, with few values, and no dates or decimal commas."""
    texts = {text for _, text in column.texts}
    whole = len(column.texts) == np.isfinite(column.values).sum()
    few = 0 < len(texts) <= _MOST_CATEGORIES
    return whole and few and not are_dates(texts) and not all(map(DECIMAL_COMMA.fullmatch, texts))


def _said_of_categories(columns: Sequence[str]) -> Iterator[str]:
    if columns:
        holds = "column {} holds" if len(columns) == 1 else "columns {} hold"
        listed = shortlist([repr(column) for column in columns])
        yield (
            f"{holds.format(listed)} text with at most {_MOST_CATEGORIES} values, each of which "
            f"becomes a column of 0 and 1, as `categorical: {','.join(columns)}` says; `drop` "
            "leaves columns out"
        )


def _header_problems(header: Sequence[str]) -> Iterator[str]:
    for left, column in zip(["", *header], header, strict=False):
        if not column:
            yield f"the column to the right of {left!r} has no name; name it, or remove it"
    for column in dict.fromkeys(filter(None, header)):
        if (times := header.count(column)) > 1:
            yield f"column {column!r} stands {times} times; give each a name of its own"


def _role_problems(
    header: Sequence[str], named: Mapping[str, str], listed: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    there = list(filter(None, header))
    wanted = [*named.items(), *((key, column) for key in _LISTS for column in listed[key])]
    for key, column in wanted:
        if column not in header:
            yield f"there is no column {column!r}, which `{key}` names; {nearest(column, there)}"
    for column in dict.fromkeys(column for _, column in wanted):
        keys = [key for key, other in wanted if other == column]
        if len(keys) > 1 and keys not in _TOGETHER:
            roles = shortlist([f"`{key}`" for key in keys])
            yield f"column {column!r} is named by {roles}; give it one role"
        if keys in (["categorical"], ["log"]) and listed["features"]:
            yield f"column {column!r} is named by `{keys[0]}` alone; add it to `features`"


def _left_out(features: Sequence[str], cells: Mapping[str, Cells]) -> Iterator[tuple[str, str]]:
    """Yield the features that only name or number the rows, with what to say of each."""
    for column in features:
        values, texts, categories = cells[column]
        if not categories and (why := only_names(values, [text for _, text in texts])):
            yield (
                column,
                f"column {column!r} {why}, and is left out; if it is a measurement, list the "
                f"columns to use in `features`; if it names the rows, `id: {column}` says so",
            )


def _numbers(series: "pd.Series[Any]", decimal_comma: bool) -> Cells:
    """Return the numbers of a column, and the cells that hold text with their rows."""
    if series.dtype.kind in "biuf":
        return Cells(series.to_numpy(dtype=np.float64, na_value=np.nan), [], [])
    with suppress(TypeError, ValueError):  # of nothing but numbers, which is ten times as fast
        if "_" not in "".join(series):
            return Cells(series.to_numpy(dtype=object).astype(np.float64), [], [])
    cells = _labels(series)
    # With points beside commas, either may part thousands.
    if decimal_comma and not any("." in cell and number(cell) is not None for cell in cells):
        cells = [c.replace(",", ".") if DECIMAL_COMMA.fullmatch(c) else c for c in cells]
    values = [number(cell) for cell in cells]
    texts = [(row, cells[row]) for row, value in enumerate(values) if value is None]
    # Finite, so that a cell that is reported as text is not reported as missing too.
    return Cells(np.array([0.0 if v is None else v for v in values]), texts, [])


def _categories(series: "pd.Series[Any]") -> Cells:
    """Return the codes of a column of categories, NaN if a cell is empty, and their names."""
    cells = _labels(series)
    there = np.array([cell != "" for cell in cells], dtype=bool)
    values = np.full(len(cells), np.nan)
    values[there], names = encode([cell for cell in cells if cell])
    return Cells(values, [], list(names))


def _labels(series: "pd.Series[Any]") -> list[str]:
    gone = zip(series, series.isna(), strict=True)
    return ["" if missing else label_text(cell) for cell, missing in gone]
