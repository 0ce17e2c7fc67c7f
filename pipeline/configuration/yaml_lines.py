"""Where each value stands in a YAML file."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import yaml

from pipeline.configuration.explain import Place, Problem
from pipeline.errors import input_error

DEEPEST = 50
MOST_VALUES = 100_000
"""Of a file, with what stands behind each alias counted each time."""


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
        text = file.read_text(encoding="utf-8")
        _refuse_excess(text)
        return by(text)
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not UTF-8 text; save the file in UTF-8"
        raise input_error("configuration", [f"{os.path.relpath(file)}: {what}"]) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        what = f"{error.problem}; look there and in the line above for brackets, quotes and tabs"
        place = f"{os.path.relpath(file)}, line {line}, column {column}"
        raise input_error("configuration", [f"{place}: {what}"]) from error
    except yaml.YAMLError as error:
        what = " ".join(str(error).split())
        raise input_error("configuration", [f"{os.path.relpath(file)}: {what}"]) from error


def _refuse_excess(text: str) -> None:
    """Refuse what is small and unfolds without end, before anything walks through it.

    The parser of libyaml goes from event to event, while what composes values from them calls
    itself, and ends Python where brackets are nested by the ten thousand.
    """
    behind: dict[Any, tuple[int, int]] = {}  # anchor: its values, and levels of them
    anchors: list[Any] = [None]
    values, levels = [0], [0]  # of what is open, the innermost last
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        new = 1, 0
        if isinstance(event, yaml.CollectionStartEvent):
            behind[event.anchor] = 1, DEEPEST  # until its end: who holds himself has no bottom
            anchors.append(event.anchor)
            values.append(1)
            levels.append(0)
            new = 0, 0
        elif isinstance(event, yaml.CollectionEndEvent):
            new = values.pop(), levels.pop() + 1
            behind[anchors.pop()] = new
        elif isinstance(event, yaml.AliasEvent):
            new = behind.get(event.anchor, new)
        values[-1] += new[0]
        levels[-1] = max(levels[-1], new[1])
        if len(levels) + levels[-1] > DEEPEST or values[-1] > MOST_VALUES:
            what = (
                f"more than {DEEPEST} levels or {MOST_VALUES} values, with what each alias (*name) "
                "stands for; no configuration needs as many: write it with fewer"
            )
            mark = cast(yaml.Mark, event.start_mark)  # the parser in C has a class of its own
            raise yaml.MarkedYAMLError(problem=what, problem_mark=mark)


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
