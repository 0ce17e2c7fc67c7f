"""Read YAML, and explain what YAML or the schema refuses: place, requirement and remedy."""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from kpca.reading.errors import InputError, input_error, missing_file, nearest
from kpca.study.fitting.kernels import FAMILIES

SCHEMA = Path(__file__).parents[2] / "workflow/schemas/config.schema.yaml"
_FLOAT_AS_TEXT = re.compile(r"([-+]?\d+)(\.\d*)?[eE]([-+]?)(\d+)")
_TYPES = {
    "integer": "an integer",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "object": "keys with values, `key: value`",
    "array": "a list",
}
_EMPTY = "empty: give at least one entry, or leave the key out where it is optional"
_WORDS = {
    "exclusiveMinimum": "{value} must be greater than {wanted}",
    "exclusiveMaximum": "{value} must be less than {wanted}",
    "minimum": "{value} must be at least {wanted}",
    "maximum": "{value} must be at most {wanted}",
    "minItems": _EMPTY,
    "minLength": _EMPTY,
    "maxItems": "{value} must have one entry",
    "minProperties": _EMPTY,
    "uniqueItems": "{value} holds a value twice: remove one",
    "maxLength": "{value} is longer than {wanted} characters: choose a shorter name",
    "oneOf": "no source, or several: give one of `generator`, `sklearn`, `path` or `openml`",
}
# Key of an earlier version → what replaces it.
REMOVED = {
    "parts": "this key went: leave it out, and say `--set-threads fit=8 classify=8 cluster=8` for "
    "jobs of as many processes"
}
_SOURCES = ("generator", "sklearn", "path", "openml")

Place = tuple[str | int, ...]


class Problem(NamedTuple):
    """A problem of the configuration; ``place`` has the keys that lead to the value."""

    place: Place
    what: str


