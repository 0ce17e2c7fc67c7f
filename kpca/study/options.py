"""The options of a study of one table: checks of their values, and what they change.

The Snakefile imports this module, which therefore needs only the standard library.
"""

import json
import math
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kpca.reading.errors import input_error, nearest

MOST_ROWS = 5000  # default of `max_rows`; a larger table is sampled, stratified by class

# Options of a table that take one value, and those that take a list of columns or words.
PLAIN_OPTIONS = (
    *("label", "group", "target", "id", "time", "gap", "missing", "min_class_size"),
    *("decimal", "thousands", "dayfirst"),
    *("header", "skip", "encoding", "sheet", "transpose"),
)
LIST_OPTIONS = ("features", "drop", "categorical", "ordered", "log", "dates", "na", "units")
# Option → its key in the section `evaluation` of the configuration.
EVALUATION_OPTIONS = {"n_components": "n_components", "svm_C": "C", "folds": "folds"}
TABLE_OPTIONS = (
    *(*PLAIN_OPTIONS, *LIST_OPTIONS, *EVALUATION_OPTIONS),
    *("splits", "max_rows", "standardize"),
)
_AS_YAML = re.compile(rf"`({'|'.join(TABLE_OPTIONS)}): ([^`]*)`")
# Text about roles in a message → the same about the arguments of `kpca.study.answer`.
_IN_PYTHON = {
    "give it as `target: [^`]*` in place of `label`": "give `task='regression'`",
    "give classes as `label`": "give `task='classification'`",
    "name their column as `label`": "give them as `y`",
    "leave out `label`": "give `y=None`",
    "Leave out `label`": "Give `y=None`",
    "`transpose: true` turns the table": "give the transposed table",
    "`group`": "`groups`",
}
_DATE_PARTS = ("year", "month", "day", "weekday", "hour")


def as_typed(message: str) -> str:
    """Return a message with each `key: value` rewritten as on the command line: `key=value`.

    >>> as_typed("say `missing: drop` or `categorical: [a, b]`")
    'say `missing=drop` or `categorical=a,b`'
    >>> print(as_typed('`na: ["lost, found"]`'))
    `'na=["lost, found"]'`
    """
    return _AS_YAML.sub(_as_typed, message)


def _as_typed(option: re.Match[str]) -> str:
    key, value = option.groups()
    if value.startswith('["'):
        return f"`{shlex.quote(f'{key}={value}')}`"
    return f"`{key}={value.strip('[]').replace(', ', ',')}`"


def in_python(message: str) -> str:
    """Return a message with each option rewritten as an argument of `kpca.study.answer`.

    >>> in_python("say `missing: drop` or `group: who`; leave out `label`")
    "say `missing='drop'` or `groups='who'`; give `y=None`"
    """
    for pattern, argument in _IN_PYTHON.items():
        message = re.sub(pattern, argument, message)
    return _AS_YAML.sub(_as_argument, message)


def _as_argument(option: re.Match[str]) -> str:
    key, value = option.groups()
    if key == "group":
        return f"`groups={value!r}`"
    if value in ("true", "false"):
        return f"`{key}={value.title()}`"
    if value.startswith('["'):
        return f"`{key}={json.loads(value)}`"
    return f"`{key}={value if value.isdigit() else repr(value.strip('[]'))}`"


def listed(value: Any) -> list[Any]:
    """Return the value of an option as a list; on the command line, it is text with commas."""
    return value if isinstance(value, list) else [part.strip() for part in str(value).split(",")]


def numbers(value: Any) -> list[float]:
    """Return the numbers of a list or of text with commas, in ascending order.

    >>> numbers("1e-3,10"), numbers([5, 2]), numbers(2.5)
    ([0.001, 10], [2, 5], [2.5])
    """
    return sorted(_number(part) for part in listed(value))


def _number(part: Any) -> float:
    value = float(part)
    return int(value) if value.is_integer() else value


