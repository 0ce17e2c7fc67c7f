"""Where each value stands in a YAML file."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from pipeline.configuration.explain import Place, Problem
from pipeline.errors import input_error


class _Loader(yaml.CSafeLoader):
    """Names the place of a value that looks like a date and is none, such as 2026-13-01."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except yaml.YAMLError:
            raise
        except Exception as error:  # PyYAML passes on whatever int and datetime make of it
            what = f"cannot be read ({error}); put it in quotes if it is text"
            raise yaml.MarkedYAMLError(problem=what, problem_mark=node.start_mark) from error


def read_yaml(file: Path) -> Any:
    """Return what stands in a file; where it is no YAML, say in which line.

    Snakemake's own message names neither line nor file.

    Raises
    ------
    InputError
        Naming line and column.
    """
    return _read(file, partial(yaml.load, Loader=_Loader))


def _read(file: Path, by: Callable[[str], Any]) -> Any:
    try:
        return by(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        problem = f": byte {error.start} is not UTF-8 text; save the file in UTF-8"
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        problem = (
            f", line {line}, column {column}: {error.problem}; look there and in the line above "
            "for brackets, quotes and tabs"
        )
    except yaml.YAMLError as error:
        problem = f": {' '.join(str(error).split())}"
    raise input_error("configuration", [f"{os.path.relpath(file)}{problem}"])


def scan(file: Path) -> tuple[dict[Place, str], list[Problem]]:
    """Return where each value stands in a YAML file, and the keys it holds twice."""
    root = _read(file, partial(yaml.compose, Loader=yaml.CSafeLoader))
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
                        f"the key is there twice, in lines {seen[key.value]} and {line}; "
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
