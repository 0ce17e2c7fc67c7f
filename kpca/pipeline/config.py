"""Read and check the configuration: every problem at once, each with its place and its remedy.

Imported while the Snakefile is parsed, hence the standard library, yaml and jsonschema only.
"""

from __future__ import annotations

import difflib
import importlib.util
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kpca.pipeline.errors import input_error, missing_file

_COMMAND_LINE_KEYS = ("data", "label", "group", "target")
_FLOAT_AS_TEXT = re.compile(r"^[-+]?\d+(\.\d*)?[eE][-+]?\d+$")

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Problem:
    """One thing wrong with the configuration.

    Attributes
    ----------
    place : tuple
        Keys and indices from the root to the offending value.
    what : str
        What is wrong, what was required and what to do.
    """

    place: Place
    what: str


def load_schema(path: Path) -> dict[str, Any]:
    """Return the JSON schema of the configuration."""
    return json.loads(path.read_text())


def check_config(config: dict[str, Any], schema: dict[str, Any], files: Iterable[Path]) -> None:
    """Raise one error that lists every problem of a configuration.

    Parameters
    ----------
    config : dict
        The merged configuration, as Snakemake hands it over.
    schema : dict
        Its JSON schema.
    files : iterable of Path
        The files it came from: read again for what merging loses, which is
        duplicate keys and line numbers.

    Raises
    ------
    InputError
        If there is any problem.
    """
    lines: dict[Place, str] = {}
    problems: list[Problem] = []
    for file in files:
        located, duplicates = _scan(file)
        lines |= located
        problems += duplicates
    problems += list(_schema_problems(config, schema))
    if not problems:
        problems += list(_meaning_problems(config))
    if problems:
        raise input_error("configuration", [_located(problem, lines) for problem in problems])


def resolve(config: dict[str, Any]) -> dict[str, Any]:
    """Return the configuration as the rules use it.

    ``--config data=… label=…`` becomes the one dataset, and keys whose order means nothing
    are sorted, so that another order runs nothing again.
    """
    resolved = {key: value for key, value in config.items() if key not in _COMMAND_LINE_KEYS}
    if "data" in config:
        columns = {key: config[key] for key in ("label", "group", "target") if key in config}
        name = re.sub(r"\W", "_", Path(config["data"]).stem)
        name = name if name[:1].isalpha() else f"data_{name}"
        resolved["datasets"] = {
            name: {"path": config["data"], **columns, "standardize": True},
        }
    resolved["datasets"] = {n: _in_order(spec) for n, spec in resolved["datasets"].items()}
    return resolved | {
        key: _in_order(resolved[key]) for key in ("evaluation", "methods") if key in resolved
    }


def _in_order(value: Any) -> Any:
    """Sort keys: their order means nothing, but Snakemake compares parameters as they print."""
    if not isinstance(value, dict):
        return value
    return {key: _in_order(value[key]) for key in sorted(value, key=str)}


def _scan(file: Path) -> tuple[dict[Place, str], list[Problem]]:
    """Return where each value stands in a YAML file, and the keys it holds twice."""
    root = yaml.compose(file.read_text(), Loader=yaml.CSafeLoader)
    shown = os.path.relpath(file)
    lines: dict[Place, str] = {}
    duplicates: list[Problem] = []

    def walk(node: yaml.Node, place: Place) -> None:
        lines[place] = f"{shown}, line {node.start_mark.line + 1}"
        if isinstance(node, yaml.MappingNode):
            seen: dict[str, int] = {}
            for key, value in node.value:
                line = key.start_mark.line + 1
                child = (*place, key.value)
                if key.value in seen:
                    what = (
                        f"the key stands twice, in lines {seen[key.value]} and {line}; "
                        "YAML keeps only the last: remove one"
                    )
                    duplicates.append(Problem(child, what))
                seen[key.value] = line
                walk(value, child)
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                walk(value, (*place, index))

    if root is not None:
        walk(root, ())
    return lines, duplicates


def _schema_problems(config: dict[str, Any], schema: dict[str, Any]) -> Iterator[Problem]:
    # jsonschema takes a tenth of a second to import: only where it is used.
    from jsonschema import Draft202012Validator

    errors = Draft202012Validator(schema).iter_errors(config)
    for error in sorted(errors, key=lambda e: [str(part) for part in e.absolute_path]):
        place = tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            if _is_unknown_kernel(error):
                continue
            known = list(error.schema.get("properties", {}))
            for key in error.instance:
                if key not in known:
                    yield Problem((*place, key), f"unknown key{_nearest(key, known)}")
        else:
            yield Problem(place, _explain(error, place))