class _Loader(yaml.CSafeLoader):
    """A loader that names the place of an invalid date, such as 2026-13-01."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except yaml.YAMLError:
            raise
        except Exception as error:  # PyYAML does not catch errors of int and datetime.
            message = f"cannot be read ({error}); put it in quotes if it is text"
            raise yaml.MarkedYAMLError(problem=message, problem_mark=node.start_mark) from error


def read_yaml(file: Path, by: Callable[..., Any] = yaml.load, loader: Any = _Loader) -> Any:
    """Return the content of a YAML file, or raise an `InputError` that names the invalid line."""
    try:
        return by(file.read_text(encoding="utf-8"), Loader=loader)
    except UnicodeDecodeError as error:
        problem = f": byte {error.start} is not UTF-8 text; save the file in UTF-8"
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        problem = f", line {line}, column {column}: {error.problem}; "
        problem += "look there and in the line above for brackets, quotes and tabs"
    except yaml.YAMLError as error:
        problem = f": {' '.join(str(error).split())}"
    raise input_error("configuration", [f"{os.path.relpath(file)}{problem}"])


def scan(file: Path) -> tuple[dict[Place, str], list[Problem]]:
    """Return the line of each value in a YAML file, and a problem for each duplicate key."""
    root = read_yaml(file, yaml.compose, yaml.CSafeLoader)
    name = os.path.relpath(file)
    lines: dict[Place, str] = {}
    duplicates: list[Problem] = []

    def walk(node: yaml.Node, place: Place) -> None:
        lines[place] = f"{name}, line {node.start_mark.line + 1}"
        if isinstance(node, yaml.MappingNode):
            seen: dict[str, int] = {}
            for key, value in node.value:
                line = key.start_mark.line + 1
                child = (*place, key.value)
                if key.value in seen:
                    problem = f"the key is there twice, in lines {seen[key.value]} and {line}"
                    remedy = "YAML keeps only the last: remove one"
                    duplicates.append(Problem(child, f"{problem}; {remedy}"))
                seen[key.value] = line
                walk(value, child)
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                walk(value, (*place, index))

    if root is not None:
        walk(root, ())
    return lines, duplicates


def schema() -> dict[str, Any]:
    """Return the schema of the configuration, in which each kernel has only its own grid axes.

    The file of the schema allows all axes for all kernels.
    """
    read: dict[str, Any] = yaml.load(SCHEMA.read_text(encoding="utf-8"), yaml.CSafeLoader)
    kernels = read["properties"]["kernels"]
    axes = read["$defs"]["grid"]["properties"]
    kernels["properties"] = {
        name: {
            "type": "object",
            "additionalProperties": False,
            "minProperties": int("median" in family.axes),  # `median` has no default.
            "properties": {axis: axes[axis] for axis in family.axes},
            "description": f"Grid of the {family.words}.",
        }
        for name, family in FAMILIES.items()
    }
    kernels["additionalProperties"] = {"$ref": "#/$defs/callable_kernel"}
    return read


def schema_problems(config: dict[str, Any]) -> Iterator[Problem]:
    """Yield a problem for everything in a configuration that the schema refuses."""
    # jsonschema is imported here, because its import takes a tenth of a second.
    from jsonschema import Draft202012Validator

    errors = Draft202012Validator(schema()).iter_errors(config)
    for error in sorted(errors, key=lambda e: [str(part) for part in e.absolute_path]):
        key_path = tuple(error.absolute_path)
        keys = "propertyNames" in error.absolute_schema_path
        if keys and error.validator == "enum":  # a key that the source of data does not have
            if error.instance not in _SOURCES:  # Another problem reports several sources.
                yield Problem(
                    (*key_path, error.instance),
                    _unknown(str(error.instance), error.validator_value),
                )
        elif error.validator != "additionalProperties":
            yield Problem(key_path, _explain(error, key_path))
        elif not _is_unknown_kernel(error):
            keys_known = list(error.schema.get("properties", ()))
            for key in error.instance:
                if key not in keys_known:
                    yield Problem((*key_path, key), _unknown(str(key), keys_known))


def _unknown(key: str, known: Sequence[str]) -> str:
    """Return a message on an unknown key: what replaces the key, or the nearest known key."""
    return REMOVED.get(key) or f"unknown key; {nearest(key, known)}"


def _explain(error: Any, place: Place) -> str:
    value = error.instance
    wanted = error.validator_value
    text = json.dumps(value, ensure_ascii=False, default=str)
    text = text if len(text) < 60 else text[:57] + "…"
    match error.validator:
        case "type" if isinstance(value, str) and (parts := _FLOAT_AS_TEXT.fullmatch(value)):
            mantissa, point, sign, exponent = parts.groups()
            return (
                f"{text} is text, since YAML 1.1 wants a point and a signed exponent in a "
                f"number: write {mantissa}{point or '.0'}e{sign or '+'}{exponent}"
            )
        case "type" if wanted == "array":
            items = value if isinstance(value, str) else text  # text such as "1, 10" without quotes
            return f"{text} must be a list: write [{items}]"
        case "type":
            names = [wanted] if isinstance(wanted, str) else wanted
            return f"{text} must be {' or '.join(_TYPES.get(name, name) for name in names)}"
        case "required" if _is_unknown_kernel(error):
            return (
                f"unknown kernel; {_nearest_kernel(str(place[-1]))}; a kernel of your own "
                "needs `callable: package.module:function`"
            )
        case "required" | "dependentRequired":
            missing = error.message.split("'")[1]
            schema_of_key = error.schema["properties"].get(missing, {})
            return f"`{missing}` is missing: {schema_of_key.get('description', 'add it')}"
        case "enum":
            return f"{text} is none of {', '.join(map(str, wanted))}"
        case "pattern":
            return f"{text} must be {error.schema['says']}"
        case validator:
            return _WORDS[validator].format(value=text, wanted=wanted)


def _nearest_kernel(word: str) -> str:
    """Return which kernel an unknown name may mean; a label such as Gaussian is recognised."""
    named = {family.label.casefold(): name for name, family in FAMILIES.items()}
    if word.casefold() in named:
        return f"write {named[word.casefold()]!r}, its name in the configuration"
    return nearest(word, [*FAMILIES])


def check_named(words: Sequence[str]) -> None:
    """Check that the configuration files that a command line names are valid YAML.

    Snakemake reads these files before any rule, but names neither the file nor the line of invalid
    YAML.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", action="extend", default=[])
    named, _ = parser.parse_known_args(words)
    try:
        for file in map(Path, named.configfile):
            if missing := missing_file(file):
                raise input_error("configuration", [missing])
            read_yaml(file)
    except InputError as error:
        sys.exit(str(error))


def _is_unknown_kernel(error: Any) -> bool:
    """Return whether an error is about a kernel that is neither built in nor custom."""
    return "callable" in error.schema.get("properties", {}) and "callable" not in error.instance
