"""Where each value stands in a YAML file."""

import os
from pathlib import Path

import yaml

from pipeline.configuration.explain import Place, Problem
from pipeline.errors import input_error


def check_syntax(file: Path) -> None:
    """Raise where a file is not YAML, with the line: Snakemake's own message has none.

    Raises
    ------
    InputError
        Naming line and column.
    """
    try:
        yaml.compose(file.read_text(), Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        what = f"{error.problem}; look there and in the line above for brackets, quotes and tabs"
        place = f"{os.path.relpath(file)}, line {line}, column {column}"
        raise input_error("configuration", [f"{place}: {what}"]) from error


def scan(file: Path) -> tuple[dict[Place, str], list[Problem]]:
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