def _explain(error: Any, place: Place) -> str:
    value, wanted = error.instance, error.validator_value
    shown = json.dumps(value, ensure_ascii=False, default=str)
    shown = shown if len(shown) < 60 else shown[:57] + "…"
    match error.validator:
        case "type" if isinstance(value, str) and _FLOAT_AS_TEXT.match(value):
            mantissa, exponent = re.split("[eE]", value)
            point = mantissa if "." in mantissa else f"{mantissa}.0"
            sign = "" if exponent[0] in "+-" else "+"
            return (
                f"{shown} is text, since YAML 1.1 wants a point and a signed exponent in a "
                f"number: write {point}e{sign}{exponent}"
            )
        case "type":
            names = " or ".join([wanted] if isinstance(wanted, str) else wanted)
            return f"{shown} is not of type {names}"
        case "required" if _is_unknown_kernel(error):
            families = ["linear", "poly", "rbf", "laplacian", "sigmoid", "cosine"]
            return (
                f"unknown kernel{_nearest(str(place[-1]), families)}; a kernel of your own "
                "needs `callable: package.module:function`"
            )
        case "required":
            missing = error.message.split("'")[1]
            return f"`{missing}` is missing: {_describe(error, missing)}"
        case "anyOf":
            return "no source: give one of `generator`, `sklearn`, `path` or `openml`"
        case "enum":
            return f"{shown} is none of {', '.join(map(str, wanted))}{_nearest(str(value), wanted)}"
        case "exclusiveMinimum":
            return f"{shown} must be greater than {wanted}"
        case "exclusiveMaximum":
            return f"{shown} must be less than {wanted}"
        case "minimum":
            return f"{shown} must be at least {wanted}"
        case "maximum":
            return f"{shown} must be at most {wanted}"
        case "minItems" | "minProperties":
            return "empty: give at least one entry, or leave the key out where it is optional"
        case "uniqueItems":
            return f"{shown} holds a value twice: remove one"
        case "pattern" if error.schema.get("description", "").startswith("package") or (
            ":" in wanted
        ):
            return f"{shown} must read package.module:name"
        case "pattern":
            return f"{shown} must begin with a letter and hold letters, digits and _ only"
        case _:
            return str(error.message)


def _is_unknown_kernel(error: Any) -> bool:
    """Whether an error concerns a family that is neither known nor a kernel of the user's own."""
    return "callable" in error.schema.get("properties", {}) and "callable" not in error.instance


def _describe(error: Any, key: str) -> str:
    return str(error.schema.get("properties", {}).get(key, {}).get("description", "add it"))


def _nearest(key: object, known: Iterable[object]) -> str:
    close = difflib.get_close_matches(str(key), [str(k) for k in known], n=1)
    if close:
        return f"; did you mean `{close[0]}`?"
    return f"; known are {', '.join(map(str, known))}" if known else ""


def _meaning_problems(config: dict[str, Any]) -> Iterator[Problem]:
    """Problems that a schema cannot state."""
    for key in ("label", "group", "target"):
        if key in config and "data" not in config:
            what = f"stands without `data`: give data=FILE, or put `{key}` in a dataset"
            yield Problem((key,), what)
    if "data" in config and not Path(config["data"]).is_file():
        yield Problem(("data",), missing_file(Path(config["data"])))
    for name, spec in config["datasets"].items():
        sources = [key for key in ("generator", "sklearn", "path", "openml") if key in spec]
        if len(sources) > 1:
            yield Problem(("datasets", name), f"has several sources, {sources}: keep one")
        if "data" not in config and "path" in spec and not Path(spec["path"]).is_file():
            yield Problem(("datasets", name, "path"), missing_file(Path(spec["path"])))
    reserved = {"raw", "pca", *config["kernels"], "precomputed"}
    for name, method in (config.get("methods") or {}).items():
        if name in reserved:
            yield Problem(("methods", name), "the name is taken: choose another")
        path = method if isinstance(method, str) else method["class"]
        yield from _import_problem(("methods", name), path)
    for name, family in config["kernels"].items():
        if "callable" in (family or {}):
            yield from _import_problem(("kernels", name), family["callable"])


def _import_problem(place: Place, path: str) -> Iterator[Problem]:
    package = path.split(":")[0].split(".")[0]
    if importlib.util.find_spec(package) is None:
        what = f"no module `{package}` can be imported: install it, or put it beside the Snakefile"
        yield Problem(place, what)


def _located(problem: Problem, lines: dict[Place, str]) -> str:
    path = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in problem.place
    ).lstrip(".")
    place = problem.place
    while place and place not in lines:
        place = place[:-1]
    where = f" ({lines[place]})" if place else ""
    return f"{path or 'the file'}{where}: {problem.what}"