def table_spec(table: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return a dataset's entry of the configuration, for a file or frame with these options."""
    spec: dict[str, Any] = {"path" if isinstance(table, str) else "frame": table}
    for key in PLAIN_OPTIONS:
        if key in options:
            value = options[key]
            spec[key] = value[0] if isinstance(value, list) else value
    for key in LIST_OPTIONS:
        if names := list(dict.fromkeys(listed(options.get(key, [])))):
            spec[key] = names
    spec["standardize"] = is_true(options.get("standardize", True))
    spec["max_rows"] = options.get("max_rows", MOST_ROWS)
    return spec


def table_evaluation(evaluation: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the section ``evaluation``, in which ``options`` of a table replace some values."""
    changed = dict(evaluation)
    for option, key in EVALUATION_OPTIONS.items():
        if option in options:
            value = options[option]
            changed[key] = value if key == "folds" else numbers(value)
    return changed


def is_true(value: Any) -> bool:
    """Return whether a switch is on: True, or the text "true" from the command line."""
    return value in (True, "true")


@dataclass(frozen=True)
class _Requirement:
    """A requirement on the value of an option: in words, and as a function that tests a value."""

    words: str
    holds: Callable[[Any], bool]


def _integer(least: int, most: float = math.inf) -> _Requirement:
    limits = f"of at least {least}" if most == math.inf else f"from {least} to {most}"
    return _Requirement(
        f"an integer {limits}", lambda value: _is_integer(value) and least <= value <= most
    )


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _choice(*choices: Any) -> _Requirement:
    description = " or ".join(map(str, choices))

    def holds(value: Any) -> bool:
        return isinstance(value, str | bool) and value in choices

    return _Requirement(description, holds)


def _are_numbers(value: Any, allowed: Callable[[float], bool]) -> bool:
    try:
        values = numbers(value)
    except (TypeError, ValueError):
        return False
    return bool(values) and all(math.isfinite(number) and allowed(number) for number in values)


def _is_column(value: Any) -> bool:
    return isinstance(value, str) or _is_integer(value)


def _are_columns(value: Any) -> bool:
    names = listed(value)
    return bool(names) and all(_is_column(name) for name in names)


def _is_role(value: Any) -> bool:
    """Return whether a value names one column.

    A list with one name is allowed, because it protects a name that YAML would change.
    """
    return _is_column(value) or (isinstance(value, list) and len(value) == 1)


_COLUMN = _Requirement("the name of a column", _is_role)
_COLUMNS = _Requirement("names of columns", _are_columns)
_SWITCH = _Requirement("True or False", lambda value: value in (True, False, "true", "false"))
_REQUIREMENTS = {
    **dict.fromkeys(("id", "time"), _COLUMN),
    **dict.fromkeys(("features", "drop", "categorical", "ordered", "log"), _COLUMNS),
    **dict.fromkeys(("na", "units"), _Requirement("words", lambda value: bool(listed(value)))),
    **dict.fromkeys(("standardize", "dayfirst", "quick"), _SWITCH),
    **dict.fromkeys(("decimal", "thousands"), _choice(",", ".")),
    "kernels": _Requirement("names of kernels", _are_columns),
    "gap": _integer(0),
    "min_class_size": _integer(2),
    "missing": _choice("drop", "median"),
    "dates": _Requirement(
        f"of {', '.join(_DATE_PARTS)}", lambda value: {*listed(value)} <= {*_DATE_PARTS}
    ),
    "n_components": _Requirement(
        "positive integers",
        lambda value: _are_numbers(value, lambda number: number >= 1 and _is_integer(number)),
    ),
    "svm_C": _Requirement(
        "positive numbers", lambda value: _are_numbers(value, lambda number: number > 0)
    ),
    "folds": _integer(2, 20),
    "splits": _integer(2, 100),
    "max_rows": _integer(10),
}


def check_options(options: Mapping[str, Any]) -> None:
    """Raise an `InputError` that lists the options which are unknown or have a wrong value."""
    problems = []
    for option, value in options.items():
        if option not in _REQUIREMENTS:
            problems.append(f"`{option}`: unknown; {nearest(option, [*_REQUIREMENTS])}")
        elif not _REQUIREMENTS[option].holds(value):
            problems.append(f"`{option}`: {value!r} must be {_REQUIREMENTS[option].words}")
    if problems:
        raise input_error("options", problems)
