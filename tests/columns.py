"""What docs/columns.md and docs/columns-studies.md say of the columns of every table."""

import re
from pathlib import Path

import pandas as pd

from pipeline.page.tables import documents

TEXT = documents(Path(__file__).parents[1])


def documented() -> dict[str, list[str]]:
    """Path of every table below the results, with placeholders in capitals → its columns."""
    found: dict[str, list[str]] = {}
    for section in TEXT.split("\n### ")[1:]:
        heading, *lines = section.split("\n## ")[0].splitlines()
        listed = [re.match(r"- ((`\w+`(, )?)+): ", line) for line in lines if line[:2] == "- "]
        columns = [name for line in listed if line for name in re.findall(r"`(\w+)`", line[1])]
        assert all(listed), f"a line of {heading} names no column"
        found |= dict.fromkeys(re.findall(r"`([^`]+)`", heading), columns)
    return found


def columns_of(path: str) -> list[str]:
    """Return the columns that a table should have."""
    known = documented()
    for pattern in sorted(known, key=lambda name: bool(re.search("[A-Z]", name))):
        if re.fullmatch(re.sub("[A-Z]+", r"\\w+", pattern), path):
            return known[pattern]
    raise AssertionError(f"docs/columns*.md do not describe {path}")


def differences(tables: dict[str, pd.DataFrame]) -> list[str]:
    """Return the tables whose columns are not those of the document.

    An embedding may lack views and novelty.
    """
    optional = {"view_1", "view_2", "pca_1", "pca_2", "novelty"}
    wrong = []
    for path, table in tables.items():
        absent = optional - {*table} if "component_1" in table else set()
        if _first([*table]) != [name for name in columns_of(path) if name not in absent]:
            wrong.append(path)
    return wrong


def _first(columns: list[str]) -> list[str]:
    """Leave out what the document does not list: a file's columns, components after the first."""
    if "component_1" in columns:
        columns = columns[:1] + columns[columns.index("component_1") :]
    return [name for name in columns if not re.fullmatch(r"component_(?!1$)\d+", name)]
